"""what guests tick on the menu page; and how long each account keeps messages and silent contacts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("carts", sa.Column("offers_text", sa.Text(), nullable=False, server_default=""))
    op.add_column("carts", sa.Column("offers_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "retention_rules",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("message_days", sa.BigInteger(), nullable=False),
        sa.Column("contact_days", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_retention_rules")),
    )


def downgrade() -> None:
    op.drop_table("retention_rules")
    op.drop_column("carts", "offers_at")
    op.drop_column("carts", "offers_text")
