"""What a message costs: line kind × country calling code × category, from dated cards kept as data.

A file holds one or more cards. The newest card that is already valid counts; before the first one,
the first. In a card a calling code's row may leave categories out, which then come from the row of
the same line kind for every other country (`"*"`), and that row is complete.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import msgspec

from tablegram.errors import Misconfigured

CATEGORIES = ("marketing", "utility", "authentication", "service")
KINDS = ("cloud", "linked", "sandbox")

SAMPLE = Path(__file__).with_name("rate_card.sample.json")

_EVERYWHERE = 0
_MICROS = 1_000_000
# Nobody charges this for a message; somebody writes cents where dollars belong.
_MAX_USD = 100


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    calling_code: str
    usd: dict[str, Decimal]


class _Card(msgspec.Struct, forbid_unknown_fields=True):
    valid_from: date
    rows: list[_Row]
    sample: bool = False
    note: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    cards: list[_Card]


# By line kind and calling code: the price of each category.
_Prices = dict[tuple[str, int], dict[str, int]]


class RateCard:
    """Prices in millionths of a dollar. A look-up is two dictionary reads."""

    def __init__(self, starts_ms: list[int], prices: list[_Prices], *, is_sample: bool) -> None:
        self._starts_ms = starts_ms
        self._prices = prices
        # Whether any of the figures are made up, which the product says wherever it shows them.
        self.is_sample = is_sample

    @classmethod
    def load(cls, path: str | Path | None = None) -> RateCard:
        """Read a file of cards, the shipped sample without one; `Misconfigured` says what is wrong with it."""
        source = Path(path) if path else SAMPLE
        try:
            file = msgspec.json.decode(source.read_bytes(), type=_File)
        except OSError as error:
            raise Misconfigured(f"The rate card {source} cannot be read: {error.strerror}.") from error
        except msgspec.DecodeError as error:
            raise Misconfigured(f"The rate card {source} is not as it should be: {error}.") from error
        if not file.cards:
            raise Misconfigured(f"The rate card {source} holds no card.")
        cards = sorted(file.cards, key=lambda card: card.valid_from)
        if len({card.valid_from for card in cards}) < len(cards):
            raise Misconfigured(f"The rate card {source} has two cards with the same valid_from.")
        prices = [_index(card, f"The rate card {source}, valid from {card.valid_from},") for card in cards]
        return cls(
            [_midnight_ms(card.valid_from) for card in cards], prices, is_sample=any(card.sample for card in cards)
        )

    def price_micros(self, kind: str, calling_code: int, category: str, at_ms: int) -> int:
        """The price of one message. A category that no card knows costs as much as the dearest one."""
        prices = self._prices[max(0, bisect_right(self._starts_ms, at_ms) - 1)]
        row = prices.get((kind, calling_code)) or prices[kind, _EVERYWHERE]
        price = row.get(category)
        return max(row.values()) if price is None else price


def _index(card: _Card, where: str) -> _Prices:
    prices: _Prices = {}
    for number, row in enumerate(card.rows, 1):
        here = f"{where} row {number}:"
        if row.kind not in KINDS:
            raise Misconfigured(f"{here} kind must be one of {', '.join(KINDS)}, not {row.kind!r}.")
        place = row.kind, _calling_code(row.calling_code, here)
        if place in prices:
            raise Misconfigured(f"{here} {row.kind} {row.calling_code} is there twice.")
        prices[place] = {category: _micros(category, usd, here) for category, usd in row.usd.items()}
    # The sandbox costs nothing, but shows what the real network would ask.
    if not any(kind == "sandbox" for kind, _ in prices):
        prices |= {("sandbox", code): row for (kind, code), row in prices.items() if kind == "cloud"}
    for kind in KINDS:
        everywhere = prices.get((kind, _EVERYWHERE), {})
        missing = [category for category in CATEGORIES if category not in everywhere]
        if missing:
            raise Misconfigured(
                f'{where} needs a row for {kind} with calling_code "*" and a price for {", ".join(missing)}.'
            )
    return {(kind, code): prices[kind, _EVERYWHERE] | row for (kind, code), row in prices.items()}


def _calling_code(text: str, here: str) -> int:
    if text == "*":
        return _EVERYWHERE
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 3 and text[0] != "0"):
        raise Misconfigured(f'{here} calling_code must be 1 to 3 digits such as "90", or "*", not {text!r}.')
    return int(text)


def _micros(category: str, usd: Decimal, here: str) -> int:
    if category not in CATEGORIES:
        raise Misconfigured(f"{here} category must be one of {', '.join(CATEGORIES)}, not {category!r}.")
    if not usd.is_finite() or not 0 <= usd <= _MAX_USD:
        raise Misconfigured(f"{here} the price for {category} must be between 0 and {_MAX_USD} dollars, not {usd}.")
    micros = usd * _MICROS
    if micros != int(micros):
        raise Misconfigured(f"{here} the price for {category} may have at most 6 decimals, not {usd}.")
    return int(micros)


def _midnight_ms(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1_000
