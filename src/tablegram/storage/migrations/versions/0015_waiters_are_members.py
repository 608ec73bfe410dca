"""a waiter may be a member of the team"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("waiters", sa.Column("member_id", sa.Text(), nullable=True))
    op.create_index("ux_waiters_member", "waiters", ["account_id", "venue_id", "member_id"], unique=True)


def downgrade() -> None:
    op.drop_index("ux_waiters_member", table_name="waiters")
    op.drop_column("waiters", "member_id")
