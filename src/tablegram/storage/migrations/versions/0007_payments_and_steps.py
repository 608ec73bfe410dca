"""payments of orders are rows, and an order's history keeps what was before"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("order_events", sa.Column("step", sa.Text(), nullable=True))
    op.create_table(
        "order_payments",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("order_key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("amount >= 0", name=op.f("ck_order_payments_amount")),
        sa.CheckConstraint("kind in ('payment', 'refund')", name=op.f("ck_order_payments_kind")),
        sa.CheckConstraint(
            "state in ('asked', 'succeeded', 'failed', 'dropped')", name=op.f("ck_order_payments_state")
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_order_payments")),
        sa.UniqueConstraint("account_id", "reference", name=op.f("uq_order_payments_account_id_reference")),
    )
    op.create_index("ix_order_payments_order", "order_payments", ["account_id", "order_key", "created_at"])
    _bring_over("payment", "pay", ("paid", "refunded"), "succeeded")
    _bring_over("payment", "send_link", ("link_sent",), "asked")
    _bring_over("payment", "fail_payment", ("failed",), "failed")
    _bring_over("refund", "refund", ("refunded",), "succeeded")


def downgrade() -> None:
    op.drop_table("order_payments")
    op.drop_column("order_events", "step")


_orders = sa.table(
    "orders",
    *(sa.column(name) for name in ("account_id", "id", "payment_method", "payment_state", "currency")),
    *(sa.column(name, sa.BigInteger()) for name in ("total", "updated_at")),
)
_events = sa.table(
    "order_events",
    *(sa.column(name) for name in ("account_id", "order_key", "event", "by")),
    *(sa.column(name, sa.BigInteger()) for name in ("number", "at")),
)
_payments = sa.table(
    "order_payments",
    *(sa.column(name) for name in (
        "account_id", "id", "order_key", "kind", "method", "amount", "currency", "state", "by", "created_at",
        "settled_at",
    )),
)  # fmt: skip


def _bring_over(kind: str, event: str, states: tuple[str, ...], state: str) -> None:
    """One payment for each order that is in one of these states, by whom and when its history tells."""
    o, e = _orders.c, _events.c
    last = (
        sa.select(e.order_key, e.account_id, sa.func.max(e.number).label("number"))
        .where(e.event == event)
        .group_by(e.account_id, e.order_key)
        .subquery()
    )
    told = sa.and_(e.account_id == last.c.account_id, e.order_key == last.c.order_key, e.number == last.c.number)
    who = sa.select(e.account_id, e.order_key, e.by, e.at).join(last, told).subquery()
    at = sa.func.coalesce(who.c.at, o.updated_at)
    rows = (
        sa.select(
            o.account_id, o.id + sa.literal(f"-{kind}"), o.id, sa.literal(kind), o.payment_method, o.total, o.currency,
            sa.literal(state), sa.func.coalesce(who.c.by, ""), at, sa.null() if state == "asked" else at,
        )
        .select_from(_orders)
        .outerjoin(who, sa.and_(who.c.account_id == o.account_id, who.c.order_key == o.id))
        .where(o.payment_state.in_(states))
    )  # fmt: skip
    op.execute(sa.insert(_payments).from_select([column.name for column in _payments.columns], rows))
