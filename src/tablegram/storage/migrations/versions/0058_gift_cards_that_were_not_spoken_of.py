"""why somebody did not hear of their gift card"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

_WORDS = {"about": "'points_expire'", "gift_id": "''"}


def upgrade() -> None:
    for name, default in _WORDS.items():
        op.add_column("loyalty_warnings", sa.Column(name, sa.Text(), server_default=sa.text(default), nullable=False))


def downgrade() -> None:
    for name in _WORDS:
        op.drop_column("loyalty_warnings", name)
