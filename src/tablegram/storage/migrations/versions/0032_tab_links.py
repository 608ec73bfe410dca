"""money against a table's bill that came by a payment link"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tab_payments", sa.Column("reference", sa.Text(), nullable=True))
    op.create_index("ux_tab_payments_reference", "tab_payments", ["account_id", "reference"], unique=True)


def downgrade() -> None:
    op.drop_index("ux_tab_payments_reference", table_name="tab_payments")
    with op.batch_alter_table("tab_payments") as batch:
        batch.drop_column("reference")
