"""Statements on tabs, their payments and their discounts."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
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

from tablegram.restaurant.bills.model import WAITING
from tablegram.restaurant.bills.rows import (
    DiscountRow,
    GoneRow,
    OrderAmount,
    OrderMoney,
    OwnRow,
    SeatedRow,
    TableLabel,
    TabPaymentRow,
    TabRow,
)
from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.rows import WhichRow, WithId
from tablegram.restaurant.rows.orders import OrderRow, PartRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns, read_by, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import order_payments, orders, restaurant_tables, tab_discounts, tab_payments, tabs

t, p, d, o, q = tabs.c, tab_payments.c, tab_discounts.c, orders.c, order_payments.c
# Written out, as in the index of open ones.
_IS_OPEN: ColumnElement[str] = literal_column("'open'")
_TAB = and_(t.account_id == bindparam("b_account"), t.id == bindparam("b_tab"))

GET = Query(select(tabs).where(_TAB), row=TabRow)
LOCK = Query(select(tabs).where(_TAB).with_for_update(), row=TabRow)
_AT_TABLE = and_(t.account_id == bindparam("b_account"), t.table_id == bindparam("b_table"))
OPEN_AT = Query(read_by("uq_tabs_open", tabs, select(tabs).where(_AT_TABLE, t.state == _IS_OPEN)), row=TabRow)
CLOSED_AT = Query(
    select(tabs)
    .where(
        t.account_id == bindparam("b_account"),
        t.venue_id == bindparam("b_venue"),
        t.table_id == bindparam("b_table"),
        t.state == "closed",
        t.opened_at >= bindparam("b_opened", type_=t.opened_at.type),
        t.closed_at >= bindparam("b_since", type_=t.closed_at.type),
    )
    .order_by(t.opened_at.desc(), t.id.desc()),
    row=TabRow,
)
LABEL = Query(
    select(restaurant_tables.c.label).where(
        restaurant_tables.c.account_id == bindparam("b_account"), restaurant_tables.c.id == bindparam("b_table")
    ),
    row=TableLabel,
)
CLOSE = Query(
    update(tabs)
    .where(_TAB, t.state == "open")
    .values(
        state="closed",
        closed_at=bindparam("now", type_=t.closed_at.type),
        closed_by=bindparam("by", type_=t.closed_by.type),
        close_reason=bindparam("reason", type_=t.close_reason.type),
    )
)
LOCK_ORDERS = Query(
    select(orders)
    .where(o.account_id == bindparam("b_account"), o.tab_id == bindparam("b_tab"))
    .order_by(o.created_at, o.id)
    .with_for_update(),
    row=OrderRow,
)
_AMOUNT = cast(func.sum(q.amount), BigInteger).label("amount")
_OF_TAB = and_(o.account_id == q.account_id, o.id == q.order_key)
MONEY = Query(
    select(q.order_key, q.kind, _AMOUNT)
    .join(orders, _OF_TAB)
    .where(q.account_id == bindparam("b_account"), o.tab_id == bindparam("b_tab"), q.state == "succeeded")
    .group_by(q.order_key, q.kind),
    row=OrderMoney,
)
# By their ids, like everybody who takes several.
LOCK_BOTH = Query(
    select(t.id)
    .where(
        t.account_id == bindparam("b_account"),
        or_(t.id == bindparam("b_tab"), and_(t.table_id == bindparam("b_table"), t.state == "open")),
    )
    .order_by(t.id)
    .with_for_update(),
    row=WithId,
)
_CAME = (
    select(q.account_id, q.order_key, func.sum(q.amount).label("came"))
    .where(q.account_id == bindparam("b_account"), q.kind == "payment", q.state == "succeeded")
    .group_by(q.account_id, q.order_key)
    .subquery()
)
_NOT_ON_IT = [*sorted(DEAD), *sorted(WAITING)]
_OPEN = case(
    (or_(o.state.in_(_NOT_ON_IT), o.state == "completed", o.payment_state == "refunded"), 0),
    else_=o.total - func.coalesce(_CAME.c.came, 0),
)
_seated = (
    select(
        t.id,
        t.table_id,
        t.opened_at,
        func.count().label("orders"),
        cast(func.sum(case((o.state.in_(_NOT_ON_IT), 0), else_=o.total)), BigInteger).label("total"),
        cast(func.sum(_OPEN), BigInteger).label("open"),
    )
    .join(orders, and_(o.account_id == t.account_id, o.tab_id == t.id))
    .outerjoin(_CAME, and_(_CAME.c.account_id == o.account_id, _CAME.c.order_key == o.id))
    .where(
        t.account_id == bindparam("b_account"),
        t.venue_id == bindparam("b_venue"),
        t.state == _IS_OPEN,
        o.state.not_in(sorted(DEAD)),
    )
    .group_by(t.id, t.table_id, t.opened_at)
)
SEATED = Query(read_by("uq_tabs_open", tabs, _seated), row=SeatedRow)
INSERT_PAYMENT = Query(insert(tab_payments).values(columns(tab_payments)))
PAYMENTS = Query(
    select(tab_payments)
    .where(p.account_id == bindparam("b_account"), p.tab_id == bindparam("b_tab"))
    .order_by(p.created_at, p.id),
    row=TabPaymentRow,
)
PARTS_OF = Query(
    select(order_payments, o.order_id)
    .join(orders, _OF_TAB)
    .where(
        q.account_id == bindparam("b_account"),
        q.tab_payment_id == bindparam("b_payment"),
        q.kind == "payment",
        q.state == "succeeded",
    )
    .order_by(q.created_at, q.id),
    row=PartRow,
)
BY_REFERENCE = Query(
    select(tab_payments).where(p.account_id == bindparam("b_account"), p.reference == bindparam("b_reference")),
    row=TabPaymentRow,
)
WENT_OF = Query(
    select(q.order_key, _AMOUNT)
    .where(
        q.account_id == bindparam("b_account"),
        q.tab_payment_id == bindparam("b_payment"),
        q.kind == "refund",
        q.state == "succeeded",
    )
    .group_by(q.order_key),
    row=OrderAmount,
)
# Of each payment: what went back by its link, or with orders that were refunded on their own pages.
GONE = Query(
    select(q.tab_payment_id, _AMOUNT)
    .join(orders, _OF_TAB)
    .join(tab_payments, and_(p.account_id == q.account_id, p.id == q.tab_payment_id))
    .where(
        p.account_id == bindparam("b_account"),
        p.tab_id == bindparam("b_tab"),
        q.state == "succeeded",
        or_(
            and_(p.method == "online", q.kind == "refund"),
            and_(p.method != "online", q.kind == "payment", o.payment_state == "refunded"),
        ),
    )
    .group_by(q.tab_payment_id),
    row=GoneRow,
)
# Money that came for single orders, by links of their own for instance, or went back on their own pages.
OWN = Query(
    select(o.order_id, q.kind, q.method, q.amount, q.by, q.created_at)
    .join(orders, _OF_TAB)
    .where(
        q.account_id == bindparam("b_account"),
        o.tab_id == bindparam("b_tab"),
        q.tab_payment_id.is_(None),
        q.state == "succeeded",
    )
    .order_by(q.created_at, q.id),
    row=OwnRow,
)
INSERT_DISCOUNT = Query(insert(tab_discounts).values(columns(tab_discounts)))
DISCOUNTS = Query(
    select(tab_discounts)
    .where(d.account_id == bindparam("b_account"), d.tab_id == bindparam("b_tab"))
    .order_by(d.created_at, d.id),
    row=DiscountRow,
)
SET_DISCOUNT = Query(
    update(tab_discounts)
    .where(d.account_id == bindparam("b_account"), d.id == bindparam("b_id"), d.removed_at.is_(None))
    .values(amount=bindparam("new_amount", type_=d.amount.type))
)
REMOVE_DISCOUNT = Query(
    update(tab_discounts)
    .where(d.account_id == bindparam("b_account"), d.id == bindparam("b_id"), d.removed_at.is_(None))
    .values(removed_at=bindparam("now", type_=d.removed_at.type), removed_by=bindparam("by", type_=d.removed_by.type))
)
MOVE_PAYMENTS = Query(
    update(tab_payments)
    .where(p.account_id == bindparam("b_account"), p.tab_id == bindparam("b_tab"))
    .values(tab_id=bindparam("new_tab", type_=p.tab_id.type))
)
MOVE_DISCOUNTS = Query(
    update(tab_discounts)
    .where(d.account_id == bindparam("b_account"), d.tab_id == bindparam("b_tab"))
    .values(tab_id=bindparam("new_tab", type_=d.tab_id.type))
)
# What closed orders of a tab that is joined to another leave behind: only where they belong to.
MOVE_CLOSED_ORDERS = Query(
    update(orders)
    .where(o.account_id == bindparam("b_account"), o.tab_id == bindparam("b_tab"), o.closed_at.is_not(None))
    .values(tab_id=bindparam("new_tab", type_=o.tab_id.type))
)


# Something of these is still to be paid, whoever sits there by now.
OWING = select(o.tab_id).where(
    o.tab_id.is_not(None),
    o.closed_at.is_(None),
    o.state.not_in(_NOT_ON_IT),
    o.payment_state.not_in(["paid", "refunded"]),
    o.total > 0,
)
# Open tabs that nobody has used for long, and those that other guests have closed by sitting down.
_LEFT_OPEN = and_(t.state == "open", t.last_at <= bindparam("idle_since", type_=t.last_at.type))
_LEFT = and_(t.state == "closed", t.closed_at > bindparam("since", type_=t.closed_at.type))
LEFT = Query(
    across_accounts(
        select(t.account_id, t.id)
        .where(t.closed_by.is_(None), or_(_LEFT_OPEN, _LEFT))
        .order_by(t.account_id, t.id)
        .limit(200),
        "the clock ends tabs that nobody uses, whoever they belong to",
    ),
    row=WhichRow,
)
LEAVE = Query(
    update(tabs)
    .where(_TAB, t.closed_by.is_(None))
    .values(
        state="closed",
        closed_at=func.coalesce(t.closed_at, bindparam("now", type_=t.closed_at.type)),
        closed_by=bindparam("by", type_=t.closed_by.type),
    )
)


def page(
    account_id: int, venue_id: str | None, state: str | None, table_id: str | None, before: tuple[int, str] | None,
    most: int,
) -> Query[TabRow]:  # fmt: skip
    """Tabs at which something was ordered, the newest first. Open is also what guests left with something to pay."""
    mine = t.account_id == account_id
    # Looked for at each tab that is met: not all tabs that were ever ordered at.
    ordered = select(o.id).where(mine, o.account_id == account_id, o.tab_id == t.id, o.tab_id.is_not(None))
    found = select(tabs).where(mine, ordered.exists())
    at: ColumnElement[int] = t.opened_at
    key: ColumnElement[str] = t.id
    given: list[tuple[ColumnElement[str], str | None]] = [(t.venue_id, venue_id), (t.table_id, table_id)]
    owing = read_by("ix_orders_running", orders, OWING.where(o.account_id == account_id))
    if state == "open":
        # Few are at any time: they are looked for among themselves, and then told apart and put in order.
        found = found.where(t.id.in_(_open_ones(account_id).union(owing)))
        at, key, given = at + 0, told_apart(key), [(told_apart(column), value) for column, value in given]
    elif state is not None:
        # Nearly all are closed and paid: these are met in the order of the list.
        found = found.where(t.state == "closed", t.id.not_in(owing))
    for column, value in given:
        if value is not None:
            found = found.where(column == value)
    if before is not None:
        found = found.where(or_(at < before[0], and_(at == before[0], key < before[1])))
    return Query(found.order_by(at.desc(), key.desc()).limit(most), row=TabRow)


def _open_ones(account_id: int) -> Select[tuple[str]]:
    one = tabs.alias("one")
    return read_by("uq_tabs_open", one, select(one.c.id).where(one.c.account_id == account_id, one.c.state == _IS_OPEN))
