"""Couriers at work hear of what waits: an order that nobody brings, each of them once, in the transaction that made it wait."""

from __future__ import annotations

from tablegram.delivery.couriers import calls
from tablegram.delivery.couriers.model import Courier
from tablegram.delivery.tours import keeping as tours
from tablegram.delivery.tours.reading import short_number
from tablegram.flows.delivery.couriers.telling import CourierTelling
from tablegram.flows.delivery.couriers.words import speak
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import CallsCouriers, Venue
from tablegram.storage.database import Tx

_WAITS_IN: dict[CallsCouriers, frozenset[str]] = {
    "never": frozenset(),
    "accepted": frozenset({"sent_to_kitchen", "preparing", "ready"}),
    "ready": frozenset({"ready"}),
}


class CourierCalls:
    def __init__(self, telling: CourierTelling) -> None:
        self._telling = telling

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, after: Order, now: int) -> None:
        """An order moved. What somebody has brought back waits for a decision, and not for the next courier."""
        if before is None or before.state not in (after.state, "out_for_delivery"):
            await self.call(tx, venue, after, now)

    async def call(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        """Tell everybody at work who does not know of it, where it waits. The order is locked."""
        if not _waits(venue, order) or await tours.open_of(tx, order.account_id, order.id) is not None:
            return
        for courier in await calls.within_reach(tx, order.account_id, venue.id):
            await self._tell(tx, venue, courier, order, now)

    async def greet(self, tx: Tx, venue: Venue, courier: Courier, waiting: list[Order], now: int) -> None:
        """Somebody begins to work: they hear of what waits already."""
        if courier.phone:
            for order in waiting:
                if _waits(venue, order):
                    await self._tell(tx, venue, courier, order, now)

    async def _tell(self, tx: Tx, venue: Venue, courier: Courier, order: Order, now: int) -> None:
        if await calls.note(tx, courier, order.id, now):
            kind = "waits_ready" if order.state == "ready" else "waits_made"
            text = speak(courier.language)[kind].format(number=short_number(order.order_id))
            await self._telling.say(tx, venue, courier, text, now)


def _waits(venue: Venue, order: Order) -> bool:
    return order.order_type == "delivery" and order.state in _WAITS_IN[venue.details.calls_couriers]
