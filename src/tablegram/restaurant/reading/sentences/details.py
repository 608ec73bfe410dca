"""What only says more of an address that is known: the flat, the floor, the bell. A street would be another place."""

from __future__ import annotations

import re

from tablegram.restaurant.lines import tidy
from tablegram.restaurant.reading.words.lexicon import ADDRESS_WORDS
from tablegram.values.folding import fold, fold_in_place

_HEADS = r"flat|apartment|apt|unit|suite|room|door|floor|daire(?:si|m|miz)?|kat|kapi|blok|block|bina|building|oda|(?:no|nr|numara)(?=\s*[.:])"
# `flat 5`, `daire no: 7`, `B blok`, `3. kat`, `2nd floor`.
_NUMBERED = re.compile(
    rf"\b(?P<head>{_HEADS})\b\s*(?:no|numara\w*|number|nr)?\s*[.:#]?\s*(?:\d{{1,4}}(?:\s*/\s*\w{{1,3}})?[a-z]?|(?<=blok )[a-h]|(?<=flat )[a-h])\b"
    r"|\b(?:\d{1,3}|[a-h])\s*(?:\.|st|nd|rd|th|['’]?(?:inci|nci|uncu|ncu))?\s*(?P<behind>kat|daire|floor|blok|block)(?:ta|da|tayiz|dayiz|tayim|dayim)?\b"
)
# `ring the top bell`, `zil çalışmıyor`, `giriş katı`.
_AT_THE_DOOR = re.compile(
    r"\b(?:zil(?:i|e|de|imiz\w*)?|bell(?!\s*pepper)|doorbell|buzzer|intercom|interkom|diafon|megafon|asansor\w*|kapici\w*|(?:giris|zemin|bodrum|bahce|ust|alt|en\s+ust|cati)\s+kat\w*"
    r"|(?:ground|top|first|second|third|fourth|fifth|last)\s+floor|door\s*code|gate\s*code|kapi\s+(?:kod|sifre)\w*|apt|apartmani?|building|bina)\b"
)
_IN_THE_HOUSE = frozenset({"apt", "apartman", "apartmani", "daire", "flat", "apartment"})
_STREETS = ADDRESS_WORDS - _IN_THE_HOUSE
# They speak of money, of time or of something else than the way.
_ELSEWHERE = re.compile(
    r"\?|\b(?:nakit\w*|kart\w*|ode\w*|cash|card|pay\w*|masa\w*|table|iptal\w*|cancel\w*|nerede\w*|where|kac\w*|when|\w+m[ae]di\w*|kimse|nobody|soguk|cold|hala|still|late)\b"
)
_MAX = 160


def detail_in(text: str) -> str:
    """The text, if it is only a detail of an address; nothing where it is another address or something else."""
    said, shown = fold(text), tidy(text).strip(" .,;")
    is_told = _NUMBERED.search(said) or _AT_THE_DOOR.search(said)
    if not is_told or len(shown) > _MAX or _ELSEWHERE.search(said) or _STREETS & set(re.findall(r"\w+", said)):
        return ""
    return shown


def joined(address: str, detail: str) -> str:
    """An address with one more detail; another number for a flat that it has takes the place of the former."""
    shown, folded = fold_in_place(address)
    if fold(detail) in folded:
        return address
    only = _NUMBERED.fullmatch(fold(detail).strip())
    head = "" if only is None else only["head"] or only["behind"]
    former = [one for one in _NUMBERED.finditer(folded) if head and (one["head"] or one["behind"]) == head]
    if len(former) == 1:
        return f"{shown[: former[0].start()]}{detail}{shown[former[0].end() :]}"
    return f"{address}, {detail}" if address else detail
