"""words that customers are asked with, links to what is held of a person, and the ledger of consent by its time"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "consent_texts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "language", "version", name=op.f("pk_consent_texts")),
    )
    op.create_table(
        "data_links",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("key_hash", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_data_links")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_data_links_key_hash")),
    )
    op.create_index("ix_data_links_contact", "data_links", ["account_id", "contact_id", "created_at"])
    op.create_index("ix_data_links_expires", "data_links", ["expires_at"])
    op.create_index("ix_consents_at", "consents", ["account_id", "at", "id"])


def downgrade() -> None:
    op.drop_index("ix_consents_at", table_name="consents")
    op.drop_index("ix_data_links_expires", table_name="data_links")
    op.drop_index("ix_data_links_contact", table_name="data_links")
    op.drop_table("data_links")
    op.drop_table("consent_texts")
