"""Statements on orders, their history and the sequence of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict, get_args

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    and_,
    bindparam,
    case,
    cast,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from tablegram.restaurant.orders.states import CLOSED, DEAD, State
from tablegram.restaurant.rows.orders import (
    EndingRow,
    HistoryRow,
    LastEvent,
    LastNumber,
    LateOrder,
    ListSum,
    OrderKey,
    OrderRow,
)
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import order_events, order_sequences, orders, tabs
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import first_id

o, e, s = orders.c, order_events.c, order_sequences.c
_MINE = o.account_id == bindparam("b_account")
_ONE = and_(_MINE, o.order_id == bindparam("b_order"))
# Who writes is known as a contact, or by the number that a waiter typed; what a visitor typed proves nothing.
_GUESTS = or_(
    o.contact_id == bindparam("b_contact"),
    and_(
        o.contact_id.is_(None),
        o.cart_code.is_(None),
        o.customer_phone == bindparam("b_phone"),
        o.customer_phone != "",
    ),
)

# What may change; the rest of an order is as it was placed.
CHANGING = (
    "state", "payment_state", "payment_method", "lines", "charges", "discounts", "total", "notes", "promised_at",
    "revision", "updated_at", "closed_at", "table_id", "table_label", "tab_id", "waiter", "customer_name", "address",
    "route_url", "destination", "contact_id",
)  # fmt: skip

INSERT = Query(insert(orders).values(columns(orders)))
GET = Query(select(orders).where(_ONE), row=OrderRow)
LOCK = Query(select(orders).where(_ONE).with_for_update(), row=OrderRow)
KEY = Query(select(o.id).where(_ONE), row=OrderKey, bulk=True)
BY_KEY = Query(select(orders).where(_MINE, o.id == bindparam("b_id")), row=OrderRow)
BY_CART = Query(select(orders).where(_MINE, o.cart_code == bindparam("b_code")), row=OrderRow)
BY_MESSAGE = Query(select(orders).where(_MINE, o.message_key == bindparam("b_message")), row=OrderRow)
# A guest's link names the order alone; its signature is checked right after.
ANYWHERE = Query(
    across_accounts(select(orders).where(o.id == bindparam("b_id")).limit(1), "a guest opens the page of their order"),
    row=OrderRow,
)
# Nobody has accepted them yet; how long they may wait, their venue says.
UNANSWERED = Query(
    across_accounts(
        select(o.account_id, o.venue_id, o.order_id, o.created_at)
        .where(o.state == "awaiting_confirmation", o.created_at <= bindparam("before"))
        .order_by(o.created_at)
        .limit(1_000),
        "the clock ends what nobody answered, whoever it belongs to",
    ),
    row=LateOrder,
)
# Their links ran out, and nobody asked for another.
UNPAID = Query(
    across_accounts(
        select(o.account_id, o.venue_id, o.order_id, o.created_at)
        .where(
            # Written out, as in the index.
            o.state == literal_column("'awaiting_payment'"),
            o.payment_state == "failed",
            o.updated_at <= bindparam("before"),
        )
        .order_by(o.updated_at)
        .limit(1_000),
        "the clock ends what nobody paid, whoever it belongs to",
    ),
    row=LateOrder,
)
# The guest's last order at a table since then, as long as its tab is open.
AT_TABLE = Query(
    select(orders)
    .join(tabs, and_(tabs.c.account_id == o.account_id, tabs.c.id == o.tab_id))
    .where(
        _MINE,
        _GUESTS,
        o.venue_id == bindparam("b_venue"),
        o.created_at > bindparam("since"),
        o.table_id.is_not(None),
        tabs.c.state == "open",
    )
    .order_by(o.id.desc())
    .limit(1),
    row=OrderRow,
)
# The delivery that is on its way to the guest, or will be.
TO_DELIVER = Query(
    select(orders)
    .where(
        _MINE,
        _GUESTS,
        o.venue_id == bindparam("b_venue"),
        o.order_type == "delivery",
        o.closed_at.is_(None),
        o.created_at > bindparam("since"),
        o.state != "delivered",
    )
    .order_by(o.id.desc())
    .limit(1),
    row=OrderRow,
)
# The guest's newest order since then; whoever wants something of it may mean no older one.
NEWEST = Query(
    select(orders)
    .where(
        _MINE,
        _GUESTS,
        o.venue_id == bindparam("b_venue"),
        o.created_at > bindparam("since"),
        o.state.not_in(sorted(DEAD)),
    )
    .order_by(o.id.desc())
    .limit(1),
    row=OrderRow,
)
# What still comes to a guest, the newest first.
OPEN_OF_GUEST = Query(
    select(orders)
    .where(
        _MINE,
        _GUESTS,
        o.venue_id == bindparam("b_venue"),
        o.created_at > bindparam("since"),
        o.state.not_in(sorted(CLOSED)),
    )
    .order_by(o.id.desc())
    .limit(20),
    row=OrderRow,
)
# Whether a guest has had an order here that went well.
FINISHED = Query(
    select(o.id)
    .where(
        _MINE,
        o.contact_id == bindparam("b_contact"),
        o.venue_id == bindparam("b_venue"),
        o.state == "completed",
    )
    .limit(1),
    row=OrderKey,
)
# Whether a guest has had another order that went well, wherever.
FINISHED_BESIDE = Query(
    select(o.id)
    .where(_MINE, o.contact_id == bindparam("b_contact"), o.state == "completed", o.id != bindparam("b_order"))
    .limit(1),
    row=OrderKey,
)
RUNNING = Query(
    select(orders).where(_MINE, o.venue_id == bindparam("b_venue"), o.closed_at.is_(None)).order_by(o.created_at, o.id),
    row=OrderRow,
)
OF_TAB = Query(select(orders).where(_MINE, o.tab_id == bindparam("b_tab")).order_by(o.created_at, o.id), row=OrderRow)
# More than a table orders in one evening.
MAX_SEEN = 100
# What the guests of a table see of it, the newest first.
SEEN_AT = Query(
    select(orders)
    .where(_MINE, o.tab_id == bindparam("b_tab"), o.state.not_in(sorted(DEAD)))
    .order_by(o.id.desc())
    .limit(MAX_SEEN),
    row=OrderRow,
)
# Whether anything of a tab is still to be brought or to be paid.
UNSETTLED = Query(
    select(o.id)
    .where(
        _MINE,
        o.tab_id == bindparam("b_tab"),
        o.closed_at.is_(None),
        or_(o.state != "served", and_(o.payment_state.not_in(["paid", "refunded"]), o.total > 0)),
    )
    .limit(1),
    row=OrderKey,
)
UPDATE = Query(
    update(orders)
    .where(_MINE, o.id == bindparam("b_id"))
    .values({name: bindparam(f"new_{name}", type_=o[name].type) for name in CHANGING})
)

INSERT_EVENT = Query(insert(order_events).values(columns(order_events)))
_OF_ORDER = and_(e.account_id == bindparam("b_account"), e.order_key == bindparam("b_key"))
HISTORY = Query(select(order_events).where(_OF_ORDER).order_by(e.number), row=HistoryRow)
LAST_EVENT = Query(select(func.max(e.number).label("n")).where(_OF_ORDER), row=LastEvent)

# One statement counts and tells: two that come at once get different numbers.
NEXT_NUMBER = Query(
    lambda dialect_insert: (
        dialect_insert(order_sequences)
        .values(
            account_id=bindparam("account_id", type_=s.account_id.type), day=bindparam("day", type_=s.day.type), last=1
        )
        .on_conflict_do_update(index_elements=["account_id", "day"], set_={"last": s.last + 1})
        .returning(s.last)
    ),
    row=LastNumber,
)


def endings(account_id: int, keys: Sequence[str], events: Sequence[str]) -> Query[EndingRow]:
    """What was said when these orders ended by one of the events."""
    wanted = and_(e.account_id == account_id, e.order_key.in_(keys), e.event.in_(events))
    return Query(select(e.order_key, e.reason).where(wanted), row=EndingRow)


_RUNNING = sorted(set(get_args(State)) - CLOSED)
# An order gets its id in the moment in which it is placed, or a later one, where the clock was set back: ids never go back.
_ROUGHLY_MS = DAY_MS


class Filter(TypedDict, total=False):
    """Which orders: those of which all that is given is true."""

    venue_id: str | None
    state: str | None
    open_only: bool
    order_type: str | None
    contact_id: str | None
    # A table's own label; or a text, and the dishes that it may mean.
    table: str
    text: str
    item_ids: Sequence[str]
    # For who does not see phone numbers: nobody is found by one.
    hides_phones: bool
    since_ms: int | None
    until_ms: int | None


Sort = Literal["-placed", "placed", "total", "-total"]


def page(
    account_id: int, wanted: Filter, *, sort: Sort, after: tuple[int, str] | None, most: int
) -> Query[OrderRow]:  # fmt: skip
    """In the order that is wanted, from behind the sum and the key of the last one before; newest first among equals."""
    statement = select(orders).where(*_matching(account_id, wanted)).limit(most)
    if sort in ("-placed", "placed"):
        # Where few are met by an index of something else, the order is made of these, and is no way to all the others.
        key = told_apart(o.id) if wanted.get("open_only") or wanted.get("contact_id") is not None else o.id
        statement = statement.order_by(key.desc() if sort == "-placed" else key)
        if after is None:
            return Query(statement, row=OrderRow)
        return Query(statement.where(key < after[1] if sort == "-placed" else key > after[1]), row=OrderRow)
    statement = statement.order_by(o.total.desc() if sort == "-total" else o.total, o.id.desc())
    if after is None:
        return Query(statement, row=OrderRow)
    beyond = o.total < after[0] if sort == "-total" else o.total > after[0]
    return Query(statement.where(or_(beyond, and_(o.total == after[0], o.id < after[1]))), row=OrderRow)


def sums(account_id: int, wanted: Filter) -> Query[ListSum]:
    """How many there are, and what those that were not called off come to, by currency."""
    alive = case((o.state.in_(sorted(DEAD)), 0), else_=o.total)
    counted = select(o.currency, func.count().label("n"), cast(func.sum(alive), BigInteger).label("amount"))
    return Query(counted.where(*_matching(account_id, wanted)).group_by(o.currency), row=ListSum)


def _matching(account_id: int, wanted: Filter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [o.account_id == account_id]
    for name in ("venue_id", "state", "order_type", "contact_id"):
        value = wanted.get(name)
        if value is not None:
            conditions.append(o[name] == value)
    if wanted.get("open_only"):
        # The states say the same, and have an index.
        conditions += [o.closed_at.is_(None), o.state.in_(_RUNNING)]
    if wanted.get("table"):
        conditions.append(o.table_label.in_(sorted(_ways(wanted["table"]))))
    if wanted.get("text"):
        told = wanted["text"].strip().lstrip("+")
        conditions.append(_holds(told, wanted.get("item_ids", ()), with_phones=not wanted.get("hides_phones")))
    # The key is also a time, give or take.
    since_ms, until_ms = wanted.get("since_ms"), wanted.get("until_ms")
    if since_ms is not None:
        conditions += [o.created_at >= since_ms, o.id >= first_id(since_ms - _ROUGHLY_MS)]
    if until_ms is not None:
        conditions += [o.created_at < until_ms, o.id < first_id(until_ms + _ROUGHLY_MS)]
    return conditions


def _ways(text: str) -> set[str]:
    """Not every database knows small and large letters beyond English."""
    return {text, text.lower(), text.upper(), text.title()}


def _holds(text: str, item_ids: Sequence[str], *, with_phones: bool) -> ColumnElement[bool]:
    """A text in one of the fields, or at the beginning of a dish's name as it was ordered; or one of these dishes."""
    fields = [o.order_id, o.customer_name, o.table_label, *([o.customer_phone] if with_phones else [])]
    spellings = [*fields, *(func.lower(field) for field in fields)]
    ways = sorted(_ways(text))
    found = [field.contains(way, autoescape=True) for field in spellings for way in ways]
    found += [o.lines.contains(f'"name":"{way}', autoescape=True) for way in ways]
    found += [o.lines.contains(f'"item_id":"{one}"', autoescape=True) for one in item_ids]
    return or_(*found)
