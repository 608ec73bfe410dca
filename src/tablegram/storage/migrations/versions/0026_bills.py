"""payments of a table's bill, and discounts"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tab_payments",
        *_texts("id", "venue_id", "tab_id", "kind"),
        sa.Column("of", sa.Text(), nullable=True),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("tip", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("given", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("parts", sa.BigInteger(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind in ('payment', 'refund')", name=op.f("ck_tab_payments_kind")),
        sa.CheckConstraint("method in ('cash', 'card', 'online')", name=op.f("ck_tab_payments_method")),
        sa.CheckConstraint("amount >= 0 and tip >= 0", name=op.f("ck_tab_payments_amount")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tab_payments")),
        sa.UniqueConstraint("account_id", "of", name=op.f("uq_tab_payments_account_id_of")),
    )
    op.create_index("ix_tab_payments_tab", "tab_payments", ["account_id", "tab_id", "created_at"])
    op.create_index("ix_tab_payments_time", "tab_payments", ["account_id", "venue_id", "created_at"])
    op.create_table(
        "tab_discounts",
        *_texts("id", "venue_id", "tab_id"),
        sa.Column("order_key", sa.Text(), nullable=True),
        sa.Column("line", sa.BigInteger(), nullable=True),
        sa.Column("percent", sa.BigInteger(), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=True),
        sa.Column("removed_by", sa.Text(), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_tab_discounts_amount")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tab_discounts")),
    )
    op.create_index("ix_tab_discounts_tab", "tab_discounts", ["account_id", "tab_id"])
    op.create_index("ix_tab_discounts_time", "tab_discounts", ["account_id", "venue_id", "created_at"])
    op.add_column("order_payments", sa.Column("tab_payment_id", sa.Text(), nullable=True))
    op.create_index("ix_order_payments_time", "order_payments", ["account_id", "settled_at"])
    for name, table, column in (
        ("ix_order_payments_tab", "order_payments", "tab_payment_id"),
        ("ix_orders_tab", "orders", "tab_id"),
    ):
        there = sa.text(f"{column} is not null")
        op.create_index(name, table, ["account_id", column], sqlite_where=there, postgresql_where=there)
    op.add_column("tabs", sa.Column("closed_by", sa.Text(), nullable=True))
    op.add_column("tabs", sa.Column("close_reason", sa.Text(), nullable=True))
    op.create_index("ix_tabs_venue", "tabs", ["account_id", "venue_id", "opened_at"])
    op.add_column("waiter_calls", sa.Column("method", sa.Text(), nullable=True))
    op.add_column("waiter_calls", sa.Column("amount", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("waiter_calls", "amount")
    op.drop_column("waiter_calls", "method")
    op.drop_index("ix_tabs_venue", "tabs")
    op.drop_column("tabs", "close_reason")
    op.drop_column("tabs", "closed_by")
    op.drop_index("ix_orders_tab", "orders")
    op.drop_index("ix_order_payments_tab", "order_payments")
    op.drop_index("ix_order_payments_time", "order_payments")
    op.drop_column("order_payments", "tab_payment_id")
    for name in ("tab_discounts", "tab_payments"):
        op.drop_table(name)


def _texts(*names: str) -> list[sa.Column[Any]]:
    first: sa.Column[Any] = sa.Column("account_id", sa.BigInteger(), nullable=False)
    return [first, *(sa.Column(name, sa.Text(), nullable=False) for name in names)]
