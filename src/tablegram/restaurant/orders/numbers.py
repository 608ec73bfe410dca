"""Order numbers: `ORD-20261115-0042`, counted for each account and business day of the venue."""

from __future__ import annotations

from datetime import date

from tablegram.restaurant.store import orders as store
from tablegram.storage.database import Tx


def order_id(day: date, number: int) -> str:
    """Four digits, and more on the day after the ten thousandth guest."""
    return f"ORD-{day:%Y%m%d}-{number:04d}"


async def next_order_id(tx: Tx, account_id: int, day: date) -> str:
    """Taken in the transaction that makes the order, so that a number is never given twice nor lost for nothing.

    Venues whose days end at other hours count on in one line, and so does a day that somebody makes longer.
    """
    row = await tx.first(store.NEXT_NUMBER, {"account_id": account_id, "day": f"{day:%Y%m%d}"})
    if row is None:
        raise RuntimeError("a sequence that was just counted on is not there")
    return order_id(day, row["last"])
