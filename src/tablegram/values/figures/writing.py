"""Numbers, money, days and plurals as each language writes them: the rules of Unicode's CLDR, by Babel.

Pages and messages write the same few figures again and again, so what was written is remembered. Babel is loaded by the first
of them: a gateway that only sends never needs it.
"""

from __future__ import annotations

import copy
from datetime import date
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
    """`7 Sep`, `7 Eyl 2026`."""
    from babel.dates import format_date

    return str(format_date(when, "d MMM y" if with_year else "d MMM", locale=_place(language)))


def plural(language: str, count: float) -> str:
    """Which form of its words a number takes: `one` or `other`, and more in some languages."""
    return str(_place(language).plural_form(count))
