"""The demo's drawer: cash is in it, that of deliveries once it was handed in, and each night it was counted."""

from __future__ import annotations

from tablegram.demo.couriers import HandedIn
from tablegram.restaurant.orders.payments import Payment
from tablegram.restaurant.takings import days
from tablegram.restaurant.till import keeping as till
from tablegram.restaurant.till.keeping import Counting
from tablegram.restaurant.till.model import Kind
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS, MINUTE_MS

# Change for the next day; the rest is taken to the bank.
FLOAT = 1_000_00


async def fill(tx: Tx, venue: Venue, payments: list[Payment], handed_in: list[HandedIn], by: str) -> None:
    """Put cash in as it came, with what couriers handed in, and close each business day but the last."""
    came: list[tuple[int, Kind, int, str, str]] = [
        (_came(one), "taken" if one.kind == "payment" else "given_back", one.amount, one.by, f"order:{one.id}")
        for one in payments
        if one.method == "cash" and one.state == "succeeded"
    ]
    came += [(one.at, "handed_in", one.amount, by, f"shift:{one.shift_id}") for one in handed_in if one.amount]
    if not came:
        return
    came.sort()
    day = days.day_of(venue, came[0][0])
    opened = days.begins(venue, day) + HOUR_MS
    await till.note(tx, venue.account_id, venue.id, venue.currency, "put_in", FLOAT, by, opened, reason="Bozuk para")
    for at, kind, amount, who, source in came:
        today = days.day_of(venue, at)
        if today != day:
            await _count(tx, venue, by, days.begins(venue, today) - MINUTE_MS)
            day = today
        await till.note(tx, venue.account_id, venue.id, venue.currency, kind, amount, who, at, source=source)


async def _count(tx: Tx, venue: Venue, by: str, at: int) -> None:
    found = (await till.look(tx, venue)).sums.expected
    await till.count(tx, venue, Counting(counted=found, kept=min(found, FLOAT), by=by), at)


def _came(payment: Payment) -> int:
    return payment.settled_at or payment.created_at
