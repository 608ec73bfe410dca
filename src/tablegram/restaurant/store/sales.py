"""Statements that count what was sold.

Hours and days belong to the venue's time zone, which a database does not know; every zone is a whole number of
quarters of an hour away from the others, so quarters are what is counted here.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, case, cast, func, literal_column, or_, select

from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.rows.menus import Named
from tablegram.restaurant.rows.orders import KindRow, QuarterRow, SoldRow
from tablegram.storage.database import Query
from tablegram.storage.tables import menu_items, orders

QUARTER_MS = 900_000

o = orders.c
_STRETCH = and_(
    o.account_id == bindparam("b_account"),
    o.venue_id == bindparam("b_venue"),
    o.currency == bindparam("b_currency"),
    o.created_at >= bindparam("since"),
    o.created_at < bindparam("until"),
)
# Only what was taken on counts as sold, and only while its money was not given back.
_OUTCOME = case(
    (o.state.in_(sorted(DEAD)), "called_off"),
    (o.state.in_(("awaiting_confirmation", "awaiting_payment")), "waiting"),
    (o.payment_state == "refunded", "refunded"),
    else_="sold",
).label("outcome")
_QUARTER = (o.created_at - o.created_at % literal_column(str(QUARTER_MS))).label("quarter")
_FIGURES = (func.count().label("n"), cast(func.sum(o.total), BigInteger).label("amount"))

BY_TIME = Query(select(_QUARTER, *_FIGURES, _OUTCOME).where(_STRETCH).group_by("quarter", "outcome"), row=QuarterRow)
BY_KIND = Query(
    select(o.order_type, o.waiter, o.payment_method, *_FIGURES, _OUTCOME)
    .where(_STRETCH)
    .group_by(o.order_type, o.waiter, o.payment_method, "outcome"),
    row=KindRow,
)
# What was sold, in pieces, oldest first: each goes on behind the last one of the piece before.
LINES = Query(
    select(o.id, o.created_at, o.lines, o.charges, o.discounts)
    .where(
        _STRETCH,
        o.state.not_in([*sorted(DEAD), "awaiting_confirmation", "awaiting_payment"]),
        o.payment_state != "refunded",
        or_(
            o.created_at > bindparam("last_at"),
            and_(o.created_at == bindparam("last_at"), o.id > bindparam("last_id")),
        ),
    )
    .order_by(o.created_at, o.id)
    .limit(bindparam("most")),
    row=SoldRow,
)
# What the menu calls its items now; a line has the name in its guest's language.
ITEM_NAMES = Query(
    select(menu_items.c.id, menu_items.c.name).where(
        menu_items.c.account_id == bindparam("b_account"), menu_items.c.venue_id == bindparam("b_venue")
    ),
    row=Named,
)
