"""rows of campaigns are found by their key: on a server, the other two indexes hold only what is looked for by them

Before a server has counted a campaign's rows it takes any index that begins with the campaign for as good as the key, and
reads all of the campaign for each row.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

_COLUMNS = {
    "ix_campaign_sends_state": (["account_id", "campaign_id", "state"], "state in ('queued', 'sent', 'delivered')"),
    "ix_campaign_sends_at": (["account_id", "campaign_id", "at"], "at is not null"),
}


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for name, (columns, where) in _COLUMNS.items():
            op.drop_index(name, "campaign_sends")
            op.create_index(name, "campaign_sends", columns, postgresql_where=sa.text(where))


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for name, (columns, _) in _COLUMNS.items():
            op.drop_index(name, "campaign_sends")
            op.create_index(name, "campaign_sends", columns)
