"""what each customer has ordered, counted; birthdays; and segments of contacts"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_PAGE = 2_000


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "customer_orders",
        _number("account_id"),
        _text("order_key"),
        _text("contact_id"),
        _number("at"),
        _text("venue_id"),
        _text("order_type"),
        _text("currency"),
        _number("amount"),
        _text("dishes"),
        _text("categories"),
        sa.PrimaryKeyConstraint("account_id", "order_key", name=op.f("pk_customer_orders")),
    )
    op.create_index("ix_customer_orders_contact", "customer_orders", ["account_id", "contact_id", "at"])
    op.create_index(
        "ix_customer_orders_time", "customer_orders", ["account_id", "at", "contact_id", "currency", "amount"]
    )
    op.create_table(
        "customer_figures",
        _number("account_id"),
        _text("contact_id"),
        _number("orders"),
        _number("first_at"),
        _number("last_at"),
        sa.PrimaryKeyConstraint("account_id", "contact_id", name=op.f("pk_customer_figures")),
    )
    op.create_table(
        "customer_tallies",
        _number("account_id"),
        _text("contact_id"),
        _text("kind"),
        _text("key"),
        _number("orders"),
        _number("quantity"),
        sa.Column("is_top", sa.SmallInteger(), nullable=False, server_default="0"),
        sa.CheckConstraint(
            "kind in ('item', 'category', 'venue', 'order_type', 'currency')", name=op.f("ck_customer_tallies_kind")
        ),
        sa.PrimaryKeyConstraint("account_id", "contact_id", "kind", "key", name=op.f("pk_customer_tallies")),
    )
    op.create_index(
        "ix_customer_tallies_key", "customer_tallies",
        ["account_id", "kind", "key", "is_top", "quantity", "contact_id"],
    )  # fmt: skip
    op.create_table(
        "segments",
        _number("account_id"),
        _text("id"),
        _text("name"),
        _text("name_key"),
        _text("rules"),
        _number("created_at"),
        _number("updated_at"),
        _text("updated_by"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_segments")),
        sa.UniqueConstraint("account_id", "name_key", name=op.f("uq_segments_account_id_name_key")),
    )
    op.add_column("contacts", sa.Column("birthday", sa.Text(), nullable=False, server_default=""))
    _count_orders()


def downgrade() -> None:
    op.drop_column("contacts", "birthday")
    for name in ("segments", "customer_tallies", "customer_figures", "customer_orders"):
        op.drop_table(name)


def _table(name: str, texts: str, numbers: str) -> sa.TableClause:
    return sa.table(
        name,
        *(sa.column(one, sa.Text()) for one in texts.split()),
        *(sa.column(one, sa.BigInteger()) for one in numbers.split()),
    )


_orders = _table(
    "orders",
    "id contact_id venue_id order_type state payment_state lines currency",
    "account_id total created_at",
)
_payments = _table("order_payments", "order_key kind state", "account_id amount")
_items = _table("menu_items", "id category_id", "account_id")
_counted = _table(
    "customer_orders", "order_key contact_id venue_id order_type currency dishes categories", "account_id at amount"
)
_figures = _table("customer_figures", "contact_id", "account_id orders first_at last_at")
_tallies = _table("customer_tallies", "contact_id kind key", "account_id orders quantity is_top")


def _count_orders() -> None:
    """The orders that are there, customer by customer; the product does the same with each that changes."""
    bind = op.get_bind()
    category = {(row[0], row[1]): row[2] for row in bind.execute(
        sa.select(_items.c.account_id, _items.c.id, _items.c.category_id)
    )}  # fmt: skip
    facts, figures, tallies = [], [], []
    for _, orders in groupby(_each(), key=lambda order: (order["account_id"], order["contact_id"])):
        counted = [_fact(order, category) for order in orders]
        facts += counted
        figures.append(_figure(counted))
        tallies += _tally(counted)
        if len(facts) >= _PAGE:
            _write(facts, figures, tallies)
            facts, figures, tallies = [], [], []
    _write(facts, figures, tallies)


def _write(facts: list[Any], figures: list[Any], tallies: list[Any]) -> None:
    for table, rows in ((_counted, facts), (_figures, figures), (_tallies, tallies)):
        if rows:
            op.get_bind().execute(sa.insert(table), rows)


def _each() -> Iterator[Any]:
    o, p = _orders.c, _payments.c
    back = (
        sa.select(sa.func.coalesce(sa.func.sum(p.amount), 0))
        .where(p.account_id == o.account_id, p.order_key == o.id, p.kind == "refund", p.state == "succeeded")
        .correlate(_orders)
        .scalar_subquery()
    )
    unheard = ("awaiting_confirmation", "awaiting_payment", "cancelled", "rejected", "expired")
    wanted = (
        sa.select(_orders, back.label("back"))
        .where(o.contact_id.is_not(None), o.state.not_in(unheard), o.payment_state != "refunded")
        .order_by(o.account_id, o.contact_id, o.id)
        .limit(_PAGE)
    )
    place = sa.tuple_(o.account_id, o.contact_id, o.id)
    last: tuple[Any, ...] | None = None
    while True:
        page = wanted if last is None else wanted.where(place > sa.tuple_(*(sa.literal(one) for one in last)))
        rows = op.get_bind().execute(page).mappings().all()
        yield from rows
        if len(rows) < _PAGE:
            return
        last = (rows[-1]["account_id"], rows[-1]["contact_id"], rows[-1]["id"])


def _fact(order: Any, category: dict[tuple[int, str], str]) -> dict[str, Any]:
    dishes: Counter[str] = Counter()
    for line in json.loads(order["lines"]):
        dishes[line["item_id"]] += line["quantity"]
    categories: Counter[str] = Counter()
    for item, many in dishes.items():
        if found := category.get((order["account_id"], item)):
            categories[found] += many
    same = ("account_id", "contact_id", "venue_id", "order_type", "currency")
    return {
        **{name: order[name] for name in same},
        "order_key": order["id"],
        "at": order["created_at"],
        "amount": max(0, order["total"] - int(order["back"])),
        "dishes": _json(dishes),
        "categories": _json(categories),
    }


def _json(counts: Counter[str]) -> str:
    return json.dumps(dict(sorted(counts.items())), ensure_ascii=False, separators=(",", ":"))


def _figure(facts: list[dict[str, Any]]) -> dict[str, Any]:
    times = [fact["at"] for fact in facts]
    who = {name: facts[0][name] for name in ("account_id", "contact_id")}
    return {**who, "orders": len(facts), "first_at": min(times), "last_at": max(times)}


def _tally(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    orders: Counter[tuple[str, str]] = Counter()
    quantity: Counter[tuple[str, str]] = Counter()
    for fact in facts:
        parts = [("item", key, many) for key, many in json.loads(fact["dishes"]).items()]
        parts += [("category", key, many) for key, many in json.loads(fact["categories"]).items()]
        parts += [("venue", fact["venue_id"], 1), ("order_type", fact["order_type"], 1)]
        parts += [("currency", fact["currency"], fact["amount"])]
        for kind, key, many in parts:
            orders[kind, key] += 1
            quantity[kind, key] += many
    most: dict[str, int] = {}
    for (kind, _), many in quantity.items():
        most[kind] = max(most.get(kind, 0), many)
    who = {name: facts[0][name] for name in ("account_id", "contact_id")}
    return [
        {
            **who, "kind": kind, "key": key, "orders": times, "quantity": quantity[kind, key],
            "is_top": int(kind != "currency" and quantity[kind, key] == most[kind]),
        }
        for (kind, key), times in orders.items()
    ]  # fmt: skip
