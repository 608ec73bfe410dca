"""Statements on what customers have ordered."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, and_, bindparam, case, delete, func, literal, select, update

from tablegram.restaurant.figures.rows import CategoryOf, CountedRow, DishRow, FiguresRow, LastDishes, SummedFigures
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import customer_figures, customer_orders, customer_tallies, menu_items

k, f, t, m = customer_orders.c, customer_figures.c, customer_tallies.c, menu_items.c
_ORDER = and_(k.account_id == bindparam("b_account"), k.order_key == bindparam("b_key"))
_ORDERS = and_(k.account_id == bindparam("b_account"), k.contact_id == bindparam("b_contact"))
_FIGURES = and_(f.account_id == bindparam("b_account"), f.contact_id == bindparam("b_contact"))
_TALLIES = and_(t.account_id == bindparam("b_account"), t.contact_id == bindparam("b_contact"))

COUNTED = Query(select(customer_orders).where(_ORDER), row=CountedRow)
KEEP = Query(
    lambda dialect_insert: (
        new := dialect_insert(customer_orders).values(columns(customer_orders))
    ).on_conflict_do_update(
        index_elements=["account_id", "order_key"],
        set_={name: new.excluded[name] for name in columns(customer_orders) if name not in ("account_id", "order_key")},
    )
)
DROP = Query(delete(customer_orders).where(_ORDER))
CATEGORY = Query(
    select(m.id, m.category_id).where(m.account_id == bindparam("b_account"), m.id == bindparam("b_id")),
    row=CategoryOf,
    bulk=True,
)

# The row is there afterwards, and ours until the transaction ends.
HOLD = Query(
    lambda dialect_insert: (
        dialect_insert(customer_figures)
        .values(
            account_id=bindparam("b_account", type_=f.account_id.type),
            contact_id=bindparam("b_contact", type_=f.contact_id.type),
            orders=0,
            first_at=0,
            last_at=0,
        )
        .on_conflict_do_update(index_elements=["account_id", "contact_id"], set_={"orders": f.orders})
    )
)
SUMMED = Query(
    select(func.count().label("n"), func.min(k.at).label("first_at"), func.max(k.at).label("last_at")).where(_ORDERS),
    row=SummedFigures,
)
FIGURES = Query(
    update(customer_figures)
    .where(_FIGURES)
    .values({name: bindparam(f"new_{name}", type_=f[name].type) for name in ("orders", "first_at", "last_at")})
)
NO_FIGURES = Query(delete(customer_figures).where(_FIGURES))
# The dishes of the last order; two that were placed in the same millisecond are both the last.
LAST_DISHES = Query(
    select(k.contact_id, k.order_key, k.dishes)
    .join_from(
        customer_orders,
        customer_figures,
        and_(f.account_id == k.account_id, f.contact_id == k.contact_id, f.last_at == k.at),
    )
    .where(_ORDERS),
    row=LastDishes,
    bulk=True,
)
DISH = Query(
    select(m.id, m.name, m.translations).where(
        m.account_id == bindparam("b_account"), m.id == bindparam("b_id"), m.is_hidden == literal(0)
    ),
    row=DishRow,
    bulk=True,
)
OF_CONTACT = Query(select(customer_figures).where(_FIGURES), row=FiguresRow, bulk=True)

_SUMS = ["account_id", "contact_id", "kind", "key"]
TALLY = Query(
    lambda dialect_insert: (
        new := dialect_insert(customer_tallies).values(columns(customer_tallies))
    ).on_conflict_do_update(
        index_elements=_SUMS,
        set_={"orders": t.orders + new.excluded.orders, "quantity": t.quantity + new.excluded.quantity},
    )
)
EMPTY_TALLIES = Query(delete(customer_tallies).where(_TALLIES, t.orders <= 0))
NO_TALLIES = Query(delete(customer_tallies).where(_TALLIES))
_other = customer_tallies.alias("other")
_most = (
    select(func.max(_other.c.quantity))
    .where(
        _other.c.account_id == bindparam("b_account"),
        _other.c.account_id == t.account_id,
        _other.c.contact_id == bindparam("b_contact"),
        _other.c.kind == t.kind,
    )
    .correlate(customer_tallies)
    .scalar_subquery()
)
_is_top = case((t.quantity == _most, 1), else_=0)
TOP = Query(update(customer_tallies).where(_TALLIES, t.kind != "currency", t.is_top != _is_top).values(is_top=_is_top))

# Two customers turned out to be one.
MOVE_ORDERS = Query(
    update(customer_orders).where(_ORDERS).values(contact_id=bindparam("target", type_=f.contact_id.type))
)


def _moved() -> Select[Any]:
    target = bindparam("target", type_=t.contact_id.type)
    return select(t.account_id, target, t.kind, t.key, t.orders, t.quantity, literal(0)).where(_TALLIES)


MOVE_TALLIES = Query(
    lambda dialect_insert: (
        new := dialect_insert(customer_tallies).from_select([*_SUMS, "orders", "quantity", "is_top"], _moved())
    ).on_conflict_do_update(
        index_elements=_SUMS,
        set_={"orders": t.orders + new.excluded.orders, "quantity": t.quantity + new.excluded.quantity},
    )
)
