"""Takings as people and programs ask for them: the money of some business days, beside that of the days before."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import date
from typing import Literal

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.flows.restaurant.answers.figures import DayTakings, TakingsBefore, TakingsReport, TakingsShare
from tablegram.loyalty.gifts import listing as gifts
from tablegram.restaurant import sales, venues
from tablegram.restaurant.takings import counting, days
from tablegram.restaurant.takings.counting import Takings
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.files.spreadsheets import harmless_in_csv
from tablegram.values.money import to_wire

By = Literal["day", "hour", "method", "person"]
WAYS: tuple[By, ...] = ("day", "hour", "method", "person")
_SUMS = ("paid", "open", "unpaid", "tips")


class Counted(msgspec.Struct, frozen=True):
    """What came in, and what had come in as many days before, up to the same moment of them."""

    venue: Venue
    first: date
    last: date
    takings: Takings
    before_first: date
    before_last: date
    before: Takings


class TakingsDesk:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def count(self, caller: Caller, venue_id: str, first: date | None, last: date | None) -> Counted:
        """From one business day to another, both included; today unless it is said."""
        caller.require("restaurant:manage")
        now = self._clock.now_ms()

        async def look(tx: Tx) -> Counted:
            venue = await venues.find(tx, caller.account_id, venue_id)
            until = last or max(first or date.min, days.day_of(venue, now))
            since = first or until
            sales.check_days(since, until)
            earlier = counting.before(since, until)
            # Of a day that is not over, the evening is not missing from one side alone.
            begun = now - days.begins(venue, since)
            end = days.begins(venue, earlier[0]) + begun if days.stretch(venue, since, until)[1] > now else None
            return Counted(
                venue, since, until, await count_all(tx, venue, since, until), *earlier,
                await count_all(tx, venue, *earlier, until=end),
            )  # fmt: skip

        return await self._db.snapshot(look)

    async def figures(self, caller: Caller, venue_id: str, first: date | None, last: date | None) -> TakingsReport:
        found = await self.count(caller, venue_id, first, last)
        venue, money = found.venue, found.venue.currency
        return TakingsReport(
            **msgspec.structs.asdict(takings_view(found.takings, money)),
            venue_id=venue.id,
            since=found.first.isoformat(),
            until=found.last.isoformat(),
            day_ends_at=venue.details.day_ends_at,
            time_zone=venue.time_zone,
            currency=money,
            by_day=_shares(rows(found.takings, "day"), money),
            by_hour=_shares(rows(found.takings, "hour"), money),
            before=TakingsBefore(
                since=found.before_first.isoformat(),
                until=found.before_last.isoformat(),
                **_sums(found.before, money),
            ),
        )

    async def table(self, caller: Caller, venue_id: str, by: By, first: date | None, last: date | None) -> bytes:
        """The figures as CSV."""
        found = await self.count(caller, venue_id, first, last)
        money, text = found.venue.currency, io.StringIO()
        writer = csv.writer(text)
        writer.writerow([by, "amount", "currency"])
        for key, amount in rows(found.takings, by):
            writer.writerow([harmless_in_csv(key), to_wire(amount, money), money])
        # The mark at the beginning tells table programs that this is UTF-8.
        return b"\xef\xbb\xbf" + text.getvalue().encode()


async def count_all(tx: Tx, venue: Venue, first: date, last: date, until: int | None = None) -> Takings:
    """The takings of some business days, and beside them what came for gift cards."""
    found = await counting.count(tx, venue, first, last, until=until)
    since, end = days.stretch(venue, first, last)
    sold = await gifts.sold(
        tx, venue.account_id, venue.id, venue.currency, since, end if until is None else min(end, until)
    )
    found.gifts = sold.by_method
    return found


def rows(found: Takings, by: By) -> list[tuple[str, int]]:
    """Days and hours as they follow each other; ways and people, the most first."""
    if by == "day":
        return [(day.isoformat(), amount) for day, amount in found.by_day.items()]
    if by == "hour":
        return [(f"{hour:02d}", amount) for hour, amount in found.by_hour.items()]
    group = found.by_method if by == "method" else found.by_person
    return sorted(group.items(), key=lambda one: (-one[1], one[0]))


def takings_view(found: Takings, currency: str) -> DayTakings:
    return DayTakings(
        **_sums(found, currency),
        by_method=_shares(sorted(found.by_method.items()), currency),
        by_person=_shares(sorted(found.by_person.items()), currency),
        gifts_sold=to_wire(sum(found.gifts.values()), currency),
        gifts_by_method=_shares(sorted(found.gifts.items()), currency),
    )


def _sums(found: Takings, currency: str) -> dict[str, float]:
    return {
        **{name: to_wire(getattr(found, name), currency) for name in _SUMS},
        "refunds": to_wire(found.given_back, currency),
        "discounts": to_wire(found.let_off, currency),
    }


def _shares(group: Iterable[tuple[str, int]], currency: str) -> list[TakingsShare]:
    return [TakingsShare(key=key, amount=to_wire(amount, currency)) for key, amount in group]
