"""Where an order is to be brought, when that stands beside the dishes: on a line of its own, or between commas."""

from __future__ import annotations

import re
from itertools import pairwise

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
    r"(?:\s*['’]\s*[yn]?[ae]|\s+[yn][ae]|\s+adres\w*)?\s+(?:(?:gel(?:sin|ecek)|gonder|getir|yolla|ulastir|birak|teslim)\w*|lutfen|acele|please|acil)(?:\s+(?:misin\w*|miyiz|musun\w*|eder|edin|lutfen|olur|mu|acele|acil))*[?.! ]*$|\s+adres(?:e|im[ei]|im[iu]z[ea]|ine)[?.! ]*$"
)
_LEAD = re.compile(
    r"^\s*(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+)?|please\s+)?(?:(?:(?:gonder|getir|yolla|ulastir)\w*|alalim|istiyoru[mz]|olsun|gelsin|lutfen|please|send|deliver(?:ed)?|bring|them|it|over|round|is(?!\s*:)|its|it['’]s|we['’]?re\s+at|i['’]?m\s+at|(?:i|we)\s+live\s+at|to)(?:\s+(?:misin\w*|miyiz|lutfen|please))?[\s:,]+)+"
)
# `iki iskender söyleyecektim. Moda Cad. 12`: a sentence has ended before it.
_SENTENCE = re.compile(
    r"^\s*(?:\w+\s+){0,2}\w{2,}(?:ecekti[mk]|acakti[mk]|ecegi[mz]|acagi[mz]|[iu]yoru[mz]|elim|alim|misiniz|musunuz|mistim|isterim|isteriz)\s*[.!?,:]+\s+"
)
# They are around an order, and in no name of a street.
_ENDS = frozenset(
    {
        "acele",
        "acil",
        "lutfen",
        "please",
        "pls",
        "hemen",
        "cabuk",
        "tesekkurler",
        "thanks",
        "thank",
        "cheers",
        "mumkunse",
        "sicak",
    }
)
# Who brings it reads these on the way.
_AT_THE_DOOR = re.compile(
    r"\b(?:zil\w*|kapi\w*|ara(?:yin|r)?\w*|guvenli\w*|asansor\w*|bell|door|ring|buzz\w*|call|gate)\b"
)
# `Adana Sokak`, `Şeker Apartmanı`: a street is called as a dish is; nobody counts it.
_STREET = re.compile(
    r"(?<!\d )(?<!\w)(?<!bir )(?<!iki )(?<!uc )(?<!dort )(?<!bes )[^\W\d]\w+(?=\s+(?:mah|mahallesi|cad|caddesi|cd|sok|sokak|sokagi|sk|bulvari|apt|apartmani|sitesi|pasaji|street|road|avenue|lane)\b)"
)
# `3. kat`, `2nd floor`.
_FLOOR = re.compile(r"\s*\d{1,2}\s*(?:\.|st|nd|rd|th)?\s*(?:kat|daire|blok|floor)\b")
_ENDING = re.compile(r"\s+['’]?[yn]?[ae]$", re.IGNORECASE)
_DOES = re.compile("(?:[iu]yor|[ae]c[ae][gk]|m[ae]y[iu]n|[ae]l[iu]m$|[ae]rs[ae]n)")
_WORD = re.compile(r"\w+")
_PART = re.compile(r"[^,;\n]+")
_STOP = re.compile(
    r"\.(?=\s+(?:\d{1,2}|bir|iki|üç|dört|beş|one|two|three)\s*x?\s+(?:(?:tane|adet|porsiyon)\s+)?(?P<dish>[^\W\d]{3,}))",
    re.IGNORECASE,
)


