"""Values that every layer shares: parsed once, trusted after. They know no domain."""

from __future__ import annotations

from math import isfinite

# JSON whose fields nobody here fixes: what strangers wrote, and notes that differ from one to the next. It is read field by
# field where it is read, by the functions below: each gives its type back, whatever came. Whatever has fields of its own is
# a struct.
Json = dict[str, object]


def mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def dicts(value: object) -> list[Json]:
    """The objects of a list; anything else in it, or in its place, is left out."""
    # Callbacks ask for many lists that are not there: a call inside would cost an eighth of reading one.
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: object) -> str:
    """A text as it is, and an empty one for everything else."""
    return value if isinstance(value, str) else ""


def whole(value: object) -> int:
    """The whole number, also of one that is written in digits or with decimals; 0 for everything else."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 18:
        return int(value)
    if isinstance(value, float):
        return int(value) if isfinite(value) else 0
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
