"""Two places in one text: `4. masaya 2 çay, 6. masaya 1 kola` are two orders, each with its place."""

from __future__ import annotations

import re
from functools import lru_cache

from tablegram.restaurant.reading.sentences.seats import says_any, seated
from tablegram.restaurant.reading.words.lexicon import ORDER_TYPES
from tablegram.values.folding import fold_in_place

TABLE = (
    r"(?:\d{1,3}\s*(?:(?:\.|numarali|nolu|no'?lu)\s*masa(?:ya|da|dan|miz|miza|sina|si|yiz|dayiz|dayim|sindayiz)?\b"
    r"|masa(?:ya|da|dan|miz|miza|sina|si|yiz|dayiz|dayim|sindayiz)\b|masa\b(?!\s*(?:no|numara|nr)?\s*[:.#]?\s*\d)|numara(?:ya|da|dan|dayiz|dayim|yiz|ydi|ydik|daki(?:ler(?:e|in)?|ne)?)\b))"
    r"|(?:(?:masa(?:miz|mizdaki|daki)?|table|tbl|tisch)\s*(?:no|numara|number|nr|#)?\s*[:.]?\s*\d{1,3}(?:\s*['’]?\s*(?:ye|ya|e|a|de|da|te|ta|den|dan|ten|tan)\b)?)"
)
_WAYS = "|".join(r"\s*".join(map(re.escape, phrase)) for phrase, _ in ORDER_TYPES if phrase != ("masaya",))
PLACE = re.compile(rf"(?<!\w)(?:(?P<table>{TABLE})|(?P<way>(?:{_WAYS})(?!\w)))")
# One of them stands in whatever names a place. Most texts have none.
_LONGEST = {max(phrase, key=len) for phrase, _ in ORDER_TYPES} | {"masa", "numara", "table", "tbl", "tisch"}
PLACE_WORDS = tuple(sorted(one for one in _LONGEST if not any(word in one for word in _LONGEST - {one})))
# `masa 2 ve 3 için`, `tables 4 and 5`: what goes where, nobody can tell.
_TWO_TABLES = re.compile(
    r"(?<!\w)(?:masa(?:lar)?|tables?)\s*\d{1,3}\s*(?:ve|and|&|,|ile)\s*\d{1,3}\s*(?:icin|for\b|:|['’]?(?:ye|ya|e|a|de|da)\b|numarali|$)"
)
# `masa 1'e 2 çay, yan masaya 1 salep`: which one that is, nobody can tell.
_NEIGHBOUR = re.compile(
    r"\b(?:yan|karsi|arka|diger|obur)(?:daki|taki|imizdaki)?\s+masa(?:ya|lara|daki\w*)\b(?!\s*\d{1,3}\s+\d)"
)
# `7 ye 2 çay 8 e 3 çay`: whoever gives two numbers something to each speaks of tables.
_TO_NUMBER = re.compile(
    r"(?<![\w.,])(\d{1,3})\s*['’]?\s*(?:ye|ya|e|a|[dt][ea]ki(?:l[ae]re?)?(?:\s+\w+l[ae]r(?:a|e|imiz[ae]))?)\s+(?=(?:\d|bir|iki|uc|dort|bes)\b)"
)
_NUMBER_ALONE = re.compile(
    # `7 yok 8`, `masa 7 pardon masa 8`: the last one.
    r"(?:(?:masa\s*|table\s*)?\d{1,3}\s*(?:numara\w*|\.?\s*masa\w*)?[\s,.]*(?:(?:degil|pardon|yok|hayir|dur|sorry|no|wait|actually|aslinda)[\s,.]+)+)?"
    r"(?:biz\s+|we\s+are\s+at\s+|we're\s+at\s+|number\s+|no\s+|masa\s*|table\s*)?(?P<number>\d{1,3})\s*['’.]?\s*(?:numara\w*|nolu\w*|[dt][ea](?:yiz|yim)?|masa\w*)?(?:\s+(?:masa\w*|please|lutfen|biz|bizimki))*[\s.!]*"
)
_HERE = re.compile(r"\b(?:buraya|bize|masamiza|here|for us)\b")
_LEAD = re.compile(r"(?:[\s,;.&+-]|\b(?:ve|and|bir de|also|for|icin|to|at)\b)+")
_TAIL = re.compile(r"(?:[\s,;.&+-]|\b(?:ve|and|for|to|at)\b)+$")
_DISHES = re.compile(r"[^\W\d_]{2,}")


