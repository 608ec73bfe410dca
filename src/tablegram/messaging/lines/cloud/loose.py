"""What the network writes in ways of its own: its bytes, texts, numbers and times. Each function gives its type back."""

from __future__ import annotations

import re

import msgspec

# Times above this are milliseconds: as seconds they would lie beyond the year 5000.
_MILLISECONDS_FROM = 100_000_000_000
# The end of the year 9999, after which no calendar can show a time.
_LATEST_MS = 253_402_300_799_999


# An escaped backslash and a whole pair are passed over, so that only a half without its other half is left.
_SURROGATES = re.compile(
    rb"(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)

_WRITTEN = re.compile(r"[\s+().\-\u2010-\u2015]")
_DIALLED = re.compile(r"[1-9][0-9]{6,14}", re.ASCII)


def decode(raw: bytes) -> object:
    """JSON, also where a person's text was cut in the middle of a character. Raises `ValueError` otherwise."""
    try:
        return msgspec.json.decode(raw)
    except ValueError:
        whole = raw.decode("utf-8", "replace").encode()
        mended = _SURROGATES.sub(lambda found: found[1] or rb"\ufffd", whole)
        if mended == raw:
            raise
        return msgspec.json.decode(mended)


def text(value: object) -> str:
    """A string as it is, a whole number in digits, and nothing for the rest. Not every store can keep a NUL."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return ""


def phone(value: object) -> str:
    """The digits of a number that is written for people, `+1 631-555-1111`; nothing for what cannot be dialled."""
    digits = _WRITTEN.sub("", text(value))
    return digits if _DIALLED.fullmatch(digits) else ""


def at_ms(value: object) -> int:
    """A time in whole milliseconds from seconds or milliseconds, as number or text; 0 when there is none."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e18:
        return 0
    whole = int(value) if value >= _MILLISECONDS_FROM else int(value * 1_000)
    return min(whole, _LATEST_MS)
