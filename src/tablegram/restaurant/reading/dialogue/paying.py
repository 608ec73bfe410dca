"""Whether a guest says that they pay online: as an answer by itself, or among other words."""

from __future__ import annotations

import re

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


def wants_online(text: str) -> bool:
    """Whether a text says this and nothing else: `online`, `kartla online ödeyeceğim`, `pay now`."""
    said = fold(text).strip()
    return len(said) <= _MAX_ANSWER and _ALONE.match(said) is not None


def says_online(text: str) -> bool:
    """Whether these words are somewhere in a text: `2 lahmacun, online ödeme`."""
    return _AMONG.search(fold(text)) is not None


def without_online(notes: str) -> str:
    """What is left to say to the house when the wish to pay online is granted: whole clauses go, others stay as they are."""
    parts = _CLAUSES.split(notes)
    if not any(wants_online(part) for part in parts[::2]):
        return notes
    kept = [(part, sign) for part, sign in zip(parts[::2], [*parts[1::2], ""], strict=True) if not wants_online(part)]
    return "".join(part + sign for part, sign in kept).strip(" ,;.\n")
