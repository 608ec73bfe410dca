"""Taps of stations: each moves some lines of an order, and the order follows; the last ones can be taken back."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.restaurant.kitchen import keeping, store
from tablegram.restaurant.kitchen.progress import IN_KITCHEN, KitchenLine, Mark, Tap, order_state
from tablegram.restaurant.kitchen.rows import TapRow
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS

# So long a tap offers to be taken back, and so much longer it may be under way.
UNDO_MS = 10 * SECOND_MS
_GRACE_MS = 5 * SECOND_MS
_decode_marks = msgspec.json.Decoder(tuple[Mark, ...]).decode


class Tapped(msgspec.Struct, frozen=True):
    """What a tap did: to the lines, and by them to the order."""

    change: OrderChange
    shares: list[KitchenLine]
    # Nothing where the tap came twice or had nothing to do.
    tap_id: str | None = None


async def tap(
    tx: Tx, account_id: int, order_id: str, action: Tap, who: str, now: int, *, station: str = "",
    lines: Collection[str] = (), revision: int | None = None,
) -> Tapped:  # fmt: skip
    """Move the lines of a station, or those that are named, or all of them.

    A station that names a line of another one is refused: nobody finishes somebody else's food.
    """
    order = await orders.lock(tx, account_id, order_id, revision)
    _check_in_kitchen(order)
    found = await keeping.look_to_move(tx, order)
    known = {one.key: one for one in found}
    strange = sorted(set(lines) - set(known))
    if strange:
        raise Invalid.field("lines", "line_unknown", f"The order has no line {strange[0]}. Look at it again.")
    if station and station not in {one.station for one in found}:
        raise Invalid.field("station", "station_unknown", f"The order has nothing for {station}.")
    elsewhere = [known[one] for one in lines if station and known[one].station != station]
    if elsewhere:
        raise Invalid.field(
            "lines", "line_of_other_station", f"{elsewhere[0].line.name} is made at {elsewhere[0].station}."
        )
    chosen = [one for one in found if (not lines or one.key in lines) and (not station or one.station == station)]
    tap_id = await keeping.move_lines(tx, order, chosen, action, station, who, now)
    return await _settled(tx, order, tap_id, who, now)


async def undo(tx: Tx, account_id: int, order_id: str, tap_id: str, who: str, now: int) -> Tapped:
    """Take a tap back, as long as it is young and nobody has tapped the same lines since."""
    order = await orders.lock(tx, account_id, order_id, None)
    row = await tx.first(store.TAP, {"b_account": account_id, "b_id": tap_id})
    if row is None or row["order_key"] != order.id:
        raise NotFound("The order has no such tap.", code="tap_unknown")
    if row["undone_at"] is not None:
        return await _settled(tx, order, None, who, now)
    if now - row["at"] > UNDO_MS + _GRACE_MS:
        raise Conflict("This can be taken back for ten seconds. Recall it instead.", code="undo_too_late")
    _check_in_kitchen(order)
    marks = {one.key: one.mark for one in await keeping.look(tx, order)}
    # A line that is no longer ordered has nothing to take back.
    before = [mark for mark in _decode_marks(row["lines"]) if mark.line in marks]
    if not before or any(marks[mark.line].tap != tap_id for mark in before):
        raise Conflict("Somebody has moved this on meanwhile. Look at it again.", code="tap_overtaken")
    for mark in before:
        await keeping.keep(tx, order, mark)
    await tx.run(store.UNDO_TAP, {"b_account": account_id, "b_id": tap_id, "now": now, "who": who})
    return await _settled(tx, order, tap_id, who, now)


async def taps_of(tx: Tx, order: Order) -> list[TapRow]:
    """Who did what to an order's lines, the newest first."""
    return await tx.all(store.TAPS_OF_ORDER, {"b_account": order.account_id, "b_key": order.id})


def lines_of(row: TapRow) -> list[str]:
    """The lines that a tap moved."""
    return [mark.line for mark in _decode_marks(row["lines"])]


async def _settled(tx: Tx, order: Order, tap_id: str | None, who: str, now: int) -> Tapped:
    found = await keeping.look(tx, order)
    if tap_id is None:
        return Tapped(OrderChange(order, order, changed=False), found)
    return Tapped(await orders.settle(tx, order, order_state(found), who, now), found, tap_id)


def _check_in_kitchen(order: Order) -> None:
    if order.state not in IN_KITCHEN:
        said = order.state.replace("_", " ")
        raise Conflict(f"An order that is {said} has nothing to cook.", code="state_conflict")
