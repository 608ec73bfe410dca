"""What stands in a text and is not ordered by it: a dish that is not wanted, one that was had before, and a time for later."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablegram.restaurant.reading import Question, Reading, Vocabulary, read
from tablegram.restaurant.reading.dialogue.accounting import atoms_of
from tablegram.restaurant.reading.dialogue.held import specifies
from tablegram.values.folding import fold_in_place

_CLAUSE = re.compile(r"\s*[,;.\n]+\s*")
_ENDS = re.compile(r"[,;.\n]")
# A dish alone, and that it is not wanted.
_DENIED = re.compile(
    r"(?:(?P<what>[^\d]+?)\s+(?:istemiyoru[mz]|istemem|istemeyiz|olmasin|almayalim|almayayim|almiyoru[mz]|getirmeyin|gerek\s+yok)"
    r"|(?:no|not|skip\s+the)\s+(?P<en>[^\d]+?)|(?:i|we)\s+(?:don.?t|do\s+not)\s+(?:want|need)\s+(?:any\s+)?(?P<dont>[^\d]+?)"
    r"|ne\s+(?P<one>\w+)\s+ne(?:\s+de)?\s+(?P<other>\w+))(?:\s+(?:lutfen|please|thanks|thank\s+you|for\s+(?:me|us)|today|bugun|artik))*"
)
# `20:30`; a price has no colon.
_CLOCK = re.compile(r"(?<![\d:.,])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])")


def wanted(text: str, vocabulary: Vocabulary) -> str | None:
    """`ayran istemiyoruz, 2 adana`: what is ordered, without a clause that says which dish is not; nothing where there is none.

    A dish that is ordered besides is taken back by it, which is read elsewhere.
    """
    shown, folded = fold_in_place(text)
    if _ENDS.search(shown) is None:
        return None
    denied = {
        place: found for place, one in enumerate(_CLAUSE.split(folded)) if (found := _DENIED.fullmatch(one.strip()))
    }
    if not denied:
        return None
    clauses = _CLAUSE.split(shown)
    gone = {place: _dishes(found, vocabulary) for place, found in denied.items()}
    gone = {place: ids for place, ids in gone.items() if ids}
    rest = ", ".join(one for place, one in enumerate(clauses) if place not in gone and one)
    if not gone or not rest:
        return None
    named = {one for atom in atoms_of(rest, vocabulary) for one in atom.ids}
    return rest if named.isdisjoint(one for ids in gone.values() for one in ids) else None


def _dishes(found: re.Match[str], vocabulary: Vocabulary) -> set[str]:
    """The dishes that are named, where nothing else is said of them."""
    ids: set[str] = set()
    for name in ("what", "en", "dont", "one", "other"):
        heard = read(found[name], vocabulary) if found[name] else None
        if heard is not None and (
            not heard.is_order or heard.missed or any(specifies(line, vocabulary) for line in heard.lines)
        ):
            return set()
        ids |= set() if heard is None else {line.item_id for line in heard.lines}
    return ids


def told(clauses: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """`dün 2 adana yemiştik, bugün 1 urfa`: clauses in which a dish is spoken of that was had, and none is ordered."""
    found: list[str] = []
    for clause in clauses:
        kinds = {atom.kind for atom in atoms_of(clause, vocabulary)}
        if "tells" in kinds and kinds & {"dish", "either"}:
            found.append(clause.strip())
    return found if len(found) < len(clauses) else []


def now_alone(text: str, heard: Reading) -> Reading:
    """An order for a time of the clock, which is asked about: nobody plans an order by message."""
    clock = _CLOCK.search(text) if heard.names_dish and not heard.parts else None
    if clock is None or any(one.kind in ("asks", "tells") for one in heard.questions):
        return heard
    return Reading(heard.lines, (Question("unknown", clock[0]),), names_dish=True)
