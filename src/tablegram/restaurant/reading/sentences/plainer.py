"""A text in plainer words: how people say where they sit and what else they need, as the reader knows it.

What changes is only how it is said. What somebody needs besides dishes, and when they come, is set aside as a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from tablegram.restaurant.reading.words.lexicon import NUMBERS, TENS
from tablegram.values.folding import fold_in_place

_COUNTED = {**NUMBERS, **TENS}
_NUMBER = (
    rf"(?:\d{{1,3}}|{'|'.join(word for word, value in _COUNTED.items() if value and word.isalpha() and len(word) > 2)})"
)
# `8. masa` at the end of a clause; before a number it is read as it stands.
_ORDINAL = re.compile(r"(?<![\w.,])(\d{1,3})\s*\.\s*masa\b(?!\s*\d)")
# `8 numara 4 çay`: nobody orders eight of a number.
_FIRST = re.compile(rf"^\W*(\d{{1,3}})\s*numara\s+(?=.*\b{_NUMBER}\b)", re.DOTALL)
# `masa 4 değil 5`, `masa dört pardon altı`, and then nothing that could be counted by it.
_OTHER_TABLE = re.compile(
    rf"\b(?:masa|table)\s*{_NUMBER}[\s,]*(?:degil|yok|pardon|hayir|yanlis|sorry|not)[\s,]+(?:masa|table)?\s*({_NUMBER})(?=\s*(?:[,.;\n]|$))"
)
# `2 çay, sonra bir tane de künefe` goes on counting; what is wanted in an hour, or will be taken later, does not.
_THEN = re.compile(
    rf"(?<!saat )(?<!dakika )(?<!dk )(?<!daha )\bsonra(?:\s+da)?\s+(?={_NUMBER}\b(?!\s*(?:saat|dakika|dk))(?!.*\b(?:al[ia]ri[zm]|alaca\w+|alica\w+|soyleri[zm]|soyleye\w+|isteri[zm]|isteye\w+|yeri[zm]|geli\w+)\b))",
    re.DOTALL,
)

# When somebody comes for it.
_COMES = (
    rf"(?:(?:yarim|bir|1)\s+saat(?:e|te)?|{_NUMBER}\s*(?:dakika|dakka|dk)(?:ya|da|ye)?)(?:\s+(?:sonra|icinde|kadar))*\s+"
    r"(?:gelip\s+al\w+|gelirim|geliriz|geliyorum|geliyoruz|gelecegim|gelecegiz|gelicem|alirim|aliriz|alacagim|alacagiz|oradayi[mz]|ordayi[mz])"
    rf"|(?:ill|i will|well|we will|will)?\s*(?:pick\s+(?:it|them)\s+up|collect\s+(?:it|them)|come|be\s+there)\s+in\s+(?:half\s+an\s+hour|an\s+hour|{_NUMBER}\s*min(?:ute)?s?)"
)
# What lies beside the plate.
_BESIDE = rf"(?:{_NUMBER}\s+(?:tane\s+)?)?(?:catal|kasik|bicak|pecete|pipet|kurdan|islak\s+mendil|spoons?|forks?|napkins?|straws?)\b"
_ASIDE = re.compile(rf"(?:\b(?:ve|bir de|and)\s+)?\b(?P<note>(?P<comes>{_COMES})|{_BESIDE})")


# Nobody needs more of it.
_MOST_ASIDE = 4


def plainer(text: str) -> str:
    for pattern, said in _RULES:
        shown, folded = fold_in_place(text)
        match = pattern.search(folded)
        if match is not None:
            text = f"{shown[: match.start()]}{said(match)}{shown[match.end() :]}"
    return text


class Aside(NamedTuple):
    """The text without what is no dish, that as notes, and whether somebody comes for the order."""

    rest: str
    notes: tuple[str, ...]
    comes: bool


def aside(text: str) -> Aside | None:
    shown, folded = fold_in_place(text)
    found = list(islice(_ASIDE.finditer(folded), _MOST_ASIDE))
    if not found:
        return None
    rest = shown
    for match in reversed(found):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    notes = tuple(shown[slice(*match.span("note"))].strip() for match in found)
    return Aside(rest.strip(" ,;."), notes, any(match["comes"] for match in found))


def _figure(said: str) -> str:
    return said if said.isdigit() else str(_COUNTED[said])


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_ORDINAL, lambda match: f"masa {match[1]}"),
    (_FIRST, lambda match: f"masa {match[1]} "),
    (_OTHER_TABLE, lambda match: f"masa {_figure(match[1])}"),
    (_THEN, lambda match: ", "),
)
