"""Where somebody sits, in the words that people have for it: by a spoken number, by `numara`, by the door, on the next floor.

What comes of it is the same text with `masa 5` for all of them. A number that belongs to a table counts no dish.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from tablegram.restaurant.reading.words.lexicon import NUMBERS, TENS
from tablegram.values.folding import fold_in_place

# One of them stands in whatever tells where somebody sits. Most texts have none.
_TELL = ("masa", "numara", "table", "eyi", "ayi")
# Nobody names more tables in one text.
_MOST = 4

# `altıncı masaya iki katmer`.
_ORDINALS = {"birinci": 1, "ikinci": 2, "ucuncu": 3, "dorduncu": 4, "besinci": 5, "altinci": 6, "yedinci": 7, "sekizinci": 8, "dokuzuncu": 9, "onuncu": 10}  # fmt: skip
_NTH_TABLE = re.compile(rf"\b(on\s*)?({'|'.join(_ORDINALS)})\s+masa(?:ya|da|dan|dayiz|dayim|yiz)?\b")
# `dokuz numaraya üç kahve, on iki numara çay`. Who is `bir numara` is the best, and no table.
_FIGURE_TABLE = re.compile(r"(?<![\w.,])(\d{1,3})\s*['’]?\s*[iu]?nc[iu]\s+masa(?:ya|da|dan|dayiz|dayim|yiz)?\b")
_SPOKEN = "|".join(word for word, value in NUMBERS.items() if 0 < value < 10 and word.isalpha() and word != "bi")
_TO_NUMBER = re.compile(
    rf"\b(?:(?P<ten>{'|'.join(TENS)})\s*)?(?P<one>{_SPOKEN})?(?<=\w)(?=\s+numara(?:ya|da|dan|dayi[zm]|yiz|ydik?)\b|(?<!\bbir)\s+numara\b)"
)
# `masa on birdeyiz`, `yirmi üçteyiz`: the ending stands behind the last of two words.
_SEATED_AT = re.compile(
    rf"\b(?:(?P<table>masa)\s+(?:no\s+|numara\s+)?)?(?P<ten>{'|'.join(list(TENS)[:9])})\s*(?P<one>{_SPOKEN})?\s*['’]?(?P<seat>[dt][ae]yi[zm]|[dt][ae]n|[dt][ae]|y?[ae])\b"
)
# `masa on iki adana`: table 12, or two for table 10?
_COUNTS_TOO = re.compile(
    rf"\b(?:masa|table)\s+(?:no\s+|number\s+)?(?:{'|'.join(TENS)})\s+(?:{_SPOKEN})\s+(?!(?:{_SPOKEN}|\d+|numara\w*|icin|for|here|wants?|please|lutfen)\b)[^\W\d]"
)
# `10 numara, pardon pardon 11 numaraydı biz`: each of them is a table, and the last one is theirs.
_TAKES_BACK = r"(?:degil|pardon|yok|hayir|yanlis\w*|dur|sorry|no|wait)\b"
_NUMBERED = re.compile(
    rf"(?:^\W*|(?<=[a-z]{{2}}[\s,.;]))\s*(?P<number>\d{{1,3}})\s*numara(?:yiz|ydik?|dayi[zm])?(?=[\s,.;]+{_TAKES_BACK})"
)
# `masa 5ten 6ya geçtik`.
_MOVED = re.compile(
    r"\bmasa\s*\d{1,3}\s*['’]?\s*[dt][ae]n\s+(?:masa\s*)?(?P<number>\d{1,3})\s*['’]?\s*y?[ae]\s+(?:gec|tasin)\w+"
)
# Beside the number of a table it says nothing more: `table 8 by the door`, `2. kattayız, masa 7`.
_TABLE = re.compile(
    r"\b(?:masa\w*|tables?)\s*(?:no|number|numara\w*)?\s*\d{1,3}\b|\b\d{1,3}\s*(?:\.|numarali|nolu)?\s*masa"
)
_BESIDE = re.compile(
    r"[\s,(]*\b(?:(?:right\s+)?(?:by|near|next\s+to|close\s+to|beside|under|facing)\s+(?:the\s+|a\s+)?(?:big\s+|front\s+|back\s+)?(?:door|window|bar|wall|entrance|exit|kitchen|toilets?|stairs|tree|fountain|garden|piano|stage|fireplace|tv|street|counter|till)s?"
    r"|(?:out\s+)?(?:in|on)\s+the\s+(?:garden|terrace|balcony|patio|corner|back|front|courtyard|upper\s+floor|(?:first|second|ground|top)\s+floor)"
    r"|(?:kapi|pencere|cam|duvar|bar|mutfak|giris|merdiven|agac|havuz|sahne|somine)(?:n[ie]n)?\s+(?:kenar[iı](?:nda(?:yiz|ki)?)?|yan[iı](?:nda(?:yiz|ki)?)?|onu(?:nde(?:yiz|ki)?)?|dib[ei](?:nde(?:yiz|ki)?)?)"
    r"|(?:bahce|teras|balkon|kose|salon|arka|avlu)(?:de|da|daki|deki|dayiz|deyiz|dayim|deyim|ta|taki|tayiz)"
    r"|(?:\d{1,2}\s*\.?|ust|alt|giris|birinci|ikinci)\s*kat(?:ta|taki|tayiz|tayim))\b\)?"
)
_NTH_WORDS, _BY_NUMBER, _MOVED_WORDS = ("nci", "ncu"), ("numara",), ("gec", "tasin")
_SEATED_WORDS, _OF_TABLES = tuple(list(TENS)[:9]), ("masa", "table")
# Each with words of which one stands in whatever it finds.
LOOKED_FOR = (
    (_NTH_TABLE, _NTH_WORDS),
    (_FIGURE_TABLE, _NTH_WORDS),
    (_SEATED_AT, _SEATED_WORDS),
    (_TO_NUMBER, _BY_NUMBER),
    (_NUMBERED, _BY_NUMBER),
    (_MOVED, _MOVED_WORDS),
    (_COUNTS_TOO, _OF_TABLES),
)


def says_any(folded: str, words: tuple[str, ...]) -> bool:
    """Whether one of these stands in a text. It is found sooner than what may be around it."""
    for word in words:  # noqa: SIM110  # A generator takes longer than what it looks for.
        if word in folded:
            return True
    return False


def may_count(text: str) -> bool:
    """Whether the number of a table may be how many as well."""
    folded = fold_in_place(text)[1]
    return says_any(folded, _OF_TABLES) and _COUNTS_TOO.search(folded) is not None


# A text is asked for several times while it is read. Only the last few are kept.
@lru_cache(maxsize=16)
def seated(text: str) -> str:
    shown, folded = fold_in_place(text)
    if not says_any(folded, _TELL):
        return shown
    shown, folded = fold_in_place(_number_tables(shown))
    if says_any(folded, _NTH_WORDS) and (nth := _FIGURE_TABLE.search(folded)) is not None:
        # `3üncü masa 2 çay`.
        shown, folded = fold_in_place(f"{shown[: nth.start()]}masa {nth[1]}{shown[nth.end() :]}")
    for match in _found(_NUMBERED, folded, _BY_NUMBER):
        shown = f"{shown[: match.start('number')]}masa {match['number']}{shown[match.end() :]}"
    shown, folded = fold_in_place(shown)
    moved = _MOVED.search(folded) if says_any(folded, _MOVED_WORDS) else None
    if moved is not None:
        shown, folded = fold_in_place(f"{shown[: moved.start()]}masa {moved['number']}{shown[moved.end() :]}")
    if _TABLE.search(folded) is None:
        return shown
    for match in reversed(list(islice(_BESIDE.finditer(folded), _MOST))):
        shown = f"{shown[: match.start()]} {shown[match.end() :].lstrip(' ')}".strip()
    return shown


def _found(pattern: re.Pattern[str], folded: str, words: tuple[str, ...]) -> list[re.Match[str]]:
    """The first few of them, the last one first: none is moved by what becomes of one behind it."""
    return list(islice(pattern.finditer(folded), _MOST))[::-1] if says_any(folded, words) else []


def _number_tables(text: str) -> str:
    shown, folded = fold_in_place(text)
    for match in _found(_NTH_TABLE, folded, _NTH_WORDS):
        number = _ORDINALS[match[2]] + (10 if match[1] else 0)
        # `çay 6. Dokuzuncu masadayız`: the full stop before it belongs to no number of a table.
        before = re.sub(r"\s*\.\s*$", ", ", shown[: match.start()])
        shown = f"{before}masa {number}{shown[match.end() :]}"
    shown, folded = fold_in_place(shown)
    for match in _found(_SEATED_AT, folded, _SEATED_WORDS):
        if match["table"] or match["seat"].endswith(("yiz", "yim")):
            number = TENS[match["ten"]] + NUMBERS.get(match["one"], 0)
            shown = f"{shown[: match.start()]}masa {number}{shown[match.end() :]}"
    shown, folded = fold_in_place(shown)
    for match in _found(_TO_NUMBER, folded, _BY_NUMBER):
        number = TENS.get(match["ten"], 0) + NUMBERS.get(match["one"], 0)
        shown = f"{shown[: match.start()]}{number}{shown[match.end() :]}" if number else shown
    return shown
