"""Figures as each language writes them, by the same rules as the browser's."""

from __future__ import annotations

from datetime import UTC, date
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from tablegram.values.figures import writing

SPACE, THIN = "\u00a0", "\u202f"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "€1,250.50"),
        ("tr", "€1.250,50"),
        ("de", f"1.250,50{SPACE}€"),
        ("fr", f"1{THIN}250,50{SPACE}€"),
        ("pl", f"1{SPACE}250,50{SPACE}€"),
        ("nl", f"€{SPACE}1.250,50"),
        ("pt-BR", f"€{SPACE}1.250,50"),
        # Without the marks that tell a screen which way to write.
        ("ar", f"1,250.50{SPACE}€"),
        # Nobody's language is written as in English.
        ("qq", "€1,250.50"),
        ("", "€1,250.50"),
        ("../../etc", "€1,250.50"),
    ],
)
def test_money_is_written_where_and_as_the_language_does(language: str, text: str) -> None:
    assert writing.money(language, Decimal("1250.5"), "€", 2) == text


@pytest.mark.parametrize(
    ("language", "symbol", "text"),
    [("en", "CHF", f"CHF{SPACE}12.50"), ("de", "CHF", f"12,50{SPACE}CHF"), ("tr", "$", "$12,50")],
)
def test_a_currency_that_is_named_by_letters_keeps_its_distance(language: str, symbol: str, text: str) -> None:
    assert writing.money(language, Decimal("12.5"), symbol, 2) == text


def test_numbers_percents_days_and_plurals_follow_the_language() -> None:
    assert [writing.number(one, 12_345.678, 1) for one in ("en", "tr")] == ["12,345.7", "12.345,7"]
    assert [writing.percent(one, 0.125, 1) for one in ("en", "tr")] == ["12.5%", "%12,5"]
    assert [writing.day(one, date(2026, 9, 7)) for one in ("en", "tr")] == ["7 Sep", "7 Eyl"]
    assert [writing.day(one, date(2026, 9, 7), with_year=True) for one in ("en", "tr")] == ["7 Sep 2026", "7 Eyl 2026"]
    assert [writing.plural("en", count) for count in (0, 1, 2)] == ["other", "one", "other"]


def test_a_number_has_as_many_decimals_as_it_needs_and_nothing_that_a_field_would_misread() -> None:
    assert [writing.exact("tr", one) for one in (10.0, 8.5, 1.25, 0.0)] == ["10", "8,5", "1,25", "0"]
    assert writing.exact("en", 8.5) == "8.5"
    assert [writing.for_field(one, Decimal("1250.5"), 2) for one in ("en", "tr")] == ["1250.50", "1250,50"]
    assert writing.for_field("tr", Decimal(1250), 0) == "1250"


def test_a_moment_is_written_as_its_readers_write_it_by_the_clock_of_its_place() -> None:
    there, at_ms = ZoneInfo("Europe/Istanbul"), 1_788_816_600_000
    assert writing.clock(at_ms, there) == "00:30"
    assert [writing.moment(one, at_ms, there) for one in ("en", "tr")] == ["8 Sep 00:30", "8 Eyl 00:30"]
    assert writing.moment("en", at_ms, UTC, with_year=True) == "7 Sep 2026 21:30"
    assert writing.day("de", date(2026, 9, 7)) == "7. Sept."
    bills = {"en": "7 Sep 2026 21:30", "en-US": "7 Sep 2026 21:30", "tr": "07.09.2026 21:30", "de": "07.09.2026 21:30"}
    assert {one: writing.stamp(one, at_ms, UTC) for one in bills} == bills


@pytest.mark.parametrize("language", ["en", "tr"])
def test_what_is_remembered_is_what_was_asked_for(language: str) -> None:
    assert writing.number(language, 2) == "2"
    assert writing.number(language, 2, 1)[1:] == writing.number(language, 3, 1)[1:] != ""
