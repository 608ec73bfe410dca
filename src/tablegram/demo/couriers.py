"""The demo's couriers: two people without a phone of their own, so that nobody is written to, and what they brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import msgspec

from tablegram.delivery.couriers import keeping, shifts
from tablegram.delivery.couriers.model import Courier, Shift
from tablegram.delivery.tours import keeping as tours
from tablegram.delivery.tours.keeping import Mover
from tablegram.demo.stage import Stage
from tablegram.restaurant import venues
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import Payment
from tablegram.restaurant.takings import days
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS

_NAMES = ("Mert Aydın", "Seda Kaya")


class HandedIn(msgspec.Struct, frozen=True):
    """Cash of a shift that a courier brought to the drawer."""

    shift_id: str
    amount: int
    at: int


async def fill(stage: Stage) -> None:
    """For an account that has a venue which delivers, and no courier there yet."""
    now = stage.clock.now_ms()

    async def work(tx: Tx) -> None:
        known = [one for one in await venues.every(tx, stage.account_id) if "delivery" in one.order_types]
        if known:
            await _hire(tx, next((one for one in known if one.is_default), known[0]), now)

    await stage.db.write(work)


async def _hire(tx: Tx, venue: Venue, now: int) -> list[Courier]:
    if not await _crew(tx, venue):
        for name in _NAMES:
            await keeping.add(tx, venue.account_id, venue.id, {"name": name, "language": "tr"}, now)
    return await _crew(tx, venue)


async def _crew(tx: Tx, venue: Venue) -> list[Courier]:
    return [one for one in await keeping.every(tx, venue.account_id) if one.venue_id == venue.id]


async def bring(
    tx: Tx, venue: Venue, orders: Sequence[Order], money: Mapping[str, Sequence[Payment]], by: str, now: int
) -> list[HandedIn]:
    """Whoever brought these orders, by turns: one shift each a day. The cash of days that are over was handed in."""
    today, handed_in = days.day_of(venue, now), []
    crew = await _hire(tx, venue, now)
    by_day: dict[date, list[Order]] = {}
    for order in sorted(orders, key=lambda one: one.updated_at):
        by_day.setdefault(days.day_of(venue, order.updated_at), []).append(order)
    for day, brought in by_day.items():
        begun: dict[str, Shift] = {}
        for number, order in enumerate(brought):
            courier = crew[number % len(crew)]
            at = order.updated_at - 20 * MINUTE_MS
            begun[courier.id] = await shifts.begin(tx, courier, venue.currency, by, at)
            await _deliver(tx, order, begun[courier.id], courier.name, money.get(order.id, ()))
        for courier in crew:
            if day < today and courier.id in begun:
                ended = days.begins(venue, day + timedelta(days=1)) - 30 * MINUTE_MS
                handed_in.append(await _hand_in(tx, courier, begun[courier.id], by, ended))
    return handed_in


async def carry(tx: Tx, venue: Venue, orders: Sequence[Order], by: str, now: int) -> None:
    """Whoever is on the way with these orders at this moment."""
    crew = await _hire(tx, venue, now) if orders else []
    for number, order in enumerate(orders):
        courier, taken_at = crew[number % len(crew)], order.updated_at - 5 * MINUTE_MS
        shift = await shifts.begin(tx, courier, venue.currency, by, taken_at)
        mover = Mover(courier.name, "page")
        given = await tours.give(tx, order.id, order.order_id, shift, mover, taken_at)
        await tours.move(tx, given, "pick_up", "picked_up", mover, order.updated_at)


async def _deliver(tx: Tx, order: Order, shift: Shift, name: str, money: Sequence[Payment]) -> None:
    paid = [one for one in money if one.kind == "payment" and one.state == "succeeded"]
    method = paid[0].method if paid else None
    there, mover = order.updated_at, Mover(name, "page")
    given = await tours.give(tx, order.id, order.order_id, shift, mover, there - 20 * MINUTE_MS)
    away = await tours.move(tx, given, "pick_up", "picked_up", mover, there - 15 * MINUTE_MS)
    collected = sum(one.amount for one in paid)
    await tours.move(tx, away, "deliver", "delivered", mover, there, collected=collected, collected_by=method)


async def _hand_in(tx: Tx, courier: Courier, shift: Shift, by: str, at: int) -> HandedIn:
    await shifts.end(tx, courier, by, at)
    cash = (await shifts.taken(tx, shift.account_id, shift.id)).cash
    await shifts.count(tx, shift.account_id, shift.id, cash, "", by, at)
    return HandedIn(shift.id, cash, at)
