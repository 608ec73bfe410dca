"""Bodies of API calls, for accounts that want to see them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("keeps_bodies", sa.SmallInteger(), server_default="0", nullable=False))
    op.create_table(
        "request_bodies",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_request_bodies")),
    )


def downgrade() -> None:
    op.drop_table("request_bodies")
    op.drop_column("accounts", "keeps_bodies")
