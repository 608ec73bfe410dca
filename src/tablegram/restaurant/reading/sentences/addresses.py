"""Where an order is to be brought, when that stands beside the dishes: on a line of its own, or between commas."""

from __future__ import annotations

import re

from tablegram.restaurant.reading.letters.suffixes import without
from tablegram.restaurant.reading.words.lexicon import (
    ADDRESS_WORDS,
    ASKS,
    DENIES_AFTER,
    DENIES_BEFORE,
    NAMES_OF_PEOPLE,
    NO_FOOD,
)
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold, fold_in_place

_LABEL = re.compile(
    r"^\s*(?:(?:adrese\s+teslim(?:at)?|eve\s+teslim|teslimat(?:\s+adresi)?|adresim(?:iz)?|adrese|adres|address|deliver(?:y)?\s+to|to)"
    r"\b\s*[:=-]?\s*)+",
    re.IGNORECASE,
)
# Before it stands what is ordered, behind it where it goes.
_BEGINS = re.compile(
    r"\b(?:adrese\s+teslim(?:at)?|eve\s+teslim|teslimat\s+adresi|adresim(?:iz)?|adrese(?=\s*[:=])|adres|address|deliver(?:y)?\s+to)\b\s*[:=-]?",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"\b(?:teslimat\s+adresi|adresim(?:iz)?|adres|address)\s*[:=-]?\s*$", re.IGNORECASE)
# Who says more than where it is has not gone on with their address.
_SAYS = NO_FOOD | ASKS | DENIES_BEFORE | DENIES_AFTER
_TAIL = re.compile(
    r"(?:\s*['’]\s*[yn]?[ae]|\s+[yn][ae]|\s+adres\w*)?\s+(?:(?:gel(?:sin|ecek)|gonder|getir|yolla|ulastir|birak|teslim)\w*|lutfen|acele|please|acil)(?:\s+(?:misin\w*|miyiz|musun\w*|eder|edin|lutfen|olur|mu|acele|acil))*[?.! ]*$"
)
_LEAD = re.compile(
    r"^\s*(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+)?|please\s+)?(?:(?:(?:gonder|getir|yolla|ulastir)\w*|alalim|istiyoru[mz]|olsun|gelsin|lutfen|please|send|deliver(?:ed)?|bring|them|it|to)(?:\s+(?:misin\w*|miyiz|lutfen|please))?[\s:,]+)+"
)
_PART = re.compile(r"[^,;\n]+")
_STOP = re.compile(
    r"\.(?=\s+(?:\d{1,2}|bir|iki|üç|dört|beş|one|two|three)\s*x?\s+(?:(?:tane|adet|porsiyon)\s+)?(?P<dish>[^\W\d]{3,}))",
    re.IGNORECASE,
)


def take_out(text: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """The text without an address, and the address. Whatever has a dish in it is none."""
    if not ADDRESS_WORDS & set(re.findall(r"\w+", fold(text))):
        return text, ""
    # A full stop ends an address where the order begins behind it: `daire 7. 2 urfa`.
    text = _STOP.sub(lambda found: "," if _is_known(found["dish"], vocabulary) else found[0], text)
    parts = [match for match in _PART.finditer(text) if match[0].strip()]
    start = next((place for place, part in enumerate(parts) if _is_address(part[0])), None)
    begins = None if start is None else _begin(parts[start], vocabulary)
    if start is None or begins is None:
        return text, ""
    end = start + 1
    # What follows on the same line belongs to it: the quarter, the town, the bell.
    while end < len(parts) and _goes_on(text[parts[end - 1].end() : parts[end].start()], parts[end][0], vocabulary):
        end += 1
    written = text[begins : parts[end - 1].end()]
    rest = f"{_LABELLED.sub('', text[:begins])}{text[parts[end - 1].end() :]}"
    return rest.strip(" ,;/"), _where_alone(" ".join(_LABEL.sub("", written.strip(" ./")).split()))


def _where_alone(address: str) -> str:
    """Without what is asked for around it: `Moda Cad. 12'ye gönderir misiniz`, `gönderin Moda Cad. 12`."""
    shown, said = fold_in_place(address)
    lead, tail = _LEAD.match(said), _TAIL.search(said)
    return shown[0 if lead is None else lead.end() : None if tail is None else tail.start()].rstrip(" ?!,;")


def _begin(part: re.Match[str], vocabulary: Vocabulary) -> int | None:
    """Where the address begins: behind its label, or behind the last dish. Nothing where there is none."""
    begins = part.start()
    label = _BEGINS.search(part[0])
    if label is not None:
        begins += label.start() if not part[0][: label.start()].strip() else label.end()
    rest = part[0][begins - part.start() :]
    dishes = [word for word in re.finditer(r"\w+", rest) if _is_known(word[0], vocabulary)]
    if dishes and _is_address(rest[dishes[-1].end() :]):
        begins += dishes[-1].end()
        rest = rest[dishes[-1].end() :]
    return begins if _is_address(rest) and not _is_known(rest, vocabulary) else None


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
    plain = NO_FOOD | NAMES_OF_PEOPLE
    words = [token.key for token in take_apart(part) if token.kind == "word" and token.key not in plain]
    # `D:3` is a door, whatever the kitchen calls by that letter.
    return any(vocabulary.is_known(word) or without(word) is not None for word in words if len(word) > 2)
