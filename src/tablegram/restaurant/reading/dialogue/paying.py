"""How a guest says that they pay: online, in cash or by card at the door; as an answer by itself, or among other words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from tablegram.values.folding import fold

# Longer ones say more than that.
_MAX_ANSWER = 60

_WAY = (
    r"(?:(?:kart(?:la|imla)?|kredi\s+karti(?:yla|mla|\s+ile)?)\s+)?(?:online|onlayn|on\s?line|internetten|internet\s+uzerinden)"
    r"(?:\s+(?:kart(?:la|imla)?|kredi\s+karti(?:yla|mla|\s+ile)?|card|by\s+card))?"
)
_PAYS = r"ode(?:me(?:\s+yap(?:acagim|ayim|mak|alim))?|yecegim|yeyim|yelim|mek|rim|riz|sem|yebilir\s+miyim)?|pay(?:ment|ing)?"
_LINK = r"(?:odeme\s+(?:link|baglanti)\w*|payment\s+link|pay\s+link)"
_ALONE = re.compile(
    rf"^(?:(?:evet|yes|tamam|ok|okay|olur|lutfen|please|ben|hemen|i|i\s?ll|i\s+will|want\s+to|can\s+i|let\s+me)[\s,.!]+)*"
    rf"(?:{_WAY}(?:\s+(?:{_PAYS}))?|(?:{_PAYS})\s+(?:now\s+)?{_WAY}|pay\s+now|simdi\s+ode\w*|{_LINK})"
    rf"(?:\s+(?:olsun|istiyorum|isterim|lutfen|please|(?:gonder|at)\w*(?:\s+mi\w+)?|now|simdi|miyim))*[\s.!?]*$"
)
_AMONG = re.compile(rf"\b(?:{_WAY}\s+(?:{_PAYS})|(?:{_PAYS})\s+(?:now\s+)?{_WAY}|pay\s+now|{_LINK})\b")
_CLAUSES = re.compile(r"([,;.\n]+\s*)")
# In a text that orders something, where it says nothing of a dish.
IN_ORDER = rf"(?:{_WAY}\s+(?:{_PAYS})|(?:{_PAYS})\s+(?:now\s+)?{_WAY})"


# To whom brings it, or at the counter.
Way = Literal["cash", "card"]
_WAYS: dict[Way, frozenset[str]] = {
    "cash": frozenset({"nakit", "nakitle", "nakden", "nakten", "pesin", "cash"}),
    "card": frozenset({"kart", "kartla", "kartim", "kartimla", "karti", "kartiyla", "pos", "posla", "card"}),
}
_AROUND_WAY = re.compile(
    r"(?:kapida|teslimatta|kredi|banka|odeme|ode|odeyecegim|odeyecegiz|odeyeyim|odeyelim|oderim|oderiz|odemek|odemesi|"
    r"yapacagim|yapacagiz|verecegim|verecegiz|vereyim|olarak|olsun|olacak|istiyorum|istiyoruz|lutfen|ile|biz|ben|"
    r"cihazi|tesekkurler|i|ill|we|well|will|would|like|d|to|pay|paying|payment|by|in|with|at|the|my|door|on|"
    r"delivery|please|pls|thanks|im|a)"
)


def way_in(text: str) -> Way | None:
    """How somebody pays who says this and nothing else: `kapıda nakit ödeyeceğim`, `cash please`."""
    said = re.findall(r"\w+", fold(text).replace("’", "'").replace("'", ""))
    found: list[Way] = [way for way, names in _WAYS.items() if names & set(said)]
    if len(found) != 1 or "?" in text or len(text) > _MAX_ANSWER:
        return None
    return found[0] if all(_AROUND_WAY.fullmatch(word) for word in set(said) - _WAYS[found[0]]) else None


def way_of(notes: str) -> Way | None:
    """The same, of the notes of an order."""
    ways = [way for part in _CLAUSES.split(notes)[::2] if (way := way_in(part)) is not None]
    return ways[-1] if ways else None


def without_way(notes: str) -> str:
    """The notes without what they say of paying."""
    return _without(notes, lambda part: way_in(part) is not None)


def wants_online(text: str) -> bool:
    """Whether a text says this and nothing else: `online`, `kartla online ödeyeceğim`, `pay now`."""
    said = fold(text).strip()
    return len(said) <= _MAX_ANSWER and _ALONE.match(said) is not None


def says_online(text: str) -> bool:
    """Whether these words are somewhere in a text: `2 lahmacun, online ödeme`."""
    return _AMONG.search(fold(text)) is not None


def without_online(notes: str) -> str:
    """What is left to say to the house when the wish to pay online is granted: whole clauses go, others stay as they are."""
    return _without(notes, wants_online)


def _without(notes: str, is_gone: Callable[[str], bool]) -> str:
    parts = _CLAUSES.split(notes)
    if not any(map(is_gone, parts[::2])):
        return notes
    kept = [(part, sign) for part, sign in zip(parts[::2], [*parts[1::2], ""], strict=True) if not is_gone(part)]
    return "".join(part + sign for part, sign in kept).strip(" ,;.\n")
