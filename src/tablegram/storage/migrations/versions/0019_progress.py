"""how far each line of an order is at its station"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "order_progress",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("order_key", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("station", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("portions", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("tap", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state in ('waiting', 'cooking', 'done')", name=op.f("ck_order_progress_state")),
        sa.PrimaryKeyConstraint("account_id", "order_key", "line", name=op.f("pk_order_progress")),
    )
    op.create_table(
        "order_taps",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("order_key", sa.Text(), nullable=False),
        sa.Column("station", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.Column("undone_by", sa.Text(), nullable=True),
        sa.CheckConstraint("action in ('start', 'finish', 'recall')", name=op.f("ck_order_taps_action")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_order_taps")),
    )
    op.create_index("ix_order_taps_order", "order_taps", ["account_id", "order_key", "id"])
    op.create_index("ix_order_taps_venue", "order_taps", ["account_id", "venue_id", "id"])


def downgrade() -> None:
    op.drop_table("order_taps")
    op.drop_table("order_progress")
