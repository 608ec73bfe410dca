"""Text as people search for it: without case, accents, or the difference between the Turkish i's.

`fold("IŞIK")`, `fold("ışık")` and `fold("isik")` are the same key. Scripts other than Latin keep their letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Longer words are found by their beginning; nobody types more of one.
MAX_WORD = 40

# Letters that Unicode does not take apart, though people type the plain ones. The dotless i is the one that matters.
_PLAIN = str.maketrans({"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h"})
# The letters of Turkish and German that are no plain ones. Most texts have no others, and need no tables of Unicode.
_COMMON = tuple(zip("çğıöşüâîûäÇĞİÖŞÜÂÎÛÄ", "cgiosuaiuaCGIOSUAIUA", strict=True))
_COMMON_TABLE = str.maketrans(dict(_COMMON))
# A table is looked into for each sign. In longer texts one letter after another is replaced sooner.
_SHORT = 12
# Accents of Latin, Greek and Cyrillic. Marks of other scripts are vowels, and stay.
_ACCENTS = re.compile("[\u0300-\u036f]+")
_ASCII_WORD = re.compile("[a-z0-9]+")


def fold(text: str) -> str:
    """The key under which a text is found."""
    plain = text if text.isascii() else _replace_common(text)
    if plain.isascii():
        return plain.lower()
    folded = text
    while True:
        apart = unicodedata.normalize("NFKD", folded)
        step = _ACCENTS.sub("", unicodedata.normalize("NFKD", apart.casefold())).translate(_PLAIN)
        # A few letters fold in two steps, so that folding what is folded would change it again.
        if step == folded:
            return step
        folded = step


def _replace_common(text: str) -> str:
    if len(text) <= _SHORT:
        return text.translate(_COMMON_TABLE)
    for letter, plain in _COMMON:
        text = text.replace(letter, plain)
    return text


# A text is looked through in many ways, one after another. Only the last few are kept.
@lru_cache(maxsize=16)
def fold_in_place(text: str) -> tuple[str, str]:
    """A text and its folded form with sign above sign, so that what is found in one can be cut out of the other."""
    if text.isascii():
        return text, text.lower()
    shown = unicodedata.normalize("NFC", text)
    plain = _replace_common(shown)
    return shown, plain.lower() if plain.isascii() else "".join(map(_fold_sign, shown))


@lru_cache(maxsize=4_096)
def _fold_sign(sign: str) -> str:
    """One sign for one sign: what folds to several stays."""
    folded = fold(sign)
    return folded if len(folded) == 1 else sign


def words(text: str) -> list[str]:
    """The folded words of a text in their order: runs of letters, digits and the marks that belong to them."""
    folded = fold(text)
    if folded.isascii():
        found = _ASCII_WORD.findall(folded)
    else:
        found = "".join([sign if _is_part_of_a_word(sign) else " " for sign in folded]).split()
    return [word[:MAX_WORD] for word in found]


def _is_part_of_a_word(sign: str) -> bool:
    return sign.isalnum() or unicodedata.category(sign)[0] == "M"
