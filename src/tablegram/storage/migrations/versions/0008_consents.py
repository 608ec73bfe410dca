"""what customers said about being written to is a ledger"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "consents",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("text_version", sa.Text(), nullable=False),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("purpose in ('orders', 'marketing')", name=op.f("ck_consents_purpose")),
        sa.CheckConstraint("state in ('granted', 'denied', 'unknown')", name=op.f("ck_consents_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_consents")),
    )
    op.create_index("ix_consents_contact", "consents", ["account_id", "contact_id", "at"])
    contacts = sa.table(
        "contacts",
        *(sa.column(name) for name in ("account_id", "id", "consent", "consent_source")),
        *(sa.column(name, sa.BigInteger()) for name in ("consent_at", "first_seen_at")),
    )
    names = ["account_id", "id", "contact_id", "purpose", "state", "source", "text_version", "proof", "by", "at"]
    c, nothing = contacts.c, sa.literal("")
    # What is known of each contact is the first row of its ledger.
    known = sa.select(
        c.account_id, c.id + sa.literal("-1"), c.id, sa.literal("marketing"), c.consent, c.consent_source, nothing,
        nothing, nothing, sa.func.coalesce(c.consent_at, c.first_seen_at),
    ).where(sa.or_(c.consent_at.is_not(None), c.consent != "unknown"))  # fmt: skip
    consents = sa.table("consents", *(sa.column(name) for name in names))
    op.execute(sa.insert(consents).from_select(names, known))


def downgrade() -> None:
    op.drop_table("consents")
