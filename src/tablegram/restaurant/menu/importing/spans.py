"""Days and times in one cell of a table: `mon-fri 11:00-15:00; sat,sun 10:00-14:00`."""

from __future__ import annotations

import re

from tablegram.restaurant.hours import check_hours_of_week
from tablegram.values.folding import fold
from tablegram.values.opening_hours import DAYS, Day, WeekSpan

_SHORT: dict[str, int] = {
    **{day[:3]: number for number, day in enumerate(DAYS)},
    **{day: number for number, day in enumerate(DAYS)},
    **{day: number for number, day in enumerate(("pzt", "sal", "car", "per", "cum", "cmt", "paz"))},
    **{
        day: number
        for number, day in enumerate(("pazartesi", "sali", "carsamba", "persembe", "cuma", "cumartesi", "pazar"))
    },
}
_PART = re.compile(r"(?:(?P<days>[a-z]+(?:\s*[-,]\s*[a-z]+)*)\s+)?(?P<opens>\d\d?:\d\d)\s*-\s*(?P<closes>\d\d?:\d\d)")


def read_spans(cell: str) -> list[WeekSpan]:
    """The spans that a cell names; without days they are every day's. Raises `ValueError` for what is none."""
    spans: list[WeekSpan] = []
    for part in filter(None, (one.strip() for one in re.split(r"[;\n]", fold(cell)))):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(part)
        opens, closes = (match[name].zfill(5) for name in ("opens", "closes"))
        spans += [WeekSpan(day, opens, closes) for day in _days(match["days"])]
    if not check_hours_of_week(spans):
        raise ValueError(cell)
    return spans


def write_spans(spans: list[WeekSpan]) -> str:
    """The cell for these spans: days with the same times together."""
    by_time: dict[tuple[str, str], list[str]] = {}
    for span in spans:
        by_time.setdefault((span.opens, span.closes), []).append(span.day[:3])
    return "; ".join(f"{','.join(days)} {opens}-{closes}" for (opens, closes), days in by_time.items())


def _days(text: str | None) -> list[Day]:
    if text is None:
        return list(DAYS)
    found: list[Day] = []
    for part in text.split(","):
        ends = [_SHORT.get(one.strip()) for one in part.split("-")]
        first, last = ends[0], ends[-1]
        if first is None or last is None or len(ends) > 2:
            raise ValueError(part)
        # From Friday to Monday goes over the week's end.
        found += [DAYS[(first + step) % 7] for step in range((last - first) % 7 + 1)]
    return found
