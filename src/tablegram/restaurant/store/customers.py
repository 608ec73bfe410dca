"""Statements on what the restaurant knows of one person: orders, carts, and calls from their table."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, cast, func, or_, select, update

from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.rows.guests import CartRest, TabSpan
from tablegram.restaurant.rows.orders import OrderRow, SpentRow, StepRow
from tablegram.storage.database import Query
from tablegram.storage.tables import carts, order_events, orders, tabs, waiter_calls

o, c, e, t, w = orders.c, carts.c, order_events.c, tabs.c, waiter_calls.c

OF_CONTACT = Query(
    select(orders)
    .where(o.account_id == bindparam("b_account"), o.contact_id == bindparam("b_contact"))
    .order_by(o.id.desc()),
    row=OrderRow,
)
OF_PHONE = Query(
    select(orders)
    .where(o.account_id == bindparam("b_account"), o.customer_phone == bindparam("b_phone"), o.customer_phone != "")
    .order_by(o.id.desc()),
    row=OrderRow,
)
# What people have ordered that was not called off.
_sums = (
    select(o.contact_id, o.currency, func.count().label("n"), cast(func.sum(o.total), BigInteger).label("amount"))
    .where(o.account_id == bindparam("b_account"), o.contact_id.is_not(None), o.state.not_in(sorted(DEAD)))
    .group_by(o.contact_id, o.currency)
)
SPENT = Query(_sums, row=SpentRow)
SPENT_BY = Query(_sums.where(o.contact_id == bindparam("b_contact")), row=SpentRow)
MOVE = Query(
    update(orders)
    .where(o.account_id == bindparam("b_account"), o.contact_id == bindparam("b_from"))
    .values(contact_id=bindparam("target", type_=o.contact_id.type))
)

# What says who they were goes; what was sold, when, and for how much stays for the books.
EMPTY = Query(
    update(orders)
    .where(o.account_id == bindparam("b_account"), o.id == bindparam("b_id"))
    .values(
        contact_id=None,
        customer_phone="",
        customer_name="",
        notes="",
        address="",
        route_url="",
        destination=None,
        lines=bindparam("new_lines", type_=o.lines.type),
    )
)
# Staff may have named them where they said why.
NO_REASONS = Query(
    update(order_events)
    .where(e.account_id == bindparam("b_account"), e.order_key == bindparam("b_id"))
    .values(reason="")
)

# What guests wrote stands in the changes of their orders too.
STEPS = Query(
    select(e.number, e.step).where(
        e.account_id == bindparam("b_account"), e.order_key == bindparam("b_id"), e.step.is_not(None)
    ),
    row=StepRow,
)
NEW_STEP = Query(
    update(order_events)
    .where(e.account_id == bindparam("b_account"), e.order_key == bindparam("b_id"), e.number == bindparam("b_number"))
    .values(step=bindparam("new_step", type_=e.step.type))
)

_HIS_CARTS = and_(
    c.account_id == bindparam("b_account"),
    or_(and_(c.phone == bindparam("b_phone"), c.phone != ""), c.code == bindparam("b_code")),
)
CARTS = Query(select(c.code, c.lines, c.state).where(_HIS_CARTS), row=CartRest)
# A cart that waited for a word of theirs waits no longer; one that was ordered still makes no second order.
EMPTY_CART = Query(
    update(carts)
    .where(c.account_id == bindparam("b_account"), c.code == bindparam("b_code"))
    .values(
        phone="",
        name="",
        notes="",
        destination=None,
        lines=bindparam("new_lines", type_=c.lines.type),
        state=bindparam("new_state", type_=c.state.type),
    )
)

TAB = Query(
    select(t.table_id, t.opened_at, t.closed_at).where(
        t.account_id == bindparam("b_account"), t.id == bindparam("b_id")
    ),
    row=TabSpan,
)
NO_CALL_NOTES = Query(
    update(waiter_calls)
    .where(
        w.account_id == bindparam("b_account"),
        w.table_id == bindparam("b_table"),
        w.created_at >= bindparam("since", type_=w.created_at.type),
        w.created_at <= bindparam("until", type_=w.created_at.type),
    )
    .values(note="")
)
