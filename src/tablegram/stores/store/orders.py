"""Statements on orders of shops."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, bindparam, or_, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.tables import store_orders
from tablegram.stores.rows import OrderRow, WithId

o = store_orders.c
_MINE = o.account_id == bindparam("b_account")
_ONE = and_(_MINE, o.id == bindparam("b_id"))

CHANGING = (
    "number",
    "checkout",
    "name",
    "email",
    "phone",
    "contact_id",
    "language",
    "amount",
    "currency",
    "kind",
    "status",
    "url",
    "goods",
    "tracking",
    "at",
    "updated_at",
)

# Two processes that hear of an order at once make it once; each then locks it.
INSERT = Query(
    lambda dialect_insert: (
        dialect_insert(store_orders)
        .values(columns(store_orders))
        .on_conflict_do_nothing(index_elements=["account_id", "source_id", "reference"])
        .returning(o.id)
    ),
    row=WithId,
)
GET = Query(select(store_orders).where(_ONE), row=OrderRow)
_NAMED = and_(_MINE, o.source_id == bindparam("b_source"), o.reference == bindparam("b_reference"))
LOCK = Query(select(store_orders).where(_NAMED).with_for_update(), row=OrderRow)
UPDATE = Query(
    update(store_orders).where(_ONE).values({name: bindparam(f"new_{name}", type_=o[name].type) for name in CHANGING})
)
OF_CONTACT = Query(
    select(store_orders).where(_MINE, o.contact_id == bindparam("b_contact")).order_by(o.id.desc()).limit(200),
    row=OrderRow,
)
OF_PHONE = Query(select(store_orders).where(_MINE, o.phone == bindparam("b_phone")), row=OrderRow)
MOVE = Query(
    update(store_orders).where(_MINE, o.contact_id == bindparam("b_gone")).values(contact_id=bindparam("b_kept"))
)
FORGET = Query(
    update(store_orders)
    .where(_ONE)
    .values(name="", email="", phone="", contact_id=None, url="", tracking="null", checkout="")
)


def page(
    account_id: int, *, source_id: str | None, contact_id: str | None, query: str, before: str | None, most: int
) -> Query[OrderRow]:
    """Newest first. `query` is a number or a reference, or the beginning of one."""
    found = select(store_orders).where(o.account_id == account_id)
    key: ColumnElement[str] = o.id
    if source_id:
        found = found.where((told_apart(o.source_id) if contact_id else o.source_id) == source_id)
    if contact_id:
        # A contact has few: all else is told apart among them.
        key = told_apart(o.id)
        found = found.where(o.contact_id == contact_id)
    if query:
        found = found.where(
            or_(
                o.number.startswith(query, autoescape=True),
                o.number.startswith("#" + query, autoescape=True),
                o.reference.startswith(query, autoescape=True),
                o.phone == query,
            )
        )
    if before:
        found = found.where(key < before)
    return Query(found.order_by(key.desc()).limit(most), row=OrderRow)
