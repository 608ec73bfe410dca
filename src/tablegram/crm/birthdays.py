"""Birthdays of contacts: a month and a day. Whoever tells the year as well is understood, and it is not kept."""

from __future__ import annotations

import re

_DAY = "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))"
# As programs write it; empty where nobody told it.
PATTERN = f"^(((1[89]|20)[0-9][0-9]-)?{_DAY})?$"
_WRITTEN = re.compile(PATTERN)
# As people write it: the day, the month and perhaps the year, by dots or slashes.
_BY_PEOPLE = re.compile(r"([0-9]{1,2})[./]([0-9]{1,2})(?:[./](?:[0-9]{4})?)?")


def read(text: str) -> str | None:
    """The month and the day, `MM-DD`; empty for nothing, and nothing for what is no day of a year."""
    text = text.strip()
    found = _BY_PEOPLE.fullmatch(text)
    if found is not None:
        text = f"{int(found[2]):02}-{int(found[1]):02}"
    return text[-5:] if text.isascii() and _WRITTEN.fullmatch(text) else None
