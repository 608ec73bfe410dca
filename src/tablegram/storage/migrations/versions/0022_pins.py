"""waiters are known at a shared tablet by four digits"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "waiter_pins",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("waiter_id", sa.Text(), nullable=False),
        sa.Column("pin_hash", sa.Text(), nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "waiter_id", name=op.f("pk_waiter_pins")),
        sa.UniqueConstraint(
            "account_id", "venue_id", "pin_hash", name=op.f("uq_waiter_pins_account_id_venue_id_pin_hash")
        ),
    )
    op.create_table(
        "tablet_turns",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("waiter_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "session_id", name=op.f("pk_tablet_turns")),
    )


def downgrade() -> None:
    op.drop_table("tablet_turns")
    op.drop_table("waiter_pins")
