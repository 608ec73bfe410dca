"""The money that came in over a stretch of time, however it came; and what of the orders placed then nobody has paid."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import msgspec

from tablegram.restaurant.bills.model import METHODS
from tablegram.restaurant.takings import days, store
from tablegram.restaurant.takings.rows import TakenRow
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.opening_hours import zone

# A card at the door is a card.
_METHOD: dict[str, str] = {**{name: method for method, name in METHODS.items()}, "card_on_delivery": "card"}


class Takings(msgspec.Struct, kw_only=True):
    """Minor units. What was given back is taken off where and when it went back; tips are beside it."""

    paid: int = 0
    # As much of what came went back again.
    given_back: int = 0
    tips: int = 0
    let_off: int = 0
    # Of the orders of this time: what can still be paid, and what nobody will pay any more.
    open: int = 0
    unpaid: int = 0
    # cash, card, online and gift; and by who took it.
    by_method: dict[str, int] = {}
    by_person: dict[str, int] = {}
    # Every day and every hour of the clock is there, in the order in which they come.
    by_day: dict[date, int] = {}
    by_hour: dict[int, int] = {}
    # What came for gift cards, by the way it came: no part of what was paid, which they bring when they are spent.
    gifts: dict[str, int] = {}


async def count(tx: Tx, venue: Venue, first: date, last: date, until: int | None = None) -> Takings:
    """What came in from one business day to another; with `until`, not after that moment."""
    calendar = days.Calendar(venue, first, last)
    since, end = days.stretch(venue, first, last)
    which = {
        "b_account": venue.account_id, "b_venue": venue.id, "b_currency": venue.currency, "since": since,
        "until": end if until is None else min(end, until),
    }  # fmt: skip
    found = Takings(
        by_method={}, by_person={}, by_day=dict.fromkeys(calendar.days, 0), by_hour=dict.fromkeys(days.hours(venue), 0)
    )
    place = zone(venue.time_zone)
    # Payments of bills, and payments of orders that no bill was paid for.
    for row in [*await tx.all(store.BILLS, which), *await tx.all(store.ALONE, which)]:
        _add(found, row, calendar.day_at(max(since, row["quarter"])))
        hour = datetime.fromtimestamp(row["quarter"] / 1_000, UTC).astimezone(place).hour
        found.by_hour[hour] += _sign(row) * row["amount"]
    for owed in await tx.all(store.OWED, which):
        if owed["state"] == "completed":
            found.unpaid += owed["amount"]
        else:
            found.open += owed["amount"]
    given = await tx.first(store.LET_OFF, which)
    found.let_off = (given["amount"] or 0) if given else 0
    return found


def before(first: date, last: date) -> tuple[date, date]:
    """As many days, right before these."""
    length = (last - first).days + 1
    return first - timedelta(days=length), first - timedelta(days=1)


def _sign(row: TakenRow) -> int:
    return 1 if row["kind"] == "payment" else -1


def _add(found: Takings, row: TakenRow, day: date) -> None:
    sign, method = _sign(row), _METHOD.get(row["method"], row["method"])
    amount = sign * row["amount"]
    found.paid += amount
    found.given_back += row["amount"] if sign < 0 else 0
    found.tips += sign * row["tip"]
    found.by_method[method] = found.by_method.get(method, 0) + amount
    found.by_person[row["by"]] = found.by_person.get(row["by"], 0) + amount
    found.by_day[day] += amount
