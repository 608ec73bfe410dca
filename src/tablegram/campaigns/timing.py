"""When somebody may be written to: by the clock of the venue, or by that of their own number."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache

import phonenumbers

from tablegram.campaigns.model import Plan
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS
from tablegram.values.opening_hours import is_time_zone, local_day, minute_of_day, moment, zone

# Whoever names a later time has most likely mistyped it.
MAX_AHEAD_MS = 90 * DAY_MS
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def is_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None


def place_of(plan: Plan, phone: str) -> str:
    """The time zone that counts for somebody."""
    return plan.time_zone if plan.clock == "venue" else (zone_of(phone) or plan.time_zone)


@lru_cache(maxsize=65_536)
def zone_of(phone: str) -> str:
    """The time zone of a number where its country, or its part of it, has one; else nothing."""
    # Loaded when a number is first asked for: it is large.
    from phonenumbers import timezone

    try:
        zones = timezone.time_zones_for_number(phonenumbers.parse("+" + phone, None))
    except phonenumbers.NumberParseException:
        return ""
    return zones[0] if len(zones) == 1 and is_time_zone(zones[0]) else ""


def after_quiet(at_ms: int, plan: Plan, place: str) -> int:
    """The same moment, or the end of the quiet hours that it falls into."""
    if not plan.quiet_from or plan.quiet_from == plan.quiet_until:
        return at_ms
    begins, ends = minute_of_day(plan.quiet_from), minute_of_day(plan.quiet_until)
    shown = datetime.fromtimestamp(at_ms / 1_000, zone(place))
    minute = shown.hour * 60 + shown.minute
    is_quiet = begins <= minute < ends if begins < ends else (minute >= begins or minute < ends)
    if not is_quiet:
        return at_ms
    day = local_day(at_ms, place)
    # Over midnight they end on the next day.
    end = moment(day + timedelta(days=1) if minute >= ends else day, ends, place)
    # When the clock is put back, the hour before it comes once more.
    return end if end > at_ms else at_ms + HOUR_MS


def begins_for(plan: Plan, starts_at: int, place: str) -> int:
    """When it begins for somebody: the same time of the day as at the venue, by the clock of the place."""
    if place == plan.time_zone:
        return starts_at
    shown = datetime.fromtimestamp(starts_at / 1_000, zone(plan.time_zone))
    minute = shown.hour * 60 + shown.minute
    return moment(shown.date(), minute, place) + starts_at % MINUTE_MS


def is_too_late(plan: Plan, begins_at: int, now: int) -> bool:
    return now > begins_at + plan.start_window_min * MINUTE_MS


def earliest(plan: Plan, starts_at: int) -> int:
    """When the first of all clocks shows the time: a day has begun in the east when it is still another in the west."""
    return starts_at if plan.clock == "venue" else starts_at - 26 * HOUR_MS
