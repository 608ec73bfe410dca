"""Statements on deliveries and their steps."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, bindparam, func, insert, or_, select, update

from tablegram.delivery.tours.rows import BringerRow, DeliveryRow, LastPosition, StepRow
from tablegram.engine.purging import old_rows
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.tables import couriers, delivery_steps, order_deliveries

d, s, c = order_deliveries.c, delivery_steps.c, couriers.c
_MINE = d.account_id == bindparam("b_account")
_OPEN = d.ended_at.is_(None)
_ONE = and_(_MINE, d.id == bindparam("b_id"))

CHANGING = ("state", "step", "collected", "collected_by", "picked_up_at", "ended_at")

INSERT = Query(insert(order_deliveries).values(columns(order_deliveries)))
GET = Query(select(order_deliveries).where(_ONE), row=DeliveryRow)
OPEN_OF_ORDER = Query(
    select(order_deliveries).where(_MINE, d.order_key == bindparam("b_order"), _OPEN), row=DeliveryRow
)
OF_ORDER = Query(
    select(order_deliveries).where(_MINE, d.order_key == bindparam("b_order")).order_by(d.id), row=DeliveryRow
)
# What a venue has under way, and what came to an end since.
OF_VENUE = Query(
    select(order_deliveries)
    .where(_MINE, d.venue_id == bindparam("b_venue"), or_(_OPEN, d.ended_at >= bindparam("since")))
    .order_by(d.id),
    row=DeliveryRow,
)
OF_COURIER = Query(
    select(order_deliveries).where(_MINE, d.courier_id == bindparam("b_courier"), _OPEN).order_by(d.position, d.id),
    row=DeliveryRow,
)
# What a courier has just finished: a reply that comes again is about one of these.
RECENT = Query(
    select(order_deliveries)
    .where(_MINE, d.courier_id == bindparam("b_courier"), d.ended_at >= bindparam("since"))
    .order_by(d.ended_at.desc())
    .limit(50),
    row=DeliveryRow,
)
LAST_POSITION = Query(
    select(func.max(d.position).label("n")).where(_MINE, d.courier_id == bindparam("b_courier"), _OPEN),
    row=LastPosition,
)
UPDATE = Query(
    update(order_deliveries)
    .where(_ONE)
    .values({name: bindparam(f"new_{name}", type_=d[name].type) for name in CHANGING})
)
PLACE = Query(update(order_deliveries).where(_ONE).values(position=bindparam("new_position", type_=d.position.type)))
# Who brings an order, or brought it.
BRINGER = Query(
    select(c.name)
    .join(order_deliveries, and_(c.account_id == d.account_id, c.id == d.courier_id))
    .where(
        _MINE,
        c.account_id == bindparam("b_account"),
        d.order_key == bindparam("b_order"),
        d.state.in_(("picked_up", "delivered")),
    )
    .order_by(d.id.desc())
    .limit(1),
    row=BringerRow,
)

INSERT_STEP = Query(insert(delivery_steps).values(columns(delivery_steps)))
STEP = Query(
    select(delivery_steps).where(s.account_id == bindparam("b_account"), s.id == bindparam("b_id")), row=StepRow
)
STEPS = Query(
    select(delivery_steps)
    .where(s.account_id == bindparam("b_account"), s.delivery_id == bindparam("b_delivery"))
    .order_by(s.id),
    row=StepRow,
)
UNDO_STEP = Query(
    update(delivery_steps)
    .where(s.account_id == bindparam("b_account"), s.id == bindparam("b_id"), s.undone_at.is_(None))
    .values(undone_at=bindparam("now", type_=s.undone_at.type), undone_by=bindparam("who", type_=s.undone_by.type))
)

FORGET_REASONS = Query(
    update(delivery_steps)
    .where(s.account_id == bindparam("b_account"), s.delivery_id == bindparam("b_delivery"), s.reason != "")
    .values(reason="")
)


def page(account_id: int, *, venue_id: str | None, courier_id: str | None, order_id: str | None, state: str | None,
         before: str | None, limit: int) -> Query[DeliveryRow]:  # fmt: skip
    """Deliveries, newest first."""
    wanted = [d.account_id == account_id]
    given: list[tuple[ColumnElement[str], str | None]] = [
        (d.venue_id, venue_id),
        (d.courier_id, courier_id),
        (d.state, state),
    ]
    key: ColumnElement[str] = d.id
    if order_id is not None:
        # An order has few: all else is told apart among them.
        wanted.append(d.order_id == order_id)
        key = told_apart(d.id)
        given = [(told_apart(column), value) for column, value in given]
    wanted += [column == value for column, value in given if value is not None]
    if before is not None:
        wanted.append(key < before)
    return Query(select(order_deliveries).where(*wanted).order_by(key.desc()).limit(limit), row=DeliveryRow)


forget_steps = old_rows(delivery_steps, s.at < bindparam("before"), s.id)
forget_brought = old_rows(order_deliveries, d.ended_at < bindparam("before"), d.id)
