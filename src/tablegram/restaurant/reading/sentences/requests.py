"""A guest who asks for the bill or for somebody to come, in a text that says nothing else."""

from __future__ import annotations

from typing import Literal

from tablegram.restaurant.reading.sentences.wishes import without_courtesy
from tablegram.restaurant.reading.words.lexicon import (
    BILL_WORDS,
    CALLS_AROUND,
    FILLERS,
    PLACE_ENDINGS,
    TABLE_WORDS,
    WAITER_WORDS,
)
from tablegram.restaurant.reading.words.tokens import take_apart

# Who writes of their order, asks how much it is, or who paid, wants something else.
_AROUND = (FILLERS | TABLE_WORDS | PLACE_ENDINGS | CALLS_AROUND) - {"order", "ordering"}


def call_in(text: str) -> Literal["bill", "waiter"] | None:
    """What a text calls for, kind words aside. Every other word must be about that; a number may only be the table's."""
    return _call_in(text) or _call_in(without_courtesy(text))


def _call_in(text: str) -> Literal["bill", "waiter"] | None:
    tokens = take_apart(text)
    words = [token.key for token in tokens if token.kind == "word"]
    plain = [word for word in words if word not in BILL_WORDS and word not in WAITER_WORDS]
    numbers = [token for token in tokens if token.kind == "number" and token.bound != "article"]
    if (
        not all(word in _AROUND and not word.startswith("siparis") for word in plain)
        or (numbers and not set(words) & TABLE_WORDS)
        or len(numbers) > 1
    ):
        return None
    if any(token.kind in ("doubt", "note", "emoji") for token in tokens):
        return None
    if set(words) & BILL_WORDS:
        return "bill"
    return "waiter" if set(words) & WAITER_WORDS else None
