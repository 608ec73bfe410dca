"""Words by their endings: what is asked politely, what is wished, and what was so already."""

from __future__ import annotations

import re
from functools import lru_cache

from tablegram.restaurant.reading.letters.spelling import distance
from tablegram.restaurant.reading.words.lexicon import FILLERS, REAL_FOOD

# `getirebilirmisiniz`, with or without a gap, and `isteyecektim`. Verbs that take something back are not among them.
_ASKS_POLITELY = re.compile(
    "(?:getir|ver|gonder|yolla|al|yap|hazirla|yaz|ekle|ulastir|birak|iste|ayarla|soyle)"
    "(?:(?:y?[ae]bilir|[aeiu]r|r)?(?:mi|mu)(?:siniz|sunuz|yim|yum|yiz|yuz|sin|sun)|y?(?:acak|ecek)ti[mk])"
)
_WISHED = re.compile(".{2,}(?:sin|sun)(?:ler|lar)?")
_PAST = re.compile(".{2,}(?:[fstkchp](?:ti|tu)|[^fstkchp](?:di|du))(?:m|k|niz|nuz|lar|ler)?")
# `kalmadıysa`, `bittiyse`, `gelmezse`: it depends on something.
_OPEN = re.compile(".{2,}(?:[dt][iu]ys[ae]|m[iu]ss[ae]|m[ae]zs[ae]|[iu]yors[ae])")
# Long enough to be misspelt, by the letter that begins them.
_LONG_FILLERS = {
    letter: tuple(filler for filler in FILLERS if len(filler) >= 6 and filler[0] == letter)
    for letter in {filler[0] for filler in FILLERS}
}


def asks_politely(key: str) -> bool:
    return bool(_ASKS_POLITELY.fullmatch(key))


@lru_cache(maxsize=4_096)
def is_polite(key: str) -> bool:
    """Politeness may be misspelt too, as long as it is no word of a kitchen."""
    if key in FILLERS:
        return True
    if len(key) < 6 or key in REAL_FOOD:
        return False
    # One m more makes the opposite of it: `almıyorum`.
    return any(
        abs(len(filler) - len(key)) <= 1 and key.count("m") <= filler.count("m") and distance(key, filler, 1) <= 1
        for filler in _LONG_FILLERS.get(key[0], ())
    )


def is_open(key: str) -> bool:
    return key.endswith(("sa", "se")) and bool(_OPEN.fullmatch(key))


def is_wished(key: str) -> bool:
    """`pişsin`."""
    return bool(_WISHED.fullmatch(key))


@lru_cache(maxsize=4_096)
def is_past(key: str) -> bool:
    """`gelmedi`, `güzeldi`, `söylemiştik`: it was so."""
    return len(key) >= 5 and key not in REAL_FOOD and bool(_PAST.fullmatch(key)) and not asks_politely(key)
