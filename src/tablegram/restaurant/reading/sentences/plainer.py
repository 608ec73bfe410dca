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
# What whoever brings it does at the door, and why.
_AT_THE_DOOR = (
    r"(?:(?:kapi(?:yi|da)?\s+|kapinin\s+)?zil(?:e|i|ini)\s+(?:lutfen\s+)?(?:bas\w+|cal\w+)|kapiyi\s+(?:lutfen\s+)?(?:cal\w+|tikla\w+|vur\w+)|"
    r"(?:kapiya|kapinin\s+onune|guvenlige|danismaya|resepsiyona)\s+(?:lutfen\s+)?(?:birak\w*|as\w+|koy\w*)|gelince\s+(?:lutfen\s+)?ara\w*|"
    r"(?:please\s+)?(?:do\s+not|don.?t)\s+(?:ring|use)\s+the\s+(?:door\s*)?bell|(?:please\s+)?(?:ring|knock)\s+(?:on\s+)?the\s+(?:door\s*bell|bell|door)|"
    r"(?:please\s+)?leave\s+it\s+(?:at|by|in\s+front\s+of)\s+the\s+door)"
    r"(?:\s+lutfen)?(?:[\s,]+(?:cunku\s+)?(?:bebe\w+|cocu\w+|kope\w+|kedi\w*|anne\w+|baba\w+)\s+(?:uyu\w+|hasta|kork\w+|havl\w+|rahatsiz\s+ol\w+)"
    r"|[\s,]+(?:(?:as|because)\s+)?(?:the|my|our)\s+(?:baby|kids?|children|dog)\s+(?:is|are)\s+(?:sleeping|asleep|ill|scared|afraid)|[\s,]+(?:baby|dog)\s+(?:is\s+)?(?:sleeping|asleep))?"
)
_ASIDE = re.compile(rf"(?:\b(?:ve|bir de|and)\s+)?\b(?P<note>(?P<comes>{_COMES})|{_BESIDE}|{_AT_THE_DOOR})")
# What stands on the table anyway and may be a dish or an option of this house: set aside only where it is neither.
_GOES_WITH = re.compile(
    rf"(?:\b(?:ve|bir de|and)\s+)?\b(?P<note>(?:(?:yanina|yaninda|birkac|biraz|bol|extra|ekstra|some|(?<!masa )(?<!masa no )(?<!table ){_NUMBER})\s+)+(?:(?:tane|adet|dilim|parca|slices?\s+of|pieces?\s+of)\s+)?"
    r"(?:limon|buz|ketcap|mayonez|hardal|tuz|karabiber|pul\s*biber|nar\s+eksisi|aci\s+sos|lemons?|ice(?:\s+cubes?)?|ketchup|mayo(?:nnaise)?|mustard|hot\s+sauce)"
    r"(?:\s+dilimi)?(?:\s+(?:da|de))?)(?=\s*(?:[,.;!\n]|$|lutfen|please|alalim|alabilir|olsun|gelsin|koyun|koyar|getirin|var|masa|table))"
)


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


def aside(text: str, pattern: re.Pattern[str] = _ASIDE) -> Aside | None:
    shown, folded = fold_in_place(text)
    found = list(islice(pattern.finditer(folded), _MOST_ASIDE))
    if not found:
        return None
    rest = shown
    for match in reversed(found):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    notes = tuple(shown[slice(*match.span("note"))].strip() for match in found)
    return Aside(rest.strip(" ,;."), notes, pattern is _ASIDE and any(match["comes"] for match in found))


def goes_with(text: str) -> Aside | None:
    """The same for what goes with dishes, which only somebody who knows the menu can tell from one."""
    return aside(text, _GOES_WITH)


def _figure(said: str) -> str:
    return said if said.isdigit() else str(_COUNTED[said])


# `şu an masa 5'teyiz`: an article stands in no Turkish sentence.
_NOW = re.compile(r"\bsu an(?:da)?\b(?!\s*(?:lik|ica))")

_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_ORDINAL, lambda match: f"masa {match[1]}"),
    (_FIRST, lambda match: f"masa {match[1]} "),
    (_OTHER_TABLE, lambda match: f"masa {_figure(match[1])}"),
    (_THEN, lambda match: ", "),
    (_NOW, lambda match: " "),
)
