"""Endings: `lahmacunlardan` is lahmacun, `kebabı` is kebap, `burgers` is burger; but `soğansız` is not soğan.

Everything here is folded: small letters without accents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

# Case, possession and number, one after another. Endings that change what is meant (-lı, -sız) are not among them.
_PLURAL = "(?:lar|ler)"
_OWNER = "(?:si|su|im|um|in|un|imiz|umuz|miz|muz|i|u|m)"
_CASE = "(?:n?dan|n?den|tan|ten|n?da|n?de|ta|te|y?i|y?u|ni|nu|y?a|y?e|na|ne|nin|nun|in|un|yla|yle|la|le)"
_TURKISH = re.compile(rf"{_PLURAL}?{_OWNER}?{_CASE}?")
# Behind a name of two letters: `suyu`, `sular`; but a suite is no water, nor is `şunu`.
_BEHIND_TWO = re.compile("|(?:lar|ler)(?:i|u|dan|den)?|y[iuae]|[dt]an|[dt]en|[dt]a|[dt]e|yla|yle|yum|yumuz")
_ENGLISH = re.compile("(?:s|es|'s)")
# What the last letter of a word was before an ending with a vowel followed it.
_HARD = {"b": "p", "d": "t", "g": "k"}
_VOWELS = frozenset("aeiou")
_WITHOUT = re.compile("(.{2,}?)(?:siz|suz)(?:lar|ler|i|u|in|dan|den)?")
_WITH = re.compile("(.{2,}?)(?:li|lu)")
# They end as if something were missing, and nothing is.
_NOT_WITHOUT = frozenset({"siz", "sizsiz", "deniz", "temiz", "benzersiz", "sessiz", "hepsiz"})


@lru_cache(maxsize=16_384)
def bases(name_word: str) -> tuple[str, ...]:
    """A word of the menu as people shorten it: `corbasi` is also `corba`, `kebabi` also `kebap`."""
    found = [name_word]
    for ending in ("si", "su", "i", "u", "lari", "leri", "lar", "ler"):
        if name_word.endswith(ending) and len(name_word) - len(ending) >= 3:
            stem = name_word[: -len(ending)]
            if (stem[-1] in _VOWELS) == (ending in ("si", "su")) or len(ending) > 2:
                found.append(stem)
                if stem[-1] in _HARD and ending in ("i", "u"):
                    found.append(stem[:-1] + _HARD[stem[-1]])
    if name_word.endswith("s") and not name_word.endswith("ss") and len(name_word) >= 4:
        found.append(name_word[:-1])
    if name_word.endswith("ies") and len(name_word) >= 5:
        found.append(name_word[:-3] + "y")
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=16_384)
def root_of(name_word: str) -> str:
    """What every form of a word of the menu begins with: endings change no more than the letter before them."""
    return min(bases(name_word), key=len)[:-1]


@lru_cache(maxsize=16_384)
def stems(typed: str) -> tuple[str, ...]:
    """What a typed word may be without its endings, the whole word first."""
    found = [typed]
    for cut in range(len(typed) - 1, 1, -1):
        stem, ending = typed[:cut], typed[cut:]
        if _TURKISH.fullmatch(ending):
            found.append(stem)
            if stem[-1] in _HARD and ending[0] in _VOWELS and len(stem) >= 3:
                found.append(stem[:-1] + _HARD[stem[-1]])
        elif _ENGLISH.fullmatch(ending) and len(stem) >= 3:
            found.append(stem)
    if typed.endswith("ies") and len(typed) >= 5:
        found.append(typed[:-3] + "y")
    return tuple(dict.fromkeys(found))


def is_form_of(typed: str, name_word: str) -> bool:
    """Whether a typed word is the menu's word with other endings, spelt right."""
    wanted = bases(name_word)
    if not typed.startswith(root_of(name_word)):
        return False
    return any(
        stem in wanted
        for stem in stems(typed)
        if len(stem) >= 3 or (stem == name_word and _BEHIND_TWO.fullmatch(typed[len(stem) :]))
    )


_OWNED = re.compile(rf"{_PLURAL}?(?:i|u)?m(?:(?:i|u)z)?{_CASE}?")
_OF = re.compile("(?:nin|nun|in|un|dan|den|tan|ten)")


def pointing(typed: str, name_words: Iterable[str]) -> str:
    """How a dish is pointed at: `owned` (`ayranım`), `plural` (`ayranlar`, `ayrans`), `of` (`ayranın`), or not at all."""
    words = {base for word in name_words for base in bases(word)}
    endings = {typed[len(word) :] for word in words if len(word) >= 3 and typed.startswith(word)}
    if typed in words or not endings:
        return ""
    if any(_OWNED.fullmatch(ending) for ending in endings):
        return "owned"
    if any(ending.startswith(("lar", "ler")) or ending in ("s", "es") for ending in endings):
        return "plural"
    return "of" if any(_OF.fullmatch(ending) for ending in endings) else ""


@lru_cache(maxsize=4_096)
def without(word: str) -> str | None:
    """`sogansiz` is without `sogan`."""
    match = _WITHOUT.fullmatch(word)
    return match[1] if match and word not in _NOT_WITHOUT else None


@lru_cache(maxsize=4_096)
def with_(word: str) -> str | None:
    """`acili` is with `aci`."""
    match = _WITH.fullmatch(word)
    return match[1] if match else None
