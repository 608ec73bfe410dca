"""Endings that Turkish puts on what is filled in."""

from __future__ import annotations

import re

_TIME = re.compile(r"([0-9]{2}):([0-9]{2})$")
# What "to" is after a number as it is read out: altıya, dokuza, yirmiye.
_ONES = ("", "e", "ye", "e", "e", "e", "ya", "ye", "e", "a")
_TENS = ("a", "a", "ye", "a", "a", "ye")


def until(time: str) -> str:
    """A time with the ending that `kadar` asks for: 06:00'ya, 23:30'a, yarın 12:45'e. Other texts stay."""
    found = _TIME.search(time)
    if found is None:
        return time
    hour, minute = int(found[1]), int(found[2])
    read = minute or hour
    return f"{time}'{_ONES[read % 10] or _TENS[read // 10]}"
