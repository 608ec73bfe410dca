"""Numbers, money, days, times and plurals as each language writes them: the rules of Unicode's CLDR, by Babel.

Pages and messages write the same few figures again and again, so what was written is remembered. Babel is loaded by the first
of them: a gateway that only sends never needs it.
"""

from __future__ import annotations

import copy
import re
from datetime import date, datetime, tzinfo
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from babel import Locale
    from babel.numbers import NumberPattern

REMEMBERED = 4_096
# Between a currency that is named by its letters and its figure.
_SPACE = "\u00a0"
# They tell a screen which way to write, and mean nothing on paper or to who compares.
_DIRECTIONS = str.maketrans("", "", "\u200e\u200f\u061c")


@lru_cache(64)
def _place(language: str) -> Locale:
    """How a language writes; English for one that is not known."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")


@lru_cache(256)
def _pattern(language: str, kind: Literal["decimal", "percent", "currency"], digits: int) -> NumberPattern:
    """How a language writes such numbers, with just so many decimals."""
    place = _place(language)
    known = {"decimal": place.decimal_formats, "percent": place.percent_formats, "currency": place.currency_formats}
    pattern: NumberPattern = copy.copy(known[kind]["standard" if kind == "currency" else None])
    pattern.frac_prec = (digits, digits)
    return pattern


def _write(language: str, kind: Literal["decimal", "percent", "currency"], value: float | Decimal, digits: int) -> str:
    written: str = _pattern(language, kind, digits).apply(value, _place(language))
    return written.translate(_DIRECTIONS)


@lru_cache(REMEMBERED)
def number(language: str, value: float, digits: int = 0) -> str:
    return _write(language, "decimal", value, digits)


@lru_cache(REMEMBERED)
def exact(language: str, value: float) -> str:
    """With as many decimals as it has: `10`, `8.5`, `8,5`."""
    figure = Decimal(repr(value)).normalize()
    return _write(language, "decimal", figure, max(0, -int(figure.as_tuple().exponent)))


def for_field(language: str, value: Decimal, digits: int) -> str:
    """As it stands in a field: nothing between the thousands, which might be read as decimals."""
    place = _place(language)
    return str(_pattern(language, "decimal", digits).apply(value, place, group_separator=False))


@lru_cache(REMEMBERED)
def percent(language: str, share: float, digits: int = 0) -> str:
    return _write(language, "percent", share, digits)


@lru_cache(REMEMBERED)
def money(language: str, value: Decimal, symbol: str, digits: int) -> str:
    """An amount with the sign of its currency where the language has it."""
    before, _, behind = _write(language, "currency", value, digits).partition("¤")
    left = _SPACE if symbol[:1].isalpha() and before[-1:].isdigit() else ""
    right = _SPACE if symbol[-1:].isalpha() and behind[:1].isdigit() else ""
    return f"{before}{left}{symbol}{right}{behind}"


@lru_cache(REMEMBERED)
def day(language: str, when: date, *, with_year: bool = False) -> str:
    """`7 Sep`, `7 Eyl 2026`. English readers live everywhere: they get the day first, and the month in letters."""
    from babel.dates import format_date, format_skeleton

    place = _place(language)
    if place.language == "en":
        return str(format_date(when, "d MMM y" if with_year else "d MMM", locale=place))
    return str(format_skeleton("yMMMd" if with_year else "MMMd", when, locale=place)).translate(_DIRECTIONS)


@lru_cache(REMEMBERED)
def short_day(language: str, when: date) -> str:
    """The whole date as bills and tickets have it: `07.09.2026`; `7 Sep 2026` where 07/09 might mean the ninth of July."""
    from babel.dates import format_date

    place = _place(language)
    if place.language == "en":
        return day(language, when, with_year=True)
    # Always two figures for a day and a month, so that columns on paper stay where they are.
    pattern = re.sub("M+", "MM", re.sub("d+", "dd", place.datetime_skeletons["yMd"].pattern))
    return str(format_date(when, pattern, locale=place)).translate(_DIRECTIONS)


def clock(at_ms: int, there: tzinfo) -> str:
    """`18:30`. A day has 24 hours in every language, as in opening hours and as the guest's page has it in the browser."""
    return f"{datetime.fromtimestamp(at_ms / 1_000, there):%H:%M}"


def moment(language: str, at_ms: int, there: tzinfo, *, with_year: bool = False) -> str:
    """`7 Sep 18:30`, `7 Eyl 2026 18:30`."""
    return f"{day(language, _date(at_ms, there), with_year=with_year)} {clock(at_ms, there)}"


def stamp(language: str, at_ms: int, there: tzinfo) -> str:
    """A moment as bills and tickets have it: `07.09.2026 18:30`."""
    return f"{short_day(language, _date(at_ms, there))} {clock(at_ms, there)}"


def _date(at_ms: int, there: tzinfo) -> date:
    return datetime.fromtimestamp(at_ms / 1_000, there).date()


def plural(language: str, count: float) -> str:
    """Which form of its words a number takes: `one` or `other`, and more in some languages."""
    return str(_place(language).plural_form(count))
