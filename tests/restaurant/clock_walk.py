"""Opening hours by walking: minute after minute along the clock on the venue's wall, with nothing reckoned ahead.

A span begins with the first minute at which the clock shows its beginning or more, and ends likewise. It is slow and
plain, so that it can be believed; the product's function must agree with it.
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import accumulate
from zoneinfo import ZoneInfo

from tablegram.restaurant.hours import VenueHours
from tablegram.values.opening_hours import DAYS

MINUTE_MS = 60_000
DAYS_BEFORE, DAYS_AFTER = 3, 4


class Walk:
    """Some days around one, as the clock of a place showed them."""

    def __init__(self, time_zone: str, day: date) -> None:
        start = datetime.combine(day - timedelta(days=DAYS_BEFORE), time(), UTC)
        count = (DAYS_BEFORE + DAYS_AFTER) * 24 * 60
        place = ZoneInfo(time_zone)
        self.start_ms = round(start.timestamp() * 1_000)
        self.days = [day + timedelta(days=number) for number in range(-DAYS_BEFORE - 2, DAYS_AFTER + 2)]
        self.shown = [
            (start + timedelta(minutes=number)).astimezone(place).replace(tzinfo=None) for number in range(count)
        ]
        # The latest time that was ever shown: the first moment past a time is where this reaches it.
        self._latest = list(accumulate(self.shown, max))

    def __len__(self) -> int:
        return len(self.shown)

    def moment(self, number: int) -> int:
        return self.start_ms + number * MINUTE_MS

    def first_at(self, day: date, minute: int) -> int:
        return bisect_left(self._latest, datetime.combine(day, time()) + timedelta(minutes=minute))

    def doors(self, hours: VenueHours) -> list[bool]:
        """For each minute, whether the week and its exceptions say open."""
        is_open = [False] * len(self)
        for day in self.days:
            own = [one.spans for one in hours.exceptions if one.date == day.isoformat()]
            usual = [[one for one in hours.hours if one.day == DAYS[day.weekday()]]]
            for span in (span for spans in own or usual for span in spans):
                opens, closes = (int(text[:2]) * 60 + int(text[3:]) for text in (span.opens, span.closes))
                if closes <= opens:
                    closes += 24 * 60
                for number in range(self.first_at(day, opens), min(self.first_at(day, closes), len(self))):
                    is_open[number] = True
        return is_open

    def paused(self, hours: VenueHours) -> list[bool]:
        return [
            any(
                one.starts_ms <= self.moment(number) and (one.ends_ms is None or self.moment(number) < one.ends_ms)
                for one in hours.pauses
            )
            for number in range(len(self))
        ]

    def kitchen(self, hours: VenueHours, doors: list[bool]) -> list[bool]:
        """For each minute, whether more minutes than the last order's are left until the doors close."""
        left, taking = 0, [False] * len(self)
        # Behind the end of the walk nobody knows; it is taken to stay as it is.
        left = 10**9 if doors[-1] else 0
        for number in range(len(self) - 1, -1, -1):
            left = left + 1 if doors[number] else 0
            taking[number] = left > hours.last_order_min
        return taking


@lru_cache(maxsize=32)
def walk(time_zone: str, day: date) -> Walk:
    return Walk(time_zone, day)
