"""The ready text: what the guest's app sends to the restaurant, readable in a chat, with the cart's code at its end.

People read the lines; the program reads only the code. Prices and lines in a text are never believed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from tablegram.restaurant.carts.codes import CodesFound, find_codes, show
from tablegram.restaurant.lines import PricedLine, tidy
from tablegram.values.money import written
from tablegram.values.words import Words

__all__ = ["CodesFound", "Slip", "find_codes", "render"]

# A link carries the text, and phones cut long links; a letter beyond ASCII takes six places and more in one.
MAX_TEXT = 1_500
# Room that is kept for what was left out, the total and the code.
_FOOT = 120

_WORDS = Words(__file__)
# Marks with which chats make letters bold, and the sign that announces a code: a dish or a note has none of them.
_MARKS = re.compile(r"[*_~`#]")
_FIRST_STRONG, _END = "\u2068", "\u2069"


class Slip(msgspec.Struct, frozen=True):
    """Everything that stands in a ready text."""

    code: str
    order_type: str
    lines: tuple[PricedLine, ...]
    total: int
    currency: str
    language: str = "en"
    table: str = ""
    notes: str = ""
    charges: int = 0
    delivery: int = 0
    discounts: int = 0


def render(slip: Slip) -> str:
    """The text, in the guest's language (English where we have not theirs). The code is always in it."""
    words = _WORDS.of(slip.language)
    where = words["table"].format(table=_plain(slip.table)) if slip.table else words[slip.order_type]
    head = [f"*{words['order']}: {where}*"]
    foot = []
    if slip.notes:
        foot.append(f"{words['note']}: {_plain(slip.notes)}")
    for name, amount in (("charges", slip.charges), ("brought", slip.delivery), ("discounts", -slip.discounts)):
        if amount:
            foot.append(f"{words[name]}: {written(amount, slip.currency, slip.language)}")
    foot.append(f"*{words['total']}: {written(slip.total, slip.currency, slip.language)}*")
    foot.append(f"{words['code']}: #{show(slip.code)}")
    room = MAX_TEXT - _FOOT - sum(len(part) + 1 for part in head + foot)
    return "\n".join([*head, *_lines(slip.lines, room, words), *foot])


def _lines(lines: Sequence[PricedLine], room: int, words: dict[str, str]) -> list[str]:
    shown: list[str] = []
    for index, line in enumerate(lines):
        text = _line(line)
        room -= len(text) + 1
        if room < 0:
            return [*shown, words["more"].format(count=len(lines) - index)]
        shown.append(text)
    return shown


def _line(line: PricedLine) -> str:
    text = f"{line.quantity} × {_plain(line.name)}"
    if line.options:
        text += f" ({', '.join(_plain(option) for option in line.options)})"
    return f"{text} [{_plain(line.note)}]" if line.note else text


def _plain(text: str) -> str:
    """One line that neither looks like a code nor turns the words around it about."""
    joined = tidy(_MARKS.sub(" ", text))
    if find_codes(joined).codes:
        # Somebody's code inside a note would make two of them in one text; every code has a digit.
        joined = re.sub(r"[^\W\D_]", "?", joined)
    turned = any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in joined)
    return f"{_FIRST_STRONG}{joined}{_END}" if turned else joined
