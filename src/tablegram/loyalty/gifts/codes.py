"""Codes of gift cards: twelve signs in groups of four, easy to say and to type, and beyond guessing."""

from __future__ import annotations

import re

from tablegram.loyalty.coupons import fold_code, new_code

LENGTH = 12
# What the signs of codes are folded to; none of them is mistaken for another.
_SIGNS = re.compile("[abcdefghjkmnpqrstuvwxyz2-9]{12}")


def draw() -> str:
    return fold_code(new_code(LENGTH))


def fold(text: str) -> str:
    """A code as it is looked for."""
    return fold_code(text[:64])


def shown(code: str) -> str:
    """As people read it: 7KMP-Q2RX-9TDA."""
    return "-".join(code[place : place + 4] for place in range(0, len(code), 4)).upper()


def hint(code: str) -> str:
    """Enough to tell cards apart, and nothing that could be spent."""
    return f"•••• {code[-4:].upper()}"


def looks_like_one(text: str) -> bool:
    return _SIGNS.fullmatch(fold(text)) is not None
