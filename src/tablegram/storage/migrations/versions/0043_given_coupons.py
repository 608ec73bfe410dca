"""a coupon that somebody is given says what for, once"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("loyalty_coupons", sa.Column("cause", sa.Text(), nullable=True))
    op.create_index("uq_loyalty_coupons_cause", "loyalty_coupons", ["account_id", "cause"], unique=True)


def downgrade() -> None:
    op.drop_index("uq_loyalty_coupons_cause", "loyalty_coupons")
    op.drop_column("loyalty_coupons", "cause")