def take_out(text: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """The text without an address, and the address. Whatever has a dish in it is none."""
    if ADDRESS_WORDS.isdisjoint(_WORD.findall(fold(text))):
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
    ends = _end(text, begins, parts[end - 1].end())
    written = text[begins:ends]
    rest = f"{_LABELLED.sub('', text[:begins])}, {text[ends:].lstrip(' .,')}"
    return rest.strip(" ,;/"), where_alone(" ".join(written.strip(" ./:=-").split()))


def _end(text: str, begins: int, ends: int) -> int:
    """Where an address ends: behind its last number, at a new sentence or at a word that is around an order: `Kat 1 acele`."""
    if _AT_THE_DOOR.search(fold(text[begins:ends])):
        return ends
    found = list(re.finditer(r"\w+", text[begins:ends]))
    last = max((place for place, word in enumerate(found) if any(map(str.isdecimal, word[0]))), default=None)
    for before, word in pairwise(found[last:] if last is not None else []):
        gap = text[begins + before.end() : begins + word.start()]
        is_house = fold(word[0]) in ADDRESS_WORDS
        if not is_house and ("." in gap.strip(" ") or fold(word[0]) in _ENDS or _DOES.search(fold(word[0]))):
            return begins + before.end()
    return ends


def where_alone(address: str) -> str:
    """Without what is asked for around it: `Moda Cad. 12'ye gönderir misiniz`, `gönderin Moda Cad. 12`."""
    shown, said = fold_in_place(_LABEL.sub("", address))
    sentence = _SENTENCE.match(said)
    if sentence is not None and not ADDRESS_WORDS & set(sentence[0].split()):
        shown, said = shown[sentence.end() :], said[sentence.end() :]
    asked = re.match(r"[^\d?!]{0,60}[?!]+\s+", said)
    if asked is not None and ADDRESS_WORDS & set(re.findall(r"\w+", said[asked.end() :])):
        # `bring it to our flat? Moda Cad. 12`.
        shown, said = shown[asked.end() :], said[asked.end() :]
    lead, tail = _LEAD.match(said), _TAIL.search(said)
    where = shown[0 if lead is None else lead.end() : None if tail is None else tail.start()].rstrip(" ?!,;")
    return _ENDING.sub("", where)


def _begin(part: re.Match[str], vocabulary: Vocabulary) -> int | None:
    """Where the address begins: behind its label, or behind the last dish. Nothing where there is none."""
    begins = part.start()
    label = _BEGINS.search(part[0])
    if label is not None:
        begins += label.start() if not part[0][: label.start()].strip() else label.end()
    rest = part[0][begins - part.start() :]
    streets = {street.start() for street in _STREET.finditer(fold_in_place(rest)[1])}
    dishes = [
        word for word in re.finditer(r"\w+", rest) if word.start() not in streets and _is_known(word[0], vocabulary)
    ]
    if dishes and _is_address(rest[dishes[-1].end() :]):
        begins += dishes[-1].end()
        rest = rest[dishes[-1].end() :]
    rest = _without_streets(rest)
    return begins if _is_address(rest) and not _is_known(rest, vocabulary) else None


def _without_streets(part: str) -> str:
    shown, folded = fold_in_place(part)
    for street in reversed(list(_STREET.finditer(folded))):
        shown = f"{shown[: street.start()]}{shown[street.end() :]}"
    return shown


def _is_address(part: str) -> bool:
    tokens = take_apart(part)
    has_number = any(token.kind in ("number", "doubt") for token in tokens)
    return has_number and any(token.kind == "word" and token.key in ADDRESS_WORDS for token in tokens)


def _goes_on(gap: str, part: str, vocabulary: Vocabulary) -> bool:
    words = {token.key for token in take_apart(part) if token.kind == "word"}
    is_counted = _begins_with_number(part) and not _is_address(part) and not _FLOOR.match(fold(part))
    is_order = _is_known(_without_streets(part), vocabulary) or bool(words & _SAYS) or is_counted
    is_order = is_order or (any(map(_DOES.search, words)) and not _AT_THE_DOOR.search(fold(part)))
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
