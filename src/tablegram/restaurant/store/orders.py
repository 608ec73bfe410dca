"""Statements on orders, their history and the sequence of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, and_, bindparam, func, insert, or_, select, update

from tablegram.restaurant.orders.states import DEAD
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import order_events, order_sequences, orders, tabs

o, e, s = orders.c, order_events.c, order_sequences.c
_MINE = o.account_id == bindparam("b_account")
_ONE = and_(_MINE, o.order_id == bindparam("b_order"))

# What may change; the rest of an order is as it was placed.
CHANGING = (
    "state", "payment_state", "payment_method", "lines", "charges", "discounts", "total", "notes", "promised_at",
    "revision", "updated_at", "closed_at", "table_id", "table_label", "tab_id", "waiter", "customer_name", "address",
    "route_url", "contact_id",
)  # fmt: skip

INSERT = Query(insert(orders).values(columns(orders)))
GET = Query(select(orders).where(_ONE))
LOCK = Query(select(orders).where(_ONE).with_for_update())
BY_CART = Query(select(orders).where(_MINE, o.cart_code == bindparam("b_code")))
BY_MESSAGE = Query(select(orders).where(_MINE, o.message_key == bindparam("b_message")))
# A guest's link names the order alone; its signature is checked right after.
ANYWHERE = Query(
    across_accounts(select(orders).where(o.id == bindparam("b_id")).limit(1), "a guest opens the page of his order")
)
# Nobody has accepted them yet; how long they may wait, their venue says.
UNANSWERED = Query(
    across_accounts(
        select(o.account_id, o.venue_id, o.order_id, o.created_at)
        .where(o.state == "awaiting_confirmation", o.created_at <= bindparam("before"))
        .order_by(o.created_at)
        .limit(1_000),
        "the clock ends what nobody answered, whoever it belongs to",
    )
)
# The guest's last order at a table since then, as long as its tab is open.
AT_TABLE = Query(
    select(orders)
    .join(tabs, and_(tabs.c.account_id == o.account_id, tabs.c.id == o.tab_id))
    .where(
        _MINE,
        o.contact_id == bindparam("b_contact"),
        o.venue_id == bindparam("b_venue"),
        o.created_at > bindparam("since"),
        o.table_id.is_not(None),
        tabs.c.state == "open",
    )
    .order_by(o.id.desc())
    .limit(1)
)
# The delivery that is on its way to the guest, or will be.
TO_DELIVER = Query(
    select(orders)
    .where(
        _MINE,
        o.contact_id == bindparam("b_contact"),
        o.venue_id == bindparam("b_venue"),
        o.order_type == "delivery",
        o.closed_at.is_(None),
        o.created_at > bindparam("since"),
        o.state != "delivered",
    )
    .order_by(o.id.desc())
    .limit(1)
)
RUNNING = Query(
    select(orders).where(_MINE, o.venue_id == bindparam("b_venue"), o.closed_at.is_(None)).order_by(o.created_at, o.id)
)
OF_TAB = Query(select(orders).where(_MINE, o.tab_id == bindparam("b_tab")).order_by(o.created_at, o.id))
# More than a table orders in one evening.
MAX_SEEN = 100
# What the guests of a table see of it, the newest first.
SEEN_AT = Query(
    select(orders)
    .where(_MINE, o.tab_id == bindparam("b_tab"), o.state.not_in(sorted(DEAD)))
    .order_by(o.id.desc())
    .limit(MAX_SEEN)
)
# Whether anything of a tab is still to be brought or to be paid.
UNSETTLED = Query(
    select(o.id)
    .where(
        _MINE,
        o.tab_id == bindparam("b_tab"),
        o.closed_at.is_(None),
        or_(o.state != "served", o.payment_state.not_in(["paid", "refunded"])),
    )
    .limit(1)
)
UPDATE = Query(
    update(orders)
    .where(_MINE, o.id == bindparam("b_id"))
    .values({name: bindparam(f"new_{name}", type_=o[name].type) for name in CHANGING})
)

INSERT_EVENT = Query(insert(order_events).values(columns(order_events)))
_OF_ORDER = and_(e.account_id == bindparam("b_account"), e.order_key == bindparam("b_key"))
HISTORY = Query(select(order_events).where(_OF_ORDER).order_by(e.number))
LAST_EVENT = Query(select(func.max(e.number).label("n")).where(_OF_ORDER))

# One statement counts and tells: two that come at once get different numbers.
NEXT_NUMBER = Query(
    lambda dialect_insert: (
        dialect_insert(order_sequences)
        .values(
            account_id=bindparam("account_id", type_=s.account_id.type), day=bindparam("day", type_=s.day.type), last=1
        )
        .on_conflict_do_update(index_elements=["account_id", "day"], set_={"last": s.last + 1})
        .returning(s.last)
    )
)


def endings(account_id: int, keys: Sequence[str], events: Sequence[str]) -> Select[Any]:
    """What was said when these orders ended by one of the events."""
    wanted = and_(e.account_id == account_id, e.order_key.in_(keys), e.event.in_(events))
    return select(e.order_key, e.reason).where(wanted)


def page(
    account_id: int, *, before: str | None, most: int, venue_id: str | None = None, state: str | None = None,
    open_only: bool = False, order_type: str | None = None, contact_id: str | None = None, q: str | None = None,
    since_ms: int | None = None, until_ms: int | None = None,
) -> Select[Any]:  # fmt: skip
    """Newest first. `q` looks among numbers, names, phones and tables."""
    statement = select(orders).where(o.account_id == account_id).order_by(o.id.desc()).limit(most)
    exact = {"venue_id": venue_id, "state": state, "order_type": order_type, "contact_id": contact_id}
    for name, value in exact.items():
        if value is not None:
            statement = statement.where(o[name] == value)
    if open_only:
        statement = statement.where(o.closed_at.is_(None))
    if q is not None and q.strip():
        wanted = q.strip().lstrip("+")
        # Not every database knows small and large letters beyond English.
        ways = {wanted, wanted.lower(), wanted.upper(), wanted.title()}
        fields = (o.order_id, o.customer_name, o.customer_phone, o.table_label)
        spellings = [*fields, *(func.lower(field) for field in fields)]
        statement = statement.where(
            or_(*(field.contains(way, autoescape=True) for field in spellings for way in sorted(ways)))
        )
    if since_ms is not None:
        statement = statement.where(o.created_at >= since_ms)
    if until_ms is not None:
        statement = statement.where(o.created_at < until_ms)
    return statement if before is None else statement.where(o.id < before)
