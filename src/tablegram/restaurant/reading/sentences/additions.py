"""What a guest adds to what they wrote before: `kıymalı, bir de kola`, `and two cokes`, `1 ayran daha`."""

from __future__ import annotations

import re

from tablegram.restaurant.reading.words.lexicon import ADDS, FILLERS, MORE
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.values.folding import fold

_MARK = re.compile(r"(?<!\w)(?:b[iıİ]r?\s*de|ayr[ıi]ca|also|plus)(?!\w)", re.IGNORECASE)

# `one lahmacun for my friend too`; not `too hot`.
_TOO = re.compile(r"\b(?:too|as\s+well)(?=\s*(?:[.,;!)]|please\b|pls\b|for\b|at\b|table\b|$))")


def split(text: str) -> tuple[str, str] | None:
    """What stands before the word that adds something, and what is added. Nothing where there is no such word."""
    mark = _MARK.search(text)
    return None if mark is None else (text[: mark.start()].strip(" ,;.\n"), text[mark.end() :].strip())


def is_addition(text: str) -> bool:
    """Whether a text adds to another one, rather than taking its place."""
    if _TOO.search(fold(text)):
        return True
    says = MORE | ADDS
    tokens = [
        token for token in take_apart(text) if token.kind != "word" or token.key not in FILLERS or token.key in says
    ]
    return bool(tokens) and (tokens[0].kind == "and" or any(token.key in says for token in tokens))
