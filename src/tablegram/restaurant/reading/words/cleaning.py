"""A text before it is taken apart: without marks that nobody sees, prices, and the numbers of a list."""

from __future__ import annotations

import re
import unicodedata

from tablegram.restaurant.reading.words.lexicon import NUMBERS
from tablegram.values.folding import fold

_SCRAP = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe0e\ufe0f\u20e3\u00ad]")
# Runs of blanks, and those that are no plain one.
_BLANKS = re.compile(r"\s{2,}|[^\S \n]")
_DIGIT = re.compile(r"\d")
_LINES = frozenset("\n\r")
_CURRENCY = r"(?:₺|€|\$|£|tl\b|try\b|eur\b|usd\b|lira(?:lık|dan)?\b|euro\b)"
_FIGURE = r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
# `19.30 da` is when, and no price.
_NO_TIME = r"(?!\s*['’]?(?:[dt][ae]|y?[ae]|gibi|için|icin)\b)"
PRICE = re.compile(
    rf"[@=]?\s*(?:[₺€$£]\s*(?:{_FIGURE})|(?<![\w.,])(?:{_FIGURE})\s*{_CURRENCY}|(?<![\w.,])\d+[.,]\d{{2}}(?![\d\w]){_NO_TIME})",
    re.IGNORECASE,
)
# It stands in whatever is a price. Most figures are none.
MAY_BE_PRICE = re.compile(rf"[₺€$£]|\d(?:\s*{_CURRENCY}|[.,]\d)", re.IGNORECASE)
# Lines that our own text adds around the dishes.
_FRAME = re.compile(
    r"^[\s*_~>]*(?:toplam|ara toplam|total|subtotal|servis|service|indirim|discount|kod|code)\s*:.*$",
    re.IGNORECASE | re.M,
)
_NUMBERED = re.compile(r"^[ \t]*(\d{1,2})[ \t]*[.)][ \t]*(?=\S)", re.M)
# The same marks on one line: `1) adana 2) urfa`. A dot or a dash is one only before a word.
_MARK = re.compile(r"(?<![\w(.,])(\d{1,2})(?:[ \t]*\)|(?:\.[ \t]|[-–])[ \t]*(?=[^\W\d]))[ \t]*(?=\S)")


def prepare(text: str) -> str:
    squeezed = _squeeze(text)
    plain = squeezed if squeezed.isascii() else _SCRAP.sub("", fractions(squeezed))
    plain = plain if plain == squeezed else _squeeze(plain)
    plain = _FRAME.sub("", plain) if ":" in plain else plain
    has_digits = _DIGIT.search(plain) is not None
    plain = _drop_numbering(plain) if has_digits else plain
    plain = re.sub(r"(?<=\w)[*_~]+(?=\s|$)|(?<!\S)[*_~]+(?=\w)", " ", plain) if "×" in plain else plain
    return PRICE.sub(" ", plain) if has_digits and MAY_BE_PRICE.search(plain) else plain


def _squeeze(text: str) -> str:
    """One blank for many, and one line break for many: what looks for the end of a run must not begin at each sign."""
    if text.isprintable() and "  " not in text:
        return text
    return _BLANKS.sub(lambda run: "\n" if _LINES & set(run[0]) else " ", text)


def fractions(text: str) -> str:
    if text.isascii():
        return text
    halved = re.sub(r"(\d)\s*½", r"\1.5", text).replace("½", " yarım ") if "½" in text else text
    return unicodedata.normalize("NFKC", halved)


def _drop_numbering(text: str) -> str:
    """`1. … 2. … 3. …` counts the lines, not the dishes. With two lines nobody knows, and the numbers are in doubt."""
    text = _break_at_marks(text)
    marks = _NUMBERED.findall(text)
    if len(marks) < 2 or marks != [str(number) for number in range(1, len(marks) + 1)]:
        return text
    if len(marks) >= 3 or _is_counted(_NUMBERED.sub("", text)):
        return _NUMBERED.sub("", text)
    return _NUMBERED.sub(lambda match: f"{match[1]}-{match[1]} ", text)


def _break_at_marks(text: str) -> str:
    """A numbered list on one line, with a line for each number."""
    found = list(_MARK.finditer(text))
    if len(found) < 2 or [match[1] for match in found] != [str(number) for number in range(1, len(found) + 1)]:
        return text
    if any("." in match[0] for match in found) and text[: found[0].start()].strip(" \t")[-1:] not in ("", "\n", ":"):
        # `adana 1. urfa 2. ayran 3` counts the dishes.
        return text
    if any(set("-–") & set(match[0]) for match in found) and not _is_counted(_MARK.sub("\n", text)):
        # `1-adana 2-urfa` may be a list, and may count.
        return _MARK.sub(lambda match: f"\n{match[1]}-{match[1]} ", text)
    return _MARK.sub(lambda match: f"\n{match[1]}) ", text)


def _is_counted(text: str) -> bool:
    """Whether every line has a number of its own."""
    lines = [line for line in text.splitlines() if line.strip()]
    return all(re.search(r"\d", line) or set(fold(line).split()) & NUMBERS.keys() for line in lines)
