"""payments: accesses to providers, links, refunds, the ledger, and what providers told"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str, default: str | None = None) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default=default, nullable=False)


def _maybe(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=True)


def upgrade() -> None:
    _payment_providers()
    _payment_links()
    _payment_refunds()
    _payment_movements()
    _payment_signals()


def _payment_providers() -> None:
    op.create_table(
        "payment_providers",
        _number("account_id"),
        _text("id"),
        _text("provider"),
        _text("mode"),
        _text("hook_hash"),
        _text("hook_sealed"),
        _text("keys_sealed"),
        sa.Column("is_default", sa.SmallInteger(), server_default="0", nullable=False),
        _maybe("checked_at"),
        _maybe("heard_at"),
        _number("created_at"),
        _number("updated_at"),
        _maybe("removed_at"),
        sa.CheckConstraint("mode in ('test', 'live')", name=op.f("ck_payment_providers_mode")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_providers")),
    )
    where = sa.text("is_default = 1 and removed_at is null")
    op.create_index(
        "uq_payment_providers_default",
        "payment_providers",
        ["account_id"],
        unique=True,
        sqlite_where=where,
        postgresql_where=where,
    )
    op.create_index("uq_payment_providers_hook", "payment_providers", ["hook_hash"], unique=True)


def _payment_links() -> None:
    op.create_table(
        "payment_links",
        _number("account_id"),
        _text("id"),
        _text("provider_id"),
        _text("mode"),
        _number("amount"),
        _text("currency"),
        _text("description"),
        _text("items"),
        _text("language"),
        _text("subject_kind"),
        _text("subject_key"),
        sa.Column("venue_id", sa.Text(), nullable=True),
        sa.Column("contact_id", sa.Text(), nullable=True),
        _text("phone"),
        _text("state"),
        sa.Column("reference", sa.Text(), nullable=True),
        _text("payment_reference"),
        _text("url"),
        _number("expires_at"),
        _maybe("ask_at"),
        _number("asked", "0"),
        _number("received", "0"),
        _text("received_currency"),
        _number("refunded", "0"),
        _maybe("paid_at"),
        _text("failure"),
        _text("attention"),
        _maybe("attention_at"),
        _text("settled_by"),
        _maybe("settled_at"),
        _text("made_by"),
        _number("created_at"),
        _number("updated_at"),
        _maybe("ended_at"),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payment_links_amount")),
        sa.CheckConstraint(
            "state in ('making', 'open', 'paid', 'expired', 'cancelled', 'failed')", name=op.f("ck_payment_links_state")
        ),
        sa.CheckConstraint("refunded between 0 and received", name=op.f("ck_payment_links_refunded")),
        sa.CheckConstraint("subject_kind in ('', 'order', 'tab')", name=op.f("ck_payment_links_subject_kind")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_links")),
        sa.UniqueConstraint(
            "account_id", "provider_id", "reference", name=op.f("uq_payment_links_account_id_provider_id_reference")
        ),
    )
    where = sa.text("attention <> '' and settled_at is null")
    op.create_index(
        "ix_payment_links_attention",
        "payment_links",
        ["account_id", "id"],
        unique=False,
        sqlite_where=where,
        postgresql_where=where,
    )
    op.create_index("ix_payment_links_contact", "payment_links", ["account_id", "contact_id"], unique=False)
    where = sa.text("ask_at is not null")
    op.create_index(
        "ix_payment_links_due", "payment_links", ["ask_at"], unique=False, sqlite_where=where, postgresql_where=where
    )
    op.create_index("ix_payment_links_old", "payment_links", ["created_at"], unique=False)
    op.create_index(
        "ix_payment_links_subject", "payment_links", ["account_id", "subject_kind", "subject_key"], unique=False
    )


def _payment_refunds() -> None:
    op.create_table(
        "payment_refunds",
        _number("account_id"),
        _text("id"),
        _text("link_id"),
        _number("amount"),
        _text("currency"),
        _text("lines"),
        _text("reason"),
        _text("made_by"),
        _text("state"),
        _text("reference"),
        _text("failure"),
        _maybe("due_at"),
        _number("attempts", "0"),
        _number("created_at"),
        _maybe("ended_at"),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payment_refunds_amount")),
        sa.CheckConstraint("state in ('asked', 'succeeded', 'failed')", name=op.f("ck_payment_refunds_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_refunds")),
    )
    where = sa.text("due_at is not null")
    op.create_index(
        "ix_payment_refunds_due",
        "payment_refunds",
        ["due_at"],
        unique=False,
        sqlite_where=where,
        postgresql_where=where,
    )
    op.create_index("ix_payment_refunds_link", "payment_refunds", ["account_id", "link_id"], unique=False)


def _payment_movements() -> None:
    op.create_table(
        "payment_movements",
        _number("account_id"),
        _text("id"),
        _text("link_id"),
        _text("kind"),
        _number("amount"),
        _text("currency"),
        _text("external"),
        _number("created_at"),
        sa.CheckConstraint(
            "(kind = 'payment' and amount > 0) or (kind = 'refund' and amount < 0)",
            name=op.f("ck_payment_movements_amount"),
        ),
        sa.CheckConstraint("kind in ('payment', 'refund')", name=op.f("ck_payment_movements_kind")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_movements")),
        sa.UniqueConstraint(
            "account_id",
            "link_id",
            "kind",
            "external",
            name=op.f("uq_payment_movements_account_id_link_id_kind_external"),
        ),
    )


def _payment_signals() -> None:
    op.create_table(
        "payment_signals",
        _number("account_id"),
        _text("provider_id"),
        _text("id"),
        _text("signal"),
        _text("link_id"),
        _text("reference"),
        _text("state"),
        _number("received_at"),
        _text("settled_by"),
        _maybe("settled_at"),
        sa.CheckConstraint("state in ('waiting', 'applied', 'unknown')", name=op.f("ck_payment_signals_state")),
        sa.PrimaryKeyConstraint("account_id", "provider_id", "id", name=op.f("pk_payment_signals")),
    )
    op.create_index("ix_payment_signals_old", "payment_signals", ["received_at"], unique=False)
    where = sa.text("state = 'unknown' and settled_at is null")
    op.create_index(
        "ix_payment_signals_unknown",
        "payment_signals",
        ["account_id", "received_at"],
        unique=False,
        sqlite_where=where,
        postgresql_where=where,
    )
    where = sa.text("state = 'waiting'")
    op.create_index(
        "ix_payment_signals_waiting",
        "payment_signals",
        ["received_at"],
        unique=False,
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    op.drop_table("payment_signals")
    op.drop_table("payment_movements")
    op.drop_table("payment_refunds")
    op.drop_table("payment_links")
    op.drop_table("payment_providers")
