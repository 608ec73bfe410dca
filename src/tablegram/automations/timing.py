"""When the next step is due."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from tablegram.automations.model import WaitStep
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS
from tablegram.values.opening_hours import local_day, moment, zone

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def is_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None


def after(wait: WaitStep, now: int, time_zone: str) -> int:
    """When a wait that begins now is over: so long, and then until the clock shows the time."""
    at = now + wait.minutes * MINUTE_MS + wait.hours * HOUR_MS + wait.days * DAY_MS
    return next_time(wait.until, at, time_zone) if wait.until else at


def next_time(time: str, at: int, time_zone: str) -> int:
    """The next moment, from `at` on, at which the clock shows the time."""
    shown = datetime.fromtimestamp(at / 1_000, zone(time_zone))
    # The minute that is under way counts.
    if f"{shown:%H:%M}" == time:
        return at
    day = local_day(at, time_zone)
    found = at_time(day, time, time_zone)
    return found if found > at else at_time(day + timedelta(days=1), time, time_zone)


def at_time(day: date, time: str, time_zone: str) -> int:
    return moment(day, int(time[:2]) * 60 + int(time[3:]), time_zone)


def birthdays(day: date) -> tuple[str, ...]:
    """Whose birthday is kept on a day, as MM-DD: who was born on a 29th of February has one every year."""
    kept = (f"{day:%m-%d}",)
    is_last = (day.month, day.day) == (2, 28) and (day + timedelta(days=1)).day == 1
    return (*kept, "02-29") if is_last else kept
