"""Hours in which nobody is written to: what falls into them goes when they end."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache

import phonenumbers

from tablegram.stores.notifications.model import Wording
from tablegram.values.opening_hours import is_time_zone, local_day, minute_of_day, moment, zone

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def is_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None


def after_quiet(at_ms: int, wording: Wording, phone: str) -> int:
    """The same moment, or the end of the quiet hours that it falls into."""
    if not wording.quiet_from or wording.quiet_from == wording.quiet_until:
        return at_ms
    place = wording.time_zone or zone_of(phone)
    begins, ends = minute_of_day(wording.quiet_from), minute_of_day(wording.quiet_until)
    shown = datetime.fromtimestamp(at_ms / 1_000, zone(place))
    minute = shown.hour * 60 + shown.minute
    is_quiet = begins <= minute < ends if begins < ends else (minute >= begins or minute < ends)
    if not is_quiet:
        return at_ms
    day = local_day(at_ms, place)
    # Over midnight they end on the next day.
    end = moment(day + timedelta(days=1) if minute >= ends else day, ends, place)
    # When the clock is put back, the hour before it comes once more.
    return end if end > at_ms else at_ms + 3_600_000


@lru_cache(maxsize=4_096)
def zone_of(phone: str) -> str:
    """The time zone of a number with its country code; where a country has several, the first that the plan names."""
    # Loaded when a number is first asked for: it is large, and most shops have a zone of their own.
    from phonenumbers import timezone

    try:
        zones = timezone.time_zones_for_number(phonenumbers.parse("+" + phone, None))
    except phonenumbers.NumberParseException:
        zones = ()
    return next((one for one in zones if is_time_zone(one)), "UTC")
