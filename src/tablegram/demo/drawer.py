"""The demo's drawer: the cash of its orders is in it, and each night it was counted."""

from __future__ import annotations

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


async def fill(tx: Tx, venue: Venue, payments: list[Payment], by: str) -> None:
    """Put the cash of some payments in as it came, and close each business day but the last."""
    cash = sorted((one for one in payments if one.method == "cash" and one.state == "succeeded"), key=_came)
    if not cash:
        return
    day = days.day_of(venue, _came(cash[0]))
    opened = days.begins(venue, day) + HOUR_MS
    await till.note(tx, venue.account_id, venue.id, venue.currency, "put_in", FLOAT, by, opened, reason="Bozuk para")
    for one in cash:
        today = days.day_of(venue, _came(one))
        if today != day:
            await _count(tx, venue, by, days.begins(venue, today) - MINUTE_MS)
            day = today
        kind: Kind = "taken" if one.kind == "payment" else "given_back"
        source = f"order:{one.id}"
        await till.note(tx, one.account_id, venue.id, one.currency, kind, one.amount, one.by, _came(one), source=source)


async def _count(tx: Tx, venue: Venue, by: str, at: int) -> None:
    found = (await till.look(tx, venue)).sums.expected
    await till.count(tx, venue, Counting(counted=found, kept=min(found, FLOAT), by=by), at)


def _came(payment: Payment) -> int:
    return payment.settled_at or payment.created_at
