"""Statements on the progress of orders and the taps that made it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Executable, and_, bindparam, delete, insert, select, update

from tablegram.restaurant.kitchen.rows import PinRow, ProgressRow, TapRow, TurnRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import order_progress, order_taps, orders, tablet_turns, waiter_pins, waiters

p, t, o = order_progress.c, order_taps.c, orders.c
n, u, w = waiter_pins.c, tablet_turns.c, waiters.c
_MARK = ("station", "state", "portions", "started_at", "done_at", "tap", "by", "at")
_OF_ORDER = and_(p.account_id == bindparam("b_account"), p.order_key == bindparam("b_key"))

OF_ORDER = Query(select(order_progress).where(_OF_ORDER).order_by(p.line), row=ProgressRow)
# Of everything that a venue has under way.
RUNNING = Query(
    select(order_progress)
    .join(orders, and_(o.account_id == p.account_id, o.id == p.order_key))
    .where(p.account_id == bindparam("b_account"), o.venue_id == bindparam("b_venue"), o.closed_at.is_(None)),
    row=ProgressRow,
)


def _keep(dialect_insert: Callable[..., Any]) -> Executable:
    made = dialect_insert(order_progress).values(columns(order_progress))
    changed = {name: made.excluded[name] for name in _MARK}
    built: Executable = made.on_conflict_do_update(index_elements=["account_id", "order_key", "line"], set_=changed)
    return built


KEEP = Query(_keep)
DROP = Query(delete(order_progress).where(_OF_ORDER, p.line == bindparam("b_line")))

INSERT_TAP = Query(insert(order_taps).values(columns(order_taps)))
TAP = Query(select(order_taps).where(t.account_id == bindparam("b_account"), t.id == bindparam("b_id")), row=TapRow)
UNDO_TAP = Query(
    update(order_taps)
    .where(t.account_id == bindparam("b_account"), t.id == bindparam("b_id"), t.undone_at.is_(None))
    .values(undone_at=bindparam("now", type_=t.undone_at.type), undone_by=bindparam("who", type_=t.undone_by.type))
)
# More than anybody taps on one order.
MAX_TAPS = 200
TAPS_OF_ORDER = Query(
    select(order_taps)
    .where(t.account_id == bindparam("b_account"), t.order_key == bindparam("b_key"))
    .order_by(t.id.desc())
    .limit(MAX_TAPS),
    row=TapRow,
)

# Whoever is gone is known no more: a PIN counts only beside its waiter.
_PIN = and_(n.account_id == bindparam("b_account"), n.venue_id == bindparam("b_venue"))
_ITS_WAITER = and_(w.account_id == n.account_id, w.venue_id == n.venue_id, w.id == n.waiter_id)
PINS = Query(select(n.waiter_id, n.pin_hash, w.name).join(waiters, _ITS_WAITER).where(_PIN), row=PinRow)
DROP_PIN = Query(
    delete(waiter_pins).where(n.account_id == bindparam("b_account"), n.waiter_id == bindparam("b_waiter"))
)
INSERT_PIN = Query(insert(waiter_pins).values(columns(waiter_pins)))
DROP_STALE_PIN = Query(
    delete(waiter_pins).where(
        _PIN,
        n.waiter_id.not_in(
            select(w.id).where(w.account_id == bindparam("b_account"), w.venue_id == bindparam("b_venue"))
        ),
    )
)


def _turn(dialect_insert: Callable[..., Any]) -> Executable:
    made = dialect_insert(tablet_turns).values(columns(tablet_turns))
    changed = {name: made.excluded[name] for name in ("venue_id", "waiter_id", "at")}
    built: Executable = made.on_conflict_do_update(index_elements=["account_id", "session_id"], set_=changed)
    return built


BEGIN_TURN = Query(_turn)
_TURN = and_(u.account_id == bindparam("b_account"), u.session_id == bindparam("b_session"))
END_TURN = Query(delete(tablet_turns).where(_TURN))
TURN = Query(
    select(u.waiter_id, u.venue_id, w.name)
    .join(waiters, and_(w.account_id == u.account_id, w.venue_id == u.venue_id, w.id == u.waiter_id))
    .where(_TURN),
    row=TurnRow,
)
