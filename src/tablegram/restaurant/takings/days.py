"""Business days: a night belongs to the day that it began on, until the hour at which the venue's day ends.

All of it by the clock of the venue. A day on which the clocks are changed has 23 or 25 hours, and no moment is in two.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import date, timedelta

from tablegram.errors import Invalid
from tablegram.restaurant.venues import Details, Venue
from tablegram.values.opening_hours import local_day, moment

# By noon at the latest; sales are counted in quarters of an hour.
ENDS_AT = re.compile(r"(0[0-9]|1[01]):(00|15|30|45)|12:00", re.ASCII)


def check(details: Details) -> None:
    """Refuses an hour at which no day ends."""
    if ENDS_AT.fullmatch(details.day_ends_at) is None:
        detail = "A business day ends at a quarter of an hour from 00:00 to 12:00, such as 06:00."
        raise Invalid.field("day_ends_at", "out_of_range", detail)


def begins(venue: Venue, day: date) -> int:
    """The first moment of a day, which is the end of the day before."""
    ends_at = venue.details.day_ends_at
    return moment(day, int(ends_at[:2]) * 60 + int(ends_at[3:]), venue.time_zone)


def day_of(venue: Venue, at_ms: int) -> date:
    shown = local_day(at_ms, venue.time_zone)
    return shown if at_ms >= begins(venue, shown) else shown - timedelta(days=1)


def stretch(venue: Venue, first: date, last: date) -> tuple[int, int]:
    """From the first moment of one day until the end of another."""
    return begins(venue, first), begins(venue, last + timedelta(days=1))


def hours(venue: Venue) -> list[int]:
    """The hours of the clock as they follow each other in a day."""
    first = int(venue.details.day_ends_at[:2])
    return [(first + number) % 24 for number in range(24)]


class Calendar:
    """The days from one to another; each moment of them is found in its day."""

    def __init__(self, venue: Venue, first: date, last: date) -> None:
        self.days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        self._begins = [begins(venue, day) for day in self.days]

    def day_at(self, at_ms: int) -> date:
        return self.days[bisect_right(self._begins, at_ms) - 1]
