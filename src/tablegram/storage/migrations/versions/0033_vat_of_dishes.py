"""the rate of value added tax of a dish"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("menu_items", sa.Column("vat", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("menu_items") as batch:
        batch.drop_column("vat")
