"""when a word was last said, so that it goes with the messages that it is from"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("contact_terms", sa.Column("said_at", sa.BigInteger(), nullable=True))
    # When a word of before was said is not known: it counts from now.
    terms = sa.table("contact_terms", sa.column("source", sa.Text()), sa.column("said_at", sa.BigInteger()))
    op.execute(terms.update().where(terms.c.source == "said").values(said_at=int(time.time() * 1_000)))
    where = sa.text("source = 'said'")
    op.create_index(
        "ix_contact_terms_said", "contact_terms", ["account_id", "said_at"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    op.drop_index("ix_contact_terms_said", "contact_terms")
    op.drop_column("contact_terms", "said_at")
