"""When a venue is open and takes orders: one pure function that every part of the product asks.

The week and its exceptions say when the doors are open. A pause closes them for a while, announced or at once. Some
minutes before they close for the day the kitchen takes its last order. Times of day are those of the clock in the
venue, changes of the clock included (`values/opening_hours`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import msgspec

from tablegram.errors import FieldError
from tablegram.values.clock import MINUTE_MS
from tablegram.values.opening_hours import DAYS, ZONE_WANTED, OpeningHours, WeekSpan, is_time_zone, local_day

MAX_SPANS = 100
MAX_EXCEPTIONS = 400
MAX_PAUSES = 100
MAX_LAST_ORDER_MIN = 12 * 60
# How far ahead an exception is looked for; behind the last of them every week is like the next.
HORIZON_DAYS = 400

# Later than anything: the end of what has no end.
_NEVER = 1 << 62
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)

Reason = Literal["open", "last_order_passed", "paused", "closed"]
Interval = tuple[int, int]


class Pause(msgspec.Struct, frozen=True):
    """No orders for a while, whatever the hours say. Without an end it lasts until somebody ends it."""

    starts_ms: int
    ends_ms: int | None = None
    reason: str = ""


class VenueHours(OpeningHours, frozen=True):
    pauses: list[Pause] = msgspec.field(default_factory=list)
    # So many minutes before the doors close the kitchen takes the last order.
    last_order_min: int = 0


class Opening(msgspec.Struct, frozen=True):
    """How a venue stands at one moment."""

    # Doors open, and no pause.
    is_open: bool
    # Until when, if it is open; nothing when no end is in sight.
    until_ms: int | None
    # When it opens next, if it is not open; nothing when it never does.
    opens_ms: int | None
    takes_orders: bool
    # The last order must be in before this.
    orders_until_ms: int | None
    # The first moment, from now on, that an order can be for; nothing when there is none.
    next_slot_ms: int | None
    reason: Reason


def look(hours: VenueHours, at_ms: int, *, lead_min: int = 0) -> Opening:
    """Open now? Until when? What is the next slot? `lead_min` is how long an order takes at least."""
    openings = list(_openings(hours, at_ms))
    pauses = [(pause.starts_ms, _NEVER if pause.ends_ms is None else pause.ends_ms) for pause in hours.pauses]
    doors = list(_without(openings, pauses))
    last_order_ms = hours.last_order_min * MINUTE_MS
    before_last_order = [(opens, closes if closes == _NEVER else closes - last_order_ms) for opens, closes in openings]
    kitchen = list(_without(before_last_order, pauses))
    now = _holding(doors, at_ms)
    cooking = _holding(kitchen, at_ms)
    return Opening(
        is_open=now is not None,
        until_ms=None if now is None else _end(now),
        opens_ms=None if now is not None else next((opens for opens, _ in doors if opens > at_ms), None),
        takes_orders=cooking is not None,
        orders_until_ms=None if cooking is None else _end(cooking),
        next_slot_ms=_next_slot(kitchen, at_ms + lead_min * MINUTE_MS),
        reason=_reason(cooking, now, _holding(openings, at_ms)),
    )


def _openings(hours: OpeningHours, at_ms: int) -> Iterator[Interval]:
    """Every time that the doors are open from now on; spans that touch are one."""
    today = local_day(at_ms, hours.time_zone)
    last = _last_irregular_day(hours, today)
    running: Interval | None = None
    day = today - timedelta(days=1)
    while day <= last:
        for opens, closes in hours.intervals(day):
            if running is not None and opens <= running[1]:
                running = running[0], max(running[1], closes)
                continue
            if running is not None and running[1] > at_ms:
                yield running
            running = opens, closes
        day += timedelta(days=1)
    if running is None or running[1] <= at_ms:
        return
    # It ran through a week without exceptions and into the next: it will not end.
    endless = running[1] - running[0] > 8 * 24 * 60 * MINUTE_MS and local_day(running[1], hours.time_zone) > last
    yield (running[0], _NEVER) if endless else running


def _last_irregular_day(hours: OpeningHours, today: date) -> date:
    """The day up to which one must look: a good week behind the last exception that is near enough to matter."""
    furthest = today + timedelta(days=HORIZON_DAYS)
    known = [day for day in (date.fromisoformat(one.date) for one in hours.exceptions) if day <= furthest]
    return max([today, *known]) + timedelta(days=9)


def _without(intervals: list[Interval], gaps: list[Interval]) -> Iterator[Interval]:
    for start, end in intervals:
        at = start
        for gap_start, gap_end in sorted(gaps):
            if gap_end <= at or gap_start >= end:
                continue
            if gap_start > at:
                yield at, gap_start
            at = max(at, gap_end)
        if at < end:
            yield at, end


def _holding(intervals: list[Interval], at_ms: int) -> Interval | None:
    return next((one for one in intervals if one[0] <= at_ms < one[1]), None)


def _end(interval: Interval) -> int | None:
    return None if interval[1] == _NEVER else interval[1]


def _next_slot(kitchen: list[Interval], earliest_ms: int) -> int | None:
    for opens, closes in kitchen:
        moment = max(opens, earliest_ms)
        if moment < closes:
            return moment
    return None


def _reason(cooking: Interval | None, now: Interval | None, doors: Interval | None) -> Reason:
    if cooking is not None:
        return "open"
    if now is not None:
        return "last_order_passed"
    return "closed" if doors is None else "paused"


def check_hours(hours: VenueHours) -> list[FieldError]:
    """What is wrong with hours that somebody entered, by the venue's own fields; nothing when they can be used."""
    errors: list[FieldError] = []

    def wrong(where: str, code: str, detail: str) -> None:
        errors.append(FieldError(where, code, detail))

    if not is_time_zone(hours.time_zone):
        wrong("time_zone", "time_zone_unknown", ZONE_WANTED)
    if len(hours.hours) > MAX_SPANS or len(hours.exceptions) > MAX_EXCEPTIONS or len(hours.pauses) > MAX_PAUSES:
        wrong(
            "hours",
            "too_many",
            f"At most {MAX_SPANS} spans, {MAX_EXCEPTIONS} exceptional days and {MAX_PAUSES} pauses. Remove some.",
        )
    for number, span in enumerate(hours.hours):
        if not check_hours_of_week([span]):
            wrong(f"hours[{number}]", "time_invalid", "Write a day, and times of day as 09:30 and 23:00.")
    for number, one in enumerate(hours.exceptions):
        if not is_date(one.date):
            wrong(f"exceptions[{number}].date", "date_invalid", "Write the date as 2027-01-31.")
        if any(not (_TIME.fullmatch(span.opens) and _TIME.fullmatch(span.closes)) for span in one.spans):
            wrong(f"exceptions[{number}].spans", "time_invalid", "Write times of day as 09:30 and 23:00.")
    for number, pause in enumerate(hours.pauses):
        if pause.ends_ms is not None and pause.ends_ms <= pause.starts_ms:
            wrong(f"pauses[{number}]", "pause_backwards", "A pause must end after it begins.")
    if not 0 <= hours.last_order_min <= MAX_LAST_ORDER_MIN:
        wrong("last_order_min", "out_of_range", f"The last order is 0 to {MAX_LAST_ORDER_MIN} minutes before closing.")
    return errors


def check_hours_of_week(spans: list[WeekSpan]) -> bool:
    """Whether these are days of the week with times of day."""
    return all(
        span.day in DAYS and _TIME.fullmatch(span.opens) is not None and _TIME.fullmatch(span.closes) is not None
        for span in spans
    )


def is_date(text: str) -> bool:
    """Whether this is a day of the calendar, written as 2027-01-31."""
    if re.fullmatch(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", text, re.ASCII) is None:
        return False
    try:
        datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return False
    return True
