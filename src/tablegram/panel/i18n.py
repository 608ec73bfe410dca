"""Words, numbers, money and times in the visitor's language."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup, escape

from tablegram.errors import FieldError, Problem
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS
from tablegram.values.figures import writing
from tablegram.values.http import languages
from tablegram.values.words import LANGUAGES, Words

WORDS = Words(__file__)
words = WORDS.of


def translate(language: str, key: str, **values: Any) -> str:
    """The words behind a key. With `n`, the key's `.one` or `.other` form is taken."""
    if not any(isinstance(value, Markup) for value in values.values()):
        return WORDS.say(language, key, **values)
    text, shown = WORDS.parts(language, key, values)
    return Markup(escape(text)).format(**shown)


def say(language: str, problem: Problem | FieldError) -> str:
    """A problem in the visitor's language where we have words for its code, else as the service said it."""
    text = words(language).get(f"problem.{problem.code}")
    if text and "{seconds}" in text:
        return text.format(seconds=getattr(problem, "retry_after_s", None) or 1)
    return text or problem.detail


def format_number(language: str, value: float, digits: int = 0) -> str:
    return writing.number(language, value, digits)


def format_money(language: str, micros: int, digits: int | None = None) -> str:
    """Millionths of a dollar. Below ten cents, where single messages are, the hundredths of a cent are shown too."""
    if digits is None:
        digits = 2 if micros % 10_000 == 0 or abs(micros) >= 100_000 else 4
    sign = "−" if micros < 0 else ""
    return f"{sign}${format_number(language, abs(micros) / 1_000_000, digits)}"


def format_percent(language: str, share: float) -> str:
    return writing.percent(language, share, 1 if 0 < share < 1 else 0)


def format_size(language: str, size: int) -> str:
    amount, unit = float(size), "B"
    for bigger in ("KB", "MB", "GB", "TB"):
        if amount < 1_000:
            break
        amount, unit = amount / 1_000, bigger
    return f"{format_number(language, amount, 0 if unit == 'B' or amount >= 10 else 1)} {unit}"


def format_exact(language: str, at_ms: int, zone: tzinfo) -> str:
    """To the second, for who compares."""
    return f"{format_moment(language, at_ms, zone)}:{at_ms // 1_000 % 60:02}"


def format_moment(language: str, at_ms: int, zone: tzinfo) -> str:
    return writing.moment(language, at_ms, zone, with_year=True)


def format_day(language: str, at_ms: int, zone: tzinfo, *, with_year: bool = False) -> str:
    return writing.day(language, datetime.fromtimestamp(at_ms / 1_000, zone).date(), with_year=with_year)


def format_date(language: str, day: date, *, with_year: bool = False) -> str:
    """A day of the calendar, which has no zone."""
    return writing.day(language, day, with_year=with_year)


def format_when(language: str, at_ms: int, now_ms: int, zone: tzinfo) -> str:
    """How long ago, or how soon; beyond a week the date."""
    gap = now_ms - at_ms
    away = abs(gap)
    if away < MINUTE_MS:
        return translate(language, "time.now")
    if away >= 7 * DAY_MS:
        this_year = datetime.fromtimestamp(now_ms / 1_000, zone).year
        other_year = datetime.fromtimestamp(at_ms / 1_000, zone).year != this_year
        return format_day(language, at_ms, zone, with_year=other_year)
    direction = "ago" if gap > 0 else "in"
    for unit, size in (("d", DAY_MS), ("h", HOUR_MS), ("m", MINUTE_MS)):
        if away >= size:
            return translate(language, f"time.{direction}_{unit}", count=away // size)
    raise AssertionError


def format_phone(phone: str) -> str:
    return f"+{phone}" if phone.isdecimal() else phone


def find_zone(name: str) -> tzinfo:
    """The visitor's time zone as the browser names it; anything else counts as UTC."""
    if not name or len(name) > 64 or name.startswith(("/", ".")):
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def choose_language(*wishes: str | None, accepted: str = "") -> str:
    """The first wish we can fulfil, else what the browser likes best, else English."""
    wish = next((wish for wish in wishes if wish in LANGUAGES), None)
    return languages.choose_language(wish, accepted, LANGUAGES)
