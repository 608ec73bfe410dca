"""How like a typed word is to one of a menu's: the same, of the same kin, with other endings, or with a slip of the finger."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from tablegram.restaurant.reading.letters.spelling import slip
from tablegram.restaurant.reading.letters.suffixes import bases, is_form_of, stems, with_
from tablegram.restaurant.reading.words.everyday import is_everyday
from tablegram.restaurant.reading.words.lexicon import NO_FOOD, NUMBERS, REAL_FOOD, SAME_AS
from tablegram.restaurant.reading.words.manners import is_past
from tablegram.restaurant.reading.words.matches import FORM, KIN
from tablegram.restaurant.reading.words.names import NOT

# A shorter stem is a part of too many words.
_LEAST_STEM, _LEAST_BASE = 4, 5


class Likeness:
    """People write the same few thousand words: what was found of one is remembered."""

    def __init__(self, words: Collection[str], option_words: Collection[str]) -> None:
        self._words = words
        self._option_words = option_words
        self.cost = lru_cache(maxsize=8_192)(self._find_cost)
        self.is_known = lru_cache(maxsize=4_096)(self._look_up)
        self._is_another = lru_cache(maxsize=4_096)(self._means_another)

    def fitting(self, typed: str, words: Iterable[str]) -> frozenset[str]:
        """Which of these a typed word may be. Most words are none of the menu's."""
        kin, first = _kin_of(typed), typed[:1]
        likely = (word for word in words if word[:1] == first or word in kin)
        return frozenset(word for word in likely if self.cost(typed, word) is not None)

    def is_any(self, typed: str, words: Iterable[str]) -> bool:
        """Whether a typed word may be one of these."""
        return any(self.cost(typed, word) is not None for word in words)

    def _find_cost(self, typed: str, word: str) -> float | None:
        """How unlike they are; nothing where it is another word."""
        if typed == word:
            return 0.0
        if word in _kin_of(typed):
            return KIN
        if typed[:1] != word[:1]:
            # Neither endings nor typing errors change it, and most words differ in it.
            return None
        if typed.startswith(NOT) or word.startswith(NOT):
            if typed.startswith(NOT) and word.startswith(NOT):
                return _with_and_without(typed[1:], word[1:])
            return None
        if typed in NO_FOOD or is_form_of(typed, word):
            return None if typed in NO_FOOD else FORM
        kin = _with_and_without(typed, word) if word in self._option_words else None
        if kin is not None:
            return kin
        if self._is_another(typed):
            return None
        if _is_of_real_food(typed):
            # `danadan` is veal; but `lemonde` is no lemon where a letter more makes it a lemonade.
            return 1.0 if len(typed) >= 7 and slip(typed, word) == 1 else None
        slips = [slip(stem, base) for stem in _long_stems(typed) for base in bases(word) if len(base) >= _LEAST_BASE]
        return min((float(one) for one in slips if one), default=None)

    def _means_another(self, typed: str) -> bool:
        """Whether it is a word by itself, so that no slip made it of one of the menu's."""
        root = with_(typed)
        if root is not None and (self.is_known(root) or root in REAL_FOOD):
            # `pilavlı` comes with rice, and is none.
            return True
        return self.is_known(typed) or typed in REAL_FOOD or typed in NUMBERS or is_past(typed) or is_everyday(typed)

    def _look_up(self, key: str) -> bool:
        return key in self._words or any(is_form_of(key, word) for word in self._words if word[:2] == key[:2])


@lru_cache(maxsize=8_192)
def _kin_of(typed: str) -> frozenset[str]:
    """Every word that is said for the same thing."""
    likely = (stem for stem in stems(typed) if stem == typed or len(stem) >= _LEAST_STEM)
    return frozenset(same for stem in likely for same in SAME_AS.get(stem, ()))


@lru_cache(maxsize=8_192)
def _long_stems(typed: str) -> tuple[str, ...]:
    return tuple(stem for stem in stems(typed) if len(stem) >= _LEAST_STEM)


def _is_of_real_food(typed: str) -> bool:
    return any(stem in REAL_FOOD for stem in _long_stems(typed))


def _with_and_without(typed: str, word: str) -> float | None:
    """With and without their -lı: what is `acılı` has `acı`."""
    roots = {typed, with_(typed) or typed}
    if any(is_form_of(root, base) for root in roots for base in {word, with_(word) or word}):
        return KIN
    return None
