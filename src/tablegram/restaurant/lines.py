"""Lines: what a guest asks for, and the same with the menu's names and prices on it.

A `DishLine` holds no price. Prices come from the menu at the moment of asking, through `Prices`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

import msgspec

# Controls, line breaks of every kind, and the marks that turn the direction of other people's words.
_UNSEEN = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u200b\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff\\ud800-\\udfff]"
)


def tidy(text: str) -> str:
    """A guest's words on one line: they are printed, and shown between other people's words."""
    return " ".join(_UNSEEN.sub(" ", text).split())


class Choice(msgspec.Struct, frozen=True):
    """An option, and how often."""

    option_id: str
    quantity: int = 1


class DishLine(msgspec.Struct, frozen=True):
    """One dish with its options and the guest's note, so many times."""

    item_id: str
    quantity: int = 1
    choices: tuple[Choice, ...] = ()
    note: str = ""

    @property
    def key(self) -> tuple[str, tuple[tuple[str, int], ...], str]:
        """Two lines with the same key are the same thing for the kitchen."""
        # Most dishes have one option, or none.
        chosen = [(choice.option_id, choice.quantity) for choice in self.choices]
        return self.item_id, tuple(sorted(chosen) if len(chosen) > 1 else chosen), self.note


class PricedLine(msgspec.Struct, frozen=True):
    """A line as the menu had it at that moment; kept with the order, whatever becomes of the menu."""

    item_id: str
    name: str
    kitchen_name: str
    station: str
    quantity: int
    # Minor units for one, its options included.
    unit_price: int
    options: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    note: str = ""
    # The options as the kitchen reads them: in the menu's own language, whatever the guest speaks.
    kitchen_options: tuple[str, ...] = ()
    # The tax that the price includes, in hundredths of a percent; nothing where nobody has said it.
    vat: int | None = None

    @property
    def amount(self) -> int:
        return self.quantity * self.unit_price

    @property
    def line(self) -> DishLine:
        return DishLine(self.item_id, self.quantity, self.choices, self.note)


class LineProblem(msgspec.Struct, frozen=True):
    """Why a line cannot be had as it is: a stable code, and words for the guest."""

    code: str
    detail: str
    # The dish's name, where it is known.
    name: str = ""
    option_id: str = ""


class Prices(Protocol):
    """The menu of one venue at one moment, for one kind of order and in one language."""

    def price(self, line: DishLine) -> PricedLine | tuple[LineProblem, ...]: ...


class Trouble(msgspec.Struct, frozen=True):
    """A line that cannot be had, and everything that is wrong with it."""

    line: DishLine
    problems: tuple[LineProblem, ...]


class Reckoning(msgspec.Struct, frozen=True):
    """Lines as the menu has them now: those that can be had, in their order, and those that cannot."""

    lines: tuple[PricedLine, ...]
    troubles: tuple[Trouble, ...] = ()

    @property
    def subtotal(self) -> int:
        return sum(line.amount for line in self.lines)

    @property
    def remaining(self) -> tuple[DishLine, ...]:
        """The cart without what cannot be had."""
        return tuple(line.line for line in self.lines)


def reckon(lines: Iterable[DishLine], prices: Prices) -> Reckoning:
    """Price every line anew. Nothing that was shown, kept or written in a text before is believed."""
    priced: list[PricedLine] = []
    troubles: list[Trouble] = []
    for line in lines:
        answer = prices.price(line)
        if isinstance(answer, PricedLine):
            priced.append(answer)
        else:
            troubles.append(Trouble(line, answer))
    return Reckoning(tuple(priced), tuple(troubles))


def join_same(lines: Iterable[DishLine]) -> tuple[DishLine, ...]:
    """Lines that are the same for the kitchen become one; the others keep their order."""
    joined: dict[object, DishLine] = {}
    for line in lines:
        key = line.key
        seen = joined.get(key)
        joined[key] = line if seen is None else msgspec.structs.replace(seen, quantity=seen.quantity + line.quantity)
    return tuple(joined.values())
