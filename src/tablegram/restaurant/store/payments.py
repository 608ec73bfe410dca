"""Statements on the payments of orders."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import order_payments

p = order_payments.c

INSERT = Query(insert(order_payments).values(columns(order_payments)))
OF_ORDER = Query(
    select(order_payments)
    .where(p.account_id == bindparam("b_account"), p.order_key == bindparam("b_key"))
    .order_by(p.created_at, p.id)
)
SETTLE = Query(
    update(order_payments)
    .where(p.account_id == bindparam("b_account"), p.id == bindparam("b_id"))
    .values(state=bindparam("state", type_=p.state.type), settled_at=bindparam("now", type_=p.settled_at.type))
)
