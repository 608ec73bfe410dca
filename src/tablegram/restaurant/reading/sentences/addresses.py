"""Where an order is to be brought, when that stands beside the dishes: on a line of its own, or between commas."""

from __future__ import annotations

import re

from tablegram.restaurant.reading.letters.suffixes import without
from tablegram.restaurant.reading.words.lexicon import ADDRESS_WORDS, ASKS, DENIES_AFTER, DENIES_BEFORE, NO_FOOD
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold

_LABEL = re.compile(r"^\s*(?:adresim(?:iz)?|adres|address)\s*[:=-]?\s*", re.IGNORECASE)
# Who says more than where it is has not gone on with his address.
_SAYS = NO_FOOD | ASKS | DENIES_BEFORE | DENIES_AFTER
_PART = re.compile(r"[^,;\n]+")


def take_out(text: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """The text without an address, and the address. Whatever has a dish in it is none."""
    if not ADDRESS_WORDS & set(re.findall(r"\w+", fold(text))):
        return text, ""
    parts = [match for match in _PART.finditer(text) if match[0].strip()]
    start = next((place for place, part in enumerate(parts) if _is_address(part[0])), None)
    if start is None or _is_known(parts[start][0], vocabulary):
        return text, ""
    end = start + 1
    # What follows on the same line belongs to it: the quarter, the town, the bell.
    while end < len(parts) and _goes_on(text[parts[end - 1].end() : parts[end].start()], parts[end][0], vocabulary):
        end += 1
    written = text[parts[start].start() : parts[end - 1].end()]
    rest = f"{text[: parts[start].start()]}{text[parts[end - 1].end() :]}"
    return rest.strip(" ,;"), " ".join(_LABEL.sub("", written).split())


def _is_address(part: str) -> bool:
    tokens = take_apart(part)
    has_number = any(token.kind in ("number", "doubt") for token in tokens)
    return has_number and any(token.kind == "word" and token.key in ADDRESS_WORDS for token in tokens)


def _goes_on(gap: str, part: str, vocabulary: Vocabulary) -> bool:
    words = {token.key for token in take_apart(part) if token.kind == "word"}
    is_order = _is_known(part, vocabulary) or bool(words & _SAYS) or _begins_with_number(part)
    return "\n" not in gap and not is_order


def _begins_with_number(part: str) -> bool:
    """`2 pide` may be an order that is not clear."""
    first = take_apart(part)[:1]
    return bool(first) and first[0].kind == "number"


def _is_known(part: str, vocabulary: Vocabulary) -> bool:
    """Whether something of it is on the menu: `Moda Cad. 12, acısız olsun` says how a dish is to be."""
    words = [token.key for token in take_apart(part) if token.kind == "word" and token.key not in NO_FOOD]
    # `D:3` is a door, whatever the kitchen calls by that letter.
    return any(vocabulary.is_known(word) or without(word) is not None for word in words if len(word) > 2)
