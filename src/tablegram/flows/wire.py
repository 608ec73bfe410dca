"""What the answers of several areas have in common, and what is given to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta, Struct

from tablegram.values import Json
from tablegram.values.opening_hours import Day, Exceptional, WeekSpan

_Time = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", description="Time of day.", examples=["09:00"])]


class OpenSpan(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Open from one time of day to another; one that does not end after it begins ends on the next day."""

    opens: _Time
    closes: _Time


class OpenDay(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Open on a day of the week. A day may have several of them."""

    day: Day
    opens: _Time
    closes: _Time


class DayOff(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """A day with hours of its own."""

    date: Annotated[
        str,
        Meta(
            pattern="^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
            description="The day in the reply's time zone.",
            examples=["2027-01-01"],
        ),
    ]
    spans: Annotated[list[OpenSpan], Meta(max_length=10, description="When it is open; empty: closed all day.")] = []


class SpanFields(TypedDict):
    opens: str
    closes: str


class DayFields(SpanFields):
    day: Day


class DayOffFields(TypedDict):
    """Without spans it is closed all day."""

    date: str
    spans: NotRequired[list[SpanFields]]


def days_of(hours: Iterable[WeekSpan]) -> list[OpenDay]:
    return [OpenDay(day=one.day, opens=one.opens, closes=one.closes) for one in hours]


def days_off_of(exceptions: Iterable[Exceptional]) -> list[DayOff]:
    return [
        DayOff(date=one.date, spans=[OpenSpan(opens=span.opens, closes=span.closes) for span in one.spans])
        for one in exceptions
    ]


def picked(fields: Mapping[str, object], *names: str) -> Json:
    """Those of the names that were given, as they were given."""
    return {name: fields[name] for name in names if name in fields}
