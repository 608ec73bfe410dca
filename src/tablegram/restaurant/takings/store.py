"""Statements that count the money that came in. As with sales, quarters of an hour are what is counted here."""

from __future__ import annotations

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, cast, func, literal_column, select

from tablegram.restaurant.bills.model import WAITING
from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.store.sales import QUARTER_MS
from tablegram.restaurant.takings.rows import LetOffRow, OwedRow, TakenRow
from tablegram.storage.database import Query
from tablegram.storage.tables import order_payments, orders, tab_discounts, tab_payments

p, q, o, d = tab_payments.c, order_payments.c, orders.c, tab_discounts.c
_LENGTH: ColumnElement[int] = literal_column(str(QUARTER_MS))

BILLS = Query(
    select(
        p.kind,
        p.method,
        p.by,
        (p.created_at - p.created_at % _LENGTH).label("quarter"),
        cast(func.sum(p.amount), BigInteger).label("amount"),
        cast(func.sum(p.tip), BigInteger).label("tip"),
    )
    .where(
        p.account_id == bindparam("b_account"),
        p.venue_id == bindparam("b_venue"),
        p.currency == bindparam("b_currency"),
        p.created_at >= bindparam("since"),
        p.created_at < bindparam("until"),
    )
    .group_by(p.kind, p.method, p.by, "quarter"),
    row=TakenRow,
)
ALONE = Query(
    select(
        q.kind,
        q.method,
        q.by,
        (q.settled_at - q.settled_at % _LENGTH).label("quarter"),
        cast(func.sum(q.amount), BigInteger).label("amount"),
        literal_column("0").label("tip"),
    )
    .join(orders, and_(o.account_id == q.account_id, o.id == q.order_key))
    .where(
        q.account_id == bindparam("b_account"),
        o.venue_id == bindparam("b_venue"),
        q.currency == bindparam("b_currency"),
        q.state == "succeeded",
        q.tab_payment_id.is_(None),
        q.settled_at >= bindparam("since"),
        q.settled_at < bindparam("until"),
    )
    .group_by(q.kind, q.method, q.by, "quarter"),
    row=TakenRow,
)
# Of one order, found by its key: the sums of all orders that ever were would be made for the few that are not paid.
_CAME = (
    select(func.sum(q.amount))
    .where(
        q.account_id == bindparam("b_account"),
        o.account_id == bindparam("b_account"),
        q.order_key == o.id,
        q.kind == "payment",
        q.state == "succeeded",
    )
    .correlate(orders)
    .scalar_subquery()
)
OWED = Query(
    select(o.state, cast(func.sum(o.total - func.coalesce(_CAME, 0)), BigInteger).label("amount"))
    .where(
        o.account_id == bindparam("b_account"),
        o.venue_id == bindparam("b_venue"),
        o.currency == bindparam("b_currency"),
        o.created_at >= bindparam("since"),
        o.created_at < bindparam("until"),
        o.state.not_in([*sorted(DEAD), *sorted(WAITING)]),
        o.payment_state.not_in(["paid", "refunded"]),
    )
    .group_by(o.state),
    row=OwedRow,
)
LET_OFF = Query(
    select(cast(func.sum(d.amount), BigInteger).label("amount")).where(
        d.account_id == bindparam("b_account"),
        d.venue_id == bindparam("b_venue"),
        d.created_at >= bindparam("since"),
        d.created_at < bindparam("until"),
        d.removed_at.is_(None),
    ),
    row=LetOffRow,
)
