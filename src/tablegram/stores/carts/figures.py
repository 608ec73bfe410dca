"""What became of carts, day by day, and what reminders brought back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta, tzinfo
from typing import Annotated

from msgspec import Meta, Struct

from tablegram.stores.carts.rows import EndedCart

DAYS = 30


class CartDay(Struct, kw_only=True, frozen=True):
    """What became of carts on a day."""

    day: Annotated[str, Meta(extra_json_schema={"format": "date"})]
    recovered: Annotated[int, Meta(description="Bought after a reminder.")] = 0
    left: Annotated[int, Meta(description="All was said, and nothing came of it.")] = 0
    bought: Annotated[int, Meta(description="Without a reminder.")] = 0
    deleted: int = 0


class CartSummary(Struct, kw_only=True, frozen=True):
    """The last days of carts, and what reminders brought back."""

    days: list[CartDay]
    open: int
    reminded: int
    recovered: int
    # By currency, in minor units.
    revenue: dict[str, int]


def sum_up(rows: Iterable[EndedCart], is_open: int, now: int, zone: tzinfo) -> CartSummary:
    """`rows` are carts that ended in these days."""
    today = _day(now, zone)
    counts: dict[str, dict[str, int]] = {str(today - timedelta(days=back)): {} for back in reversed(range(DAYS))}
    revenue: dict[str, int] = {}
    reminded = recovered = 0
    for row in rows:
        day = counts.get(str(_day(row["ended_at"], zone)))
        if day is not None:
            day[row["state"]] = day.get(row["state"], 0) + 1
        reminded += row["reminders"] > 0
        if row["state"] == "recovered":
            recovered += 1
            if row["bought_amount"] and row["bought_currency"]:
                revenue[row["bought_currency"]] = revenue.get(row["bought_currency"], 0) + row["bought_amount"]
    return CartSummary(
        days=[CartDay(day=day, **found) for day, found in counts.items()],
        open=is_open,
        reminded=reminded,
        recovered=recovered,
        revenue=revenue,
    )


def _day(at_ms: int, zone: tzinfo) -> date:
    return datetime.fromtimestamp(at_ms / 1_000, zone).date()
