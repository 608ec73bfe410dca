"""The rows of an order's progress: read, moved by taps, and kept in step when the order changes as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from tablegram.restaurant.kitchen import store
from tablegram.restaurant.kitchen.progress import (
    IN_KITCHEN,
    TAPS,
    KitchenLine,
    Mark,
    Tap,
    line_keys,
    order_state,
    shares,
    tapped,
)
from tablegram.restaurant.kitchen.rows import ProgressRow
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import State
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id

_encode = msgspec.json.Encoder().encode
_FIELDS = Mark.__struct_fields__


async def look(tx: Tx, order: Order) -> list[KitchenLine]:
    """How far each line of an order is."""
    rows = await tx.all(store.OF_ORDER, _order(order))
    return shares(order.lines, {row["line"]: _mark(row) for row in rows}, order.state)


async def look_to_move(tx: Tx, order: Order) -> list[KitchenLine]:
    """The same for a change: what was only assumed of an order that was moved as a whole is written down first."""
    found = await look(tx, order)
    for one in found:
        if one.mark.state != "waiting" and not one.mark.tap:
            await keep(tx, order, one.mark)
    return found


async def look_at_running(
    tx: Tx, account_id: int, venue_id: str, orders: Iterable[Order]
) -> dict[str, list[KitchenLine]]:
    """The same of everything that a venue has under way, by what people call the orders."""
    marks: dict[str, dict[str, Mark]] = {}
    for row in await tx.all(store.RUNNING, {"b_account": account_id, "b_venue": venue_id}):
        marks.setdefault(row["order_key"], {})[row["line"]] = _mark(row)
    return {one.order_id: shares(one.lines, marks.get(one.id, {}), one.state) for one in orders}


async def move_lines(
    tx: Tx, order: Order, found: Sequence[KitchenLine], tap: Tap, station: str, who: str, now: int
) -> str | None:
    """Move these lines by one tap and note it. Nothing is written, and nothing returned, where it changes none."""
    tap_id = new_id(now)
    moved = [(one, tapped(one, tap, tap_id, who, now)) for one in found]
    moved = [(one, mark) for one, mark in moved if mark is not one.mark]
    if not moved:
        return None
    for _, mark in moved:
        await keep(tx, order, mark)
    row = {
        "account_id": order.account_id,
        "id": tap_id,
        "venue_id": order.venue_id,
        "order_key": order.id,
        "station": station,
        "action": tap,
        "lines": _encode([one.mark for one, _ in moved]).decode(),
        "by": who,
        "at": now,
        "undone_at": None,
        "undone_by": None,
    }
    await tx.run(store.INSERT_TAP, row)
    return tap_id


async def follow_order(tx: Tx, order: Order, event: str, who: str, now: int) -> None:
    """Somebody moved the order as a whole, which was `order` until now: its lines go along."""
    tap = next((one for one in TAPS if one == event), None)
    if tap is None:
        return
    found = await look_to_move(tx, order)
    if tap == "recall":
        # What was done last comes back; the food that another station has long handed out does not.
        last = max(found, key=lambda one: (one.mark.done_at or 0, one.mark.tap))
        found = [one for one in found if one.mark.tap == last.mark.tap]
    await move_lines(tx, order, found, tap, "", who, now)


async def follow_lines(tx: Tx, order: Order, lines: Sequence[PricedLine]) -> State:
    """What was ordered becomes these lines: what stays keeps its progress. Returns what the order is by them."""
    if order.state not in IN_KITCHEN:
        return order.state
    kept = set(line_keys(lines))
    marks = {}
    for one in await look_to_move(tx, order):
        if one.key in kept:
            marks[one.key] = one.mark
        else:
            await tx.run(store.DROP, {**_order(order), "b_line": one.key})
    # Every line says for itself how far it is: one that is new waits.
    return order_state(shares(lines, marks, "sent_to_kitchen"))


async def keep(tx: Tx, order: Order, mark: Mark) -> None:
    values: dict[str, Any] = {name: getattr(mark, name) for name in _FIELDS}
    await tx.run(store.KEEP, {"account_id": order.account_id, "order_key": order.id, **values})


def _order(order: Order) -> dict[str, Any]:
    return {"b_account": order.account_id, "b_key": order.id}


def _mark(row: ProgressRow) -> Mark:
    return Mark(
        line=row["line"],
        station=row["station"],
        state=row["state"],
        portions=row["portions"],
        started_at=row["started_at"],
        done_at=row["done_at"],
        tap=row["tap"],
        by=row["by"],
        at=row["at"],
    )
