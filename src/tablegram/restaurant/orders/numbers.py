"""Order numbers: `ORD-20261115-0042`, counted for each account and calendar day of the venue."""

from __future__ import annotations

from datetime import UTC, date, datetime

from tablegram.restaurant.store import orders as store
from tablegram.storage.database import Tx
from tablegram.values.opening_hours import zone


def order_day(at_ms: int, time_zone: str) -> date:
    """The calendar day at the venue. A day has 23 or 25 hours where clocks are changed, and is one day all the same."""
    return datetime.fromtimestamp(at_ms / 1_000, UTC).astimezone(zone(time_zone)).date()


def order_id(day: date, number: int) -> str:
    """Four digits, and more on the day after the ten thousandth guest."""
    return f"ORD-{day:%Y%m%d}-{number:04d}"


async def next_order_id(tx: Tx, account_id: int, day: date) -> str:
    """Taken in the transaction that makes the order, so that a number is never given twice nor lost for nothing.

    Venues in other time zones count on in one line.
    """
    row = await tx.first(store.NEXT_NUMBER, {"account_id": account_id, "day": f"{day:%Y%m%d}"})
    if row is None:
        raise RuntimeError("a sequence that was just counted on is not there")
    return order_id(day, row["last"])
