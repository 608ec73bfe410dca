"""Opening hours: a week of spans in a time zone, past midnight where need be, with exceptions for single days."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

Day = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DAYS: tuple[Day, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_ZONE_NAME = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)


class Span(msgspec.Struct, frozen=True):
    """From one time of day to another. A span that does not end after it begins ends on the next day."""

    opens: str
    closes: str

    def minutes(self) -> tuple[int, int]:
        """Counted from the midnight of its day."""
        opens, closes = _minute(self.opens), _minute(self.closes)
        return opens, closes if closes > opens else closes + 24 * 60


class WeekSpan(msgspec.Struct, frozen=True):
    day: Day
    opens: str
    closes: str


class Exceptional(msgspec.Struct, frozen=True):
    """A day with hours of its own; without spans it is closed."""

    date: str
    spans: list[Span] = []


class OpeningHours(msgspec.Struct, frozen=True):
    time_zone: str
    hours: list[WeekSpan]
    exceptions: list[Exceptional] = []

    def is_open(self, at_ms: int) -> bool:
        local = datetime.fromtimestamp(at_ms / 1_000, UTC).astimezone(zone(self.time_zone))
        minute = local.hour * 60 + local.minute
        today = local.date()
        # A span belongs to the day that it begins on, so yesterday's may still run.
        return self._covers(today, minute) or self._covers(today - timedelta(days=1), minute + 24 * 60)

    def _covers(self, day: date, minute: int) -> bool:
        return any(opens <= minute < closes for opens, closes in (span.minutes() for span in self._spans(day)))

    def _spans(self, day: date) -> Iterable[Span]:
        own = [one for one in self.exceptions if one.date == day.isoformat()]
        if own:
            return [span for one in own for span in one.spans]
        name = DAYS[day.weekday()]
        return [Span(span.opens, span.closes) for span in self.hours if span.day == name]


def _minute(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


@lru_cache(maxsize=256)
def zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def is_time_zone(name: str) -> bool:
    """Whether this names a time zone of the IANA database."""
    if _ZONE_NAME.fullmatch(name) is None:
        return False
    try:
        zone(name)
    except (OSError, ValueError, KeyError):
        return False
    return True
