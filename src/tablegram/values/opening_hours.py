"""Opening hours: a week of spans in a time zone, past midnight where need be, with exceptions for single days."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
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
        opens, closes = minute_of_day(self.opens), minute_of_day(self.closes)
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
        today = local_day(at_ms, self.time_zone)
        # A span belongs to the day that it begins on, so yesterday's may still run.
        return any(
            opens <= at_ms < closes
            for day in (today - timedelta(days=1), today)
            for opens, closes in self.intervals(day)
        )

    def intervals(self, day: date) -> list[tuple[int, int]]:
        """When the spans that begin on a day open and close, in milliseconds; none of them is empty."""
        found = [
            (moment(day, opens, self.time_zone), moment(day, closes, self.time_zone))
            for opens, closes in (span.minutes() for span in self._spans(day))
        ]
        return sorted((opens, closes) for opens, closes in found if opens < closes)

    def _spans(self, day: date) -> Iterable[Span]:
        own = [one for one in self.exceptions if one.date == day.isoformat()]
        if own:
            return [span for one in own for span in one.spans]
        name = DAYS[day.weekday()]
        return [Span(span.opens, span.closes) for span in self.hours if span.day == name]


def minute_of_day(text: str) -> int:
    """`18:30`, as the minutes since midnight."""
    return int(text[:2]) * 60 + int(text[3:])


def local_day(at_ms: int, time_zone: str) -> date:
    """The calendar day of a moment in a place."""
    return datetime.fromtimestamp(at_ms / 1_000, zone(time_zone)).date()


@lru_cache(maxsize=4_096)
def moment(day: date, minute: int, time_zone: str) -> int:
    """The first moment at which the clock of the place shows this minute of the day, or is already past it.

    So a time that is left out in spring is the moment of the change, and one that comes twice in autumn is the
    first of the two: nothing opens twice, and nothing closes before it opened.
    """
    place = zone(time_zone)
    shown = datetime.combine(day, time()) + timedelta(minutes=minute)
    first, second = (shown.replace(tzinfo=place, fold=fold).astimezone(UTC) for fold in (0, 1))
    if second >= first:
        return round(first.timestamp()) * 1_000
    # The clock was put forward past this time. The change lies between the two readings of it.
    early, late = round(second.timestamp()), round(first.timestamp())
    while late - early > 1:
        middle = (early + late) // 2
        if datetime.fromtimestamp(middle, place).replace(tzinfo=None) >= shown:
            late = middle
        else:
            early = middle
    return late * 1_000


# What whoever names another one is told.
ZONE_WANTED = "Name a time zone such as Europe/Istanbul."


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
