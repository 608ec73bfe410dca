"""The names of all dishes, or of all options: which of them are said from a place of a text on.

What is worked out for a few words is remembered, since guests name the same dishes all day.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from tablegram.restaurant.reading.letters.suffixes import is_form_of
from tablegram.restaurant.reading.words.lexicon import GENERIC, KINDS
from tablegram.restaurant.reading.words.likeness import Likeness
from tablegram.restaurant.reading.words.matches import Match
from tablegram.restaurant.reading.words.names import Name
from tablegram.restaurant.reading.words.shelves import (
    EMPTY,
    NameShelf,
    Said,
    Things,
    letter_of,
    match_joined,
    may_be_joined,
    may_begin,
    shelves,
)
from tablegram.restaurant.reading.words.tokens import Token

# Names that fit, with the thing that is called so. They end so many words behind the place that is looked at.
Matches = tuple[tuple[str, Match], ...]
# Longer runs of a menu's words are not remembered.
_LONGEST_KEPT = 8


class Start(NamedTuple):
    """What is known of a word before the text is looked at: the shelf of its letter, and whether a name may begin with it."""

    shelf: NameShelf
    # How many names are there to be compared.
    steps: int
    begins: bool
    joins: bool


class Seen(NamedTuple):
    """All that matters of a place: the run of words that may be one name, and the names that are written together."""

    letter: str
    run: tuple[Said, ...]
    joined: Matches

    @property
    def is_short(self) -> bool:
        """Whether it is worth remembering what comes of it."""
        return len(self.run) <= _LONGEST_KEPT


class Book:
    def __init__(
        self, things: Things, likeness: Likeness, words: Container[str], is_beside: Callable[[str], bool]
    ) -> None:
        """`words`: every word of the menu. `is_beside`: whether a word may be said with a name, as the category's."""
        self.shelves = shelves(things)
        self._likeness = likeness
        self._words = words
        self._is_beside = is_beside
        self._begun = lru_cache(maxsize=4_096)(self._find_begun)
        self._begin = lru_cache(maxsize=2_048)(self._find_begin)
        self._joined = lru_cache(maxsize=2_048)(self._find_joined)
        self.start = lru_cache(maxsize=4_096)(self._find_start)

    def _find_start(self, key: str) -> Start:
        shelf = self.shelves.get(letter_of(key), EMPTY)
        return Start(shelf, 1 + len(shelf.things), bool(self._begun(key)), may_begin(shelf, key))

    def look(self, start: Start, tokens: Sequence[Token], place: int) -> Seen | None:
        """What stands from this token on, with which a name may begin as `start` tells. Nothing for most words."""
        first = tokens[place]
        begins = start.begins if first.kind != "number" else first.key in self._words
        run = self._run(tokens, place) if begins else ()
        joined = self._joined(letter_of(first.key), may_be_joined(tokens, place)) if start.joins else ()
        return Seen(letter_of(first.key), run, joined) if run or joined else None

    def _find_joined(self, letter: str, said: tuple[Said, ...]) -> Matches:
        return match_joined(self.shelves.get(letter, EMPTY), said)

    def matches(self, seen: Seen) -> Matches:
        """Every name that fits, in the menu's order."""
        found = self._begin(seen.run) if seen.is_short else self._find_begin(seen.run)
        if not seen.joined:
            return found
        order = self.shelves[seen.letter].order
        return tuple(sorted((*found, *seen.joined), key=lambda one: order[one[0]]))

    def _run(self, tokens: Sequence[Token], start: int) -> tuple[Said, ...]:
        """From this token on what may be words of one name; most words of a text end it."""
        run: list[Said] = []
        for token in islice(tokens, start, None):
            if token.bound in ("pre", "post", "part"):
                break
            if token.kind == "word":
                goes_on = not run or bool(self._begun(token.key)) or self._is_beside(token.key)
            else:
                goes_on = token.kind == "and" or (token.kind == "number" and (not run or token.key in self._words))
            if not goes_on:
                break
            run.append((token.kind, token.key))
        return tuple(run)

    def _find_begin(self, run: tuple[Said, ...]) -> Matches:
        """The names that such a run of words begins with."""
        if not run:
            return ()
        kind, key = run[0]
        likely = self.shelves.get(letter_of(key), EMPTY).things if kind == "number" else self._begun(key)
        every = ((thing, self._match(name, run)) for thing, names in likely.items() for name in names)
        return tuple((thing, match) for thing, match in every if match is not None)

    def _find_begun(self, key: str) -> Things:
        """The names that a typed word may be a word of. Most words are none of the menu's."""
        shelf = self.shelves.get(letter_of(key), EMPTY)
        fitting = self._likeness.fitting(key, shelf.words)
        if not fitting:
            return {}
        likely = {
            thing: tuple(name for name in names if not fitting.isdisjoint(name.words))
            for thing, names in shelf.things.items()
        }
        return {thing: names for thing, names in likely.items() if names}

    def _match(self, name: Name, run: Sequence[Said]) -> Match | None:
        used: list[int] = []
        end, cost = 0, 0.0
        is_doubtful = False
        for index, (kind, key) in enumerate(run, start=1):
            if kind == "and" and name.has_glue and used:
                continue
            if kind == "and":
                break
            step = self._step(name, kind, key, used)
            if step is None:
                beside = self._cost_beside(kind, key, name)
                if beside is None or not used:
                    break
                cost += beside
                is_doubtful = is_doubtful or key in name.sorts
            else:
                used.append(step[0])
                cost += step[1]
            end = index
        if not used:
            return None
        missing = tuple(word for place, word in enumerate(name.words) if place not in used)
        lead = next((word for word in name.words if word not in GENERIC), name.words[0])
        said = tuple(name.words[place] for place in used)
        is_told = all(_is_kind(word, name) for word in missing)
        return Match(end, cost, not missing and not name.is_short, said, missing, lead in said, is_told, is_doubtful)

    def _step(self, name: Name, kind: str, key: str, used: list[int]) -> tuple[int, float] | None:
        """The word of the name that this one is. Numbers stand where the name has them, other words anywhere."""
        best: tuple[int, float] | None = None
        for place, word in enumerate(name.words):
            if place in used:
                continue
            if kind == "number":
                in_order = place == (used[-1] + 1 if used else 0)
                cost = 0.0 if in_order and key == word else None
            else:
                cost = self._likeness.cost(key, word)
            if cost is not None and (best is None or cost < best[1]):
                best = (place, cost)
        return best

    def _cost_beside(self, kind: str, key: str, name: Name) -> float | None:
        """Of a word that may be said with a name, as the category's; numbers never are."""
        known = (*name.beside, *name.sorts) if kind == "word" else ()
        return min((cost for word in known if (cost := self._likeness.cost(key, word)) is not None), default=None)


def _is_kind(word: str, name: Name) -> bool:
    """Whether it says no more than what kind of thing a dish is, as its category does."""
    return word in GENERIC or word in KINDS or any(is_form_of(beside, word) for beside in name.beside)
