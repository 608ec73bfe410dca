"""Statements that count the money that came in."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, literal_column, select

from tablegram.restaurant.bills.model import WAITING
from tablegram.restaurant.orders.states import DEAD
from tablegram.storage.database import Query
from tablegram.storage.tables import order_payments, orders, tab_discounts, tab_payments

p, q, o, d = tab_payments.c, order_payments.c, orders.c, tab_discounts.c

BILLS = Query(
    select(p.kind, p.method, p.by, func.sum(p.amount).label("amount"), func.sum(p.tip).label("tip"))
    .where(
        p.account_id == bindparam("b_account"),
        p.venue_id == bindparam("b_venue"),
        p.currency == bindparam("b_currency"),
        p.created_at >= bindparam("since"),
        p.created_at < bindparam("until"),
    )
    .group_by(p.kind, p.method, p.by)
)
ALONE = Query(
    select(q.kind, q.method, q.by, func.sum(q.amount).label("amount"), literal_column("0").label("tip"))
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
    .group_by(q.kind, q.method, q.by)
)
_CAME = (
    select(q.account_id, q.order_key, func.sum(q.amount).label("came"))
    .where(q.account_id == bindparam("b_account"), q.kind == "payment", q.state == "succeeded")
    .group_by(q.account_id, q.order_key)
    .subquery()
)
OWED = Query(
    select(o.state, func.sum(o.total - func.coalesce(_CAME.c.came, 0)).label("amount"))
    .outerjoin(_CAME, and_(_CAME.c.account_id == o.account_id, _CAME.c.order_key == o.id))
    .where(
        o.account_id == bindparam("b_account"),
        o.venue_id == bindparam("b_venue"),
        o.currency == bindparam("b_currency"),
        o.created_at >= bindparam("since"),
        o.created_at < bindparam("until"),
        o.state.not_in([*sorted(DEAD), *sorted(WAITING)]),
        o.payment_state.not_in(["paid", "refunded"]),
    )
    .group_by(o.state)
)
LET_OFF = Query(
    select(func.sum(d.amount).label("amount")).where(
        d.account_id == bindparam("b_account"),
        d.venue_id == bindparam("b_venue"),
        d.created_at >= bindparam("since"),
        d.created_at < bindparam("until"),
        d.removed_at.is_(None),
    )
)