def split(text: str) -> tuple[str, ...]:
    """The text of each place, where there are several and it is clear which dishes go where. Empty for one place.

    One part alone means: several places, and nobody can tell what goes where.
    """
    shown, said = fold_in_place(text)
    if "masa" not in said and len(_TO_NUMBER.findall(said)) > 1:
        return split(_TO_NUMBER.sub(r"masa \1 ", said))
    if not says_any(said, PLACE_WORDS):
        return ()
    others = _NEIGHBOUR.sub(" ", said) if _NEIGHBOUR.search(said) else ""
    if _TWO_TABLES.search(said) or PLACE.search(others) or _HERE.search(others):
        return (text,)
    found = _different(list(PLACE.finditer(said)))
    if len({_name(match) for match in found}) < 2:
        return ()
    ends = [0, *(match.end() for match in found)], [*(match.start() for match in found), len(said)]
    gaps = [_trim(shown, said, start, end) for start, end in zip(*ends, strict=True)]
    has = [bool(_DISHES.search(gap)) for gap in gaps]
    if all(has[1:]) and not has[0]:
        return tuple(f"{shown[slice(*one.span())]} {gap}" for one, gap in zip(found, gaps[1:], strict=True))
    if all(has[:-1]) and not has[-1]:
        return tuple(f"{gap} {shown[slice(*one.span())]}" for one, gap in zip(found, gaps[:-1], strict=True))
    return (text,)


def names_one(said: str) -> bool:
    """Whether a folded text names a place."""
    return says_any(said, PLACE_WORDS) and PLACE.search(said) is not None


def table_alone(text: str) -> str:
    """The number of the table where a text says nothing else: `masa 3`, `3. masadayız`."""
    said = fold_in_place(text)[1].strip(" ,;.!\n")
    match = PLACE.fullmatch(said)
    digits = re.search(r"\d+", match["table"]) if match is not None and match["table"] else None
    return digits[0] if digits else ""


def number_alone(text: str) -> str:
    """The number of a text that says nothing else, to who was asked where: `5teyiz`, `8 numara`, `bahçe 3`-like names are others'."""
    found = _NUMBER_ALONE.fullmatch(fold_in_place(seated(text))[1].strip())
    return "" if found is None else found["number"]


# The same text is asked for several times while it is read. Only the last few are kept.
@lru_cache(maxsize=16)
def without(text: str) -> str:
    """The text without any place."""
    shown, said = fold_in_place(text)
    kept, at = "", 0
    for match in PLACE.finditer(said) if says_any(said, PLACE_WORDS) else ():
        kept, at = kept + shown[at : match.start()] + " ", match.end()
    return " ".join((kept + shown[at:]).split()).strip(" ,;.")


def _trim(shown: str, said: str, start: int, end: int) -> str:
    """What stands between two places, without what only joins it."""
    lead, tail = _LEAD.match(said, start, end), _TAIL.search(said[start:end])
    first = start if lead is None else lead.end()
    last = end if tail is None else start + tail.start()
    return shown[first:last] if first < last else ""


def _different(found: list[re.Match[str]]) -> list[re.Match[str]]:
    """`eve paket` is one place, and so is `table 4, eat in`."""
    names = {_name(match) for match in found}
    has_table = any(match["table"] for match in found)
    return [
        match
        for match in found
        if not (match["way"] == "paket" and "delivery" in names) and not (_name(match) == "dine_in" and has_table)
    ]


def _name(match: re.Match[str]) -> str:
    if match["table"]:
        digits = re.search(r"\d+", match["table"])
        return f"table {int(digits[0])}" if digits else match["table"]
    said = tuple(match["way"].split())
    return next((kind for phrase, kind in ORDER_TYPES if "".join(phrase) == "".join(said)), match["way"])
