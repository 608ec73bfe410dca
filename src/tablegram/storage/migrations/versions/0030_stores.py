"""shops and forms, what they delivered, and their orders"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_OPEN = sa.text("attention <> '' and settled_at is null")


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _number(name: str, *, nullable: bool = False, default: str | None = None) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable, server_default=default)


def _flag(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.SmallInteger(), server_default="0", nullable=False)


def upgrade() -> None:
    op.create_table(
        "store_sources",
        _number("account_id"),
        *_text("id", "platform", "name", "hook_hash", "hook_sealed", "secret_sealed", "country", "currency", "mapping"),
        _number("instance_id", nullable=True),
        _flag("is_active"),
        _number("heard_at", nullable=True),
        _number("created_at"),
        _number("updated_at"),
        _number("removed_at", nullable=True),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_store_sources")),
    )
    op.create_index("uq_store_sources_hook", "store_sources", ["hook_hash"], unique=True)
    op.create_table(
        "store_deliveries",
        _number("account_id"),
        *_text("id", "source_id", "name", "topic", "headers"),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        _number("size"),
        *_text("state", "reason", "detail", "events", "reference", "number", "attention", "settled_by"),
        _number("settled_at", nullable=True),
        _flag("is_test"),
        _number("replays", default="0"),
        _number("received_at"),
        _number("worked_at"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_store_deliveries")),
        sa.UniqueConstraint(
            "account_id", "source_id", "name", name=op.f("uq_store_deliveries_account_id_source_id_name")
        ),
        sa.CheckConstraint("state in ('done', 'ignored', 'unreadable')", name=op.f("ck_store_deliveries_state")),
    )
    op.create_index("ix_store_deliveries_source", "store_deliveries", ["account_id", "source_id", "id"])
    op.create_index(
        "ix_store_deliveries_attention",
        "store_deliveries",
        ["account_id", "id"],
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    )
    op.create_index("ix_store_deliveries_old", "store_deliveries", ["received_at"])
    op.create_table(
        "store_orders",
        _number("account_id"),
        *_text("id", "source_id", "reference", "number", "checkout", "name", "email", "phone"),
        sa.Column("contact_id", sa.Text(), nullable=True),
        *_text("language"),
        _number("amount", nullable=True),
        *_text("currency", "kind", "status", "url", "goods", "tracking"),
        _number("at"),
        _number("created_at"),
        _number("updated_at"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_store_orders")),
        sa.UniqueConstraint(
            "account_id", "source_id", "reference", name=op.f("uq_store_orders_account_id_source_id_reference")
        ),
    )
    op.create_index("ix_store_orders_contact", "store_orders", ["account_id", "contact_id"])
    op.create_index("ix_store_orders_phone", "store_orders", ["account_id", "phone"])


def downgrade() -> None:
    op.drop_table("store_orders")
    op.drop_table("store_deliveries")
    op.drop_table("store_sources")
