"""a page of the menu learns by a message whose phone it is on"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "loyalty_proofs",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "code", name=op.f("pk_loyalty_proofs")),
    )
    op.create_index("ix_loyalty_proofs_expiry", "loyalty_proofs", ["expires_at"])
    op.create_index("ix_loyalty_proofs_contact", "loyalty_proofs", ["account_id", "contact_id"])


def downgrade() -> None:
    op.drop_table("loyalty_proofs")
