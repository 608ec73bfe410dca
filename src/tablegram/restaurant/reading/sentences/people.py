"""Who writes, or who is spoken to: `ben Deniz`, `Ali abi`, `Deniz here`. People's names are left out; they are no dish.

Only what is beyond doubt a name goes: a common one, or behind `my name is` one with a capital letter. A word that is
left out is never asked about, so that a thing somebody wants must not be taken for a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablegram.restaurant.reading.words.lexicon import (
    ASKS,
    COUNTERS,
    FILLERS,
    LATER,
    NAMES_OF_PEOPLE,
    ORDER_TYPES,
    REAL_FOOD,
    TABLE_WORDS,
)
from tablegram.restaurant.reading.words.tokens import Token, take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold

# They stand before the name of who writes.
_INTRODUCES: tuple[tuple[str, ...], ...] = (
    ("ben",), ("adim",), ("ismim",), ("isim",), ("ad",), ("name",), ("benim", "adim"), ("benim", "ismim"), ("my", "name", "is"), ("my", "names"), ("name", "is"), ("under", "the", "name"), ("under",),
    ("this", "is"), ("its",), ("it", "is"), ("im",), ("i", "am"),
)  # fmt: skip
_BEGIN_INTRODUCING = frozenset(phrase[0] for phrase in _INTRODUCES)
# They stand behind the name of whoever is spoken to, or of who writes.
_ADDRESSES = frozenset(
    {"abi", "abim", "agabey", "abla", "ablam", "bey", "hanim", "usta", "ustam", "hocam", "kardes", "kardesim", "amca"}
)
_NEVER = (FILLERS | COUNTERS | TABLE_WORDS | REAL_FOOD) - NAMES_OF_PEOPLE
_NO_NAME = _NEVER | ASKS | LATER
# One of them stands wherever a person is named.
_SPEAKING = NAMES_OF_PEOPLE | _BEGIN_INTRODUCING
_PLACES = TABLE_WORDS | {"from", "at", "in"}
_BEHIND = frozenset({"here", "ben", "burada", "adina"})


# `collecting it myself, Aisha`: a name behind the last comma, with nothing around it.
_LAST = re.compile(r"(?P<rest>.*[a-zçğıöşü].*?)[\s]*[,.;\n–-]+\s*(?P<name>[A-ZÇĞİÖŞÜ][a-zçğıöşü]{2,}(?:\s+[A-ZÇĞİÖŞÜ][a-zçğıöşü]+)?)[.!\s]*", re.DOTALL)  # fmt: skip
# Most texts have no such word behind a comma, and are not looked through for a name.
_CAPITAL = re.compile(r"[,.;\n–-]\s*[A-ZÇĞİÖŞÜ]")
_TAKES_AWAY = re.compile(
    rf"\b(?:{'|'.join(' +'.join(phrase) for phrase, kind in ORDER_TYPES if kind == 'takeaway')})\b"
)


def signed(text: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """A text of somebody who comes for their order, without the name that ends it, and the name; whoever is called so."""
    # Which name it is takes longer to find than whether somebody comes for it.
    may_be = _CAPITAL.search(text) is not None and _TAKES_AWAY.search(fold(text)) is not None
    found = _LAST.fullmatch(text.strip()) if may_be else None
    if found is None or not _TAKES_AWAY.search(fold(found["rest"])):
        return None
    words = [token.key for token in take_apart(found["name"]) if token.kind == "word"]
    is_other = any(word in _NO_NAME or vocabulary.is_known(word) or bool(vocabulary.near(word)) for word in words)
    return None if is_other or not words else (found["rest"], found["name"])


def leave_out_people(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[Token]:
    """The same tokens without the names of people, and without what introduces them."""
    if _SPEAKING.isdisjoint([token.key for token in tokens]):
        # As in most texts.
        return list(tokens)
    return _People(tokens, vocabulary).left()


class _People:
    def __init__(self, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
        self._tokens, self._vocabulary = tokens, vocabulary
        words = [token.text for token in tokens if token.kind == "word"]
        # Whoever writes everything in capital letters marks no names with them.
        self._has_small = any(word[:1].islower() for word in words)

    def left(self) -> list[Token]:
        kept: list[Token] = []
        place = 0
        while place < len(self._tokens):
            may_name = self._tokens[place].key in _SPEAKING
            end = may_name and (self._introduced(place) or self._addressed(place) or self._signed(place))
            if end:
                place = end
                continue
            kept.append(self._tokens[place])
            place += 1
        return kept

    def _introduced(self, place: int) -> int:
        """`ben Deniz`, and then nothing that they could want by it: `ben Deniz istiyorum` is about something else."""
        if self._tokens[place].key not in _BEGIN_INTRODUCING:
            # Most words begin none of the phrases.
            return 0
        for phrase in _INTRODUCES:
            name = place + len(phrase)
            said = tuple(token.key if token.kind == "word" else "" for token in self._tokens[place:name])
            if said == phrase and self._is_name(name) and self._ends(self._end_of_name(name)):
                return self._end_of_name(name)
        return 0

    def _addressed(self, place: int) -> int:
        """`Ali abi`, `Ayşe Hanım`, `Deniz here`; but `1 çay abi` and `2 Ali abi` name no person."""
        is_common = self._tokens[place].key in NAMES_OF_PEOPLE and self._is_name(place)
        if not is_common or (place and self._tokens[place - 1].kind == "number"):
            return 0
        end = self._end_of_name(place)
        key = self._tokens[end].key if end < len(self._tokens) else ""
        if key in _ADDRESSES:
            return end + 1
        is_here = key in _BEHIND and self._begins(place) and self._ends(end + 1)
        return end + 1 if is_here else 0

    def _signed(self, place: int) -> int:
        """A name alone on a line of its own. One that may be a dish as well is asked about."""
        # Most words are no names, and are not looked up.
        if self._tokens[place].key not in NAMES_OF_PEOPLE or not self._begins(place) or not self._is_name(place):
            return 0
        end = self._end_of_name(place)
        is_alone = end == len(self._tokens) or self._tokens[end].kind == "break"
        return end if is_alone and self._vocabulary.dish_at(self._tokens, place) is None else 0

    def _end_of_name(self, place: int) -> int:
        """With the family name, where there is one."""
        return place + 2 if self._is_name(place + 1) else place + 1

    def _begins(self, place: int) -> bool:
        before = self._tokens[place - 1] if place else None
        return before is None or before.kind == "break" or before.key in FILLERS

    def _ends(self, place: int) -> bool:
        after = self._tokens[place] if place < len(self._tokens) else None
        return after is None or after.kind in ("break", "number", "and") or after.key in _PLACES

    def _is_name(self, place: int) -> bool:
        token = self._tokens[place] if place < len(self._tokens) else None
        if token is None or token.kind != "word" or token.key in _NEVER:
            return False
        dish = self._vocabulary.dish_at(self._tokens, place)
        option, _ = self._vocabulary.option_at(self._tokens, place)
        is_common = token.key in NAMES_OF_PEOPLE
        # Sarah is no jug, though she may be one misspelt.
        most = 1.0 if is_common else 9.0
        if (dish is not None and dish.is_sure and dish.cost < most) or (option is not None and option.cost < most):
            return False
        if is_common:
            return True
        is_marked = self._has_small and len(token.text) > 2 and token.text.istitle() and place > 0
        return is_marked and dish is None and not self._vocabulary.near(token.key)
