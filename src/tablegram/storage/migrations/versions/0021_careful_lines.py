"""lines: pairings that are told apart, a history of states, and what daily limits are counted from"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("epoch", "pair_until", "linked_at", "seen_at"):
        op.add_column("linked_lines", sa.Column(name, sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("instances", sa.Column("state_until", sa.BigInteger(), nullable=True))
    op.add_column("instances", sa.Column("paused_why", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.create_table(
        "line_states",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "instance_id", "id", name=op.f("pk_line_states")),
    )
    op.create_table(
        "line_sends",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("is_first", sa.SmallInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("account_id", "instance_id", "message_id", name=op.f("pk_line_sends")),
    )
    op.create_index("ix_line_sends_at", "line_sends", ["account_id", "instance_id", "at"])


def downgrade() -> None:
    op.drop_table("line_sends")
    op.drop_table("line_states")
    op.drop_column("instances", "paused_why")
    op.drop_column("instances", "state_until")
    for name in ("seen_at", "linked_at", "pair_until", "epoch"):
        op.drop_column("linked_lines", name)
