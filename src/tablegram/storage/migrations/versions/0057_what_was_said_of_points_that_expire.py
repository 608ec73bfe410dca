"""a template for guests who have not written for a day, and what became of each warning before points expire"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("loyalty_programmes", sa.Column("warn_template", sa.Text(), nullable=True))
    op.create_table(
        "loyalty_warnings",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id"),
    )
    op.create_index("ix_loyalty_warnings_contact", "loyalty_warnings", ["account_id", "contact_id", "created_at"])


def downgrade() -> None:
    op.drop_table("loyalty_warnings")
    op.drop_column("loyalty_programmes", "warn_template")
