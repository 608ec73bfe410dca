"""lists of messages by direction, and of those that failed"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_messages_direction", "messages", ["account_id", "direction", "id"])
    where = sa.text("failed_at is not null")
    op.create_index("ix_messages_failed", "messages", ["account_id", "id"], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    op.drop_index("ix_messages_failed", "messages")
    op.drop_index("ix_messages_direction", "messages")
