"""Money: whole minor units inside, decimal numbers on the wire, people's own writing on paper."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.values.money import EXPONENTS, MAX_AMOUNT, Money, from_wire, from_writing, share, to_wire, written

CURRENCIES = st.sampled_from(["TRY", "EUR", "JPY", "KWD", "USD"])
AMOUNTS = st.integers(-MAX_AMOUNT, MAX_AMOUNT)


@given(AMOUNTS, CURRENCIES)
def test_an_amount_comes_back_from_the_wire_unharmed(amount: int, currency: str) -> None:
    sent = msgspec.json.encode(to_wire(amount, currency))
    assert from_wire(msgspec.json.decode(sent), currency) == amount


@given(AMOUNTS, CURRENCIES)
def test_the_wire_shows_the_same_decimal_number(amount: int, currency: str) -> None:
    assert Decimal(repr(to_wire(amount, currency))) == Money(amount, currency).decimal


@given(st.integers(0, 10**9), CURRENCIES, st.sampled_from(["en", "tr", "de", "fr"]))
def test_what_we_write_we_can_read(amount: int, currency: str, language: str) -> None:
    text = written(amount, currency, language)
    if language == "en" or currency in ("TRY", "EUR", "USD"):
        assert from_writing(text, currency) == amount


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("12", "TRY", 1200), ("12,5", "TRY", 1250), ("12.50", "TRY", 1250), ("₺ 12,50", "TRY", 1250),
        ("1.250,00 TL", "TRY", 125_000), ("1,250.00", "USD", 125_000), ("$1,250", "USD", 125_000),
        ("1.250", "TRY", 125_000), ("1 250,5", "EUR", 125_050), ("1.234.567", "TRY", 123_456_700),
        ("-5", "TRY", -500), ("500", "JPY", 500), ("1.250", "KWD", 1_250), ("0", "TRY", 0), ("12 try", "TRY", 1200),
    ],
)  # fmt: skip
def test_prices_are_read_as_people_write_them(text: str, currency: str, amount: int) -> None:
    assert from_writing(text, currency) == amount


@pytest.mark.parametrize(
    "text", ["", "free", "12,50,3", "1.25.3", "12.345", "1234.567", "1.,5", "12-50", "1.234,567.00", "₺", "１２", "1e3"]
)
def test_what_could_mean_two_things_is_no_price(text: str) -> None:
    if text == "12.345":
        # A point before three figures parts thousands, as on every Turkish price list.
        assert from_writing(text, "TRY") == 1_234_500
        return
    with pytest.raises(ValueError):
        from_writing(text, "TRY")


@pytest.mark.parametrize("value", [0.001, "1_000", "x", True, float("nan"), float("inf"), 10**13, "1e3", 1.005])
def test_what_the_currency_cannot_hold_is_refused_on_the_wire(value: float | str) -> None:
    with pytest.raises(ValueError):
        from_wire(value, "TRY")


def test_halves_are_rounded_away_from_zero() -> None:
    assert [share(amount, 1_000) for amount in (4, 5, 14, 15, 16, -5)] == [0, 1, 1, 2, 2, -1]
    assert Money(12_345, "TRY").share(1_000) == Money(1_235, "TRY")


def test_different_currencies_never_meet() -> None:
    assert Money(5, "TRY") + Money(7, "TRY") == Money(12, "TRY")
    assert Money(5, "TRY") * 3 - Money(1, "TRY") == Money(14, "TRY")
    with pytest.raises(ValueError, match="EUR"):
        Money(5, "TRY") + Money(5, "EUR")


@pytest.mark.parametrize(
    ("amount", "currency", "language", "text"),
    [
        (123_450, "TRY", "tr", "₺1.234,50"), (123_450, "TRY", "en", "₺1,234.50"), (123_450, "EUR", "de", "1.234,50\u00a0€"),
        (-500, "TRY", "tr-TR", "-₺5,00"), (500, "JPY", "en", "¥500"), (1_250, "KWD", "en", "KWD\u00a01.250"),
        (5, "TRY", "xx", "₺0.05"),
    ],
)  # fmt: skip
def test_money_is_written_as_the_language_does(amount: int, currency: str, language: str, text: str) -> None:
    assert Money(amount, currency).written(language) == text


def test_every_currency_has_three_letters_and_a_known_number_of_decimals() -> None:
    assert all(len(code) == 3 and code.isupper() and places in (0, 2, 3) for code, places in EXPONENTS.items())
