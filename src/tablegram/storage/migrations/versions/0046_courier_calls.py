"""which courier knows that an order waits"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "courier_calls",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("order_key", sa.Text(), nullable=False),
        sa.Column("courier_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "order_key", "courier_id", name=op.f("pk_courier_calls")),
    )


def downgrade() -> None:
    op.drop_table("courier_calls")
