"""Figures as each language writes them, by the same rules as the browser's."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

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


@pytest.mark.parametrize("language", ["en", "tr"])
def test_what_is_remembered_is_what_was_asked_for(language: str) -> None:
    assert writing.number(language, 2) == "2"
    assert writing.number(language, 2, 1)[1:] == writing.number(language, 3, 1)[1:] != ""
