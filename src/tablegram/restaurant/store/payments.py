"""Statements on the payments of orders."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select, update

from tablegram.restaurant.rows.orders import OrderOfPayment, PaymentRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import order_payments, orders

p = order_payments.c

INSERT = Query(insert(order_payments).values(columns(order_payments)))
OF_ORDER = Query(
    select(order_payments)
    .where(p.account_id == bindparam("b_account"), p.order_key == bindparam("b_key"))
    .order_by(p.created_at, p.id),
    row=PaymentRow,
)
# The orders that these payments are for, by what people call them.
ORDER_OF = Query(
    select(p.id, orders.c.order_id)
    .join(orders, (orders.c.account_id == p.account_id) & (orders.c.id == p.order_key))
    .where(p.account_id == bindparam("b_account"), p.id == bindparam("b_id")),
    row=OrderOfPayment,
)
SETTLE = Query(
    update(order_payments)
    .where(p.account_id == bindparam("b_account"), p.id == bindparam("b_id"))
    .values(state=bindparam("state", type_=p.state.type), settled_at=bindparam("now", type_=p.settled_at.type))
)
