"""What was found at a place of a text: the names that fit there, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.restaurant.reading.words.lexicon import GENERIC, MEASURES
from tablegram.restaurant.reading.words.names import NOT
from tablegram.restaurant.reading.words.tokens import Token

# A word with other endings is a little less like the menu's word than the word itself; a typing error much less.
FORM, KIN = 0.1, 0.2


class Match(msgspec.Struct, frozen=True):
    """A name that was said from one token up to another, whole or in part."""

    end: int
    cost: float
    is_whole: bool
    # Words of the name that were said, and those that were not.
    said: tuple[str, ...]
    missing: tuple[str, ...] = ()
    # The word that tells it from its like was said: the Adana of an Adana kebab.
    is_led: bool = True
    # What was not said is only what kind of thing it is.
    is_told: bool = True
    # A word beside it may have been another dish.
    is_doubtful: bool = False


class Found(msgspec.Struct, frozen=True):
    """What stands at a place: one id, or several that it may be."""

    ids: tuple[str, ...]
    end: int
    is_whole: bool
    cost: float = 0
    # Too little was said to take it for that dish; it may only be asked about.
    is_sure: bool = True
    # Of options: others that are called nearly so, where the dish has none of those.
    kin: tuple[str, ...] = ()

    def behind(self, place: int) -> Found:
        """The same, of which the end was counted from a place on."""
        return msgspec.structs.replace(self, end=place + self.end) if place else self


class Judged(msgspec.Struct, frozen=True):
    """What the names that fit at a place come to: what is named in whole, and what in part. Ends count from the place on."""

    whole: Found | None
    part: Found | None
    # A part of another dish is longer: the options of the whole one, which the rest may be.
    offered: frozenset[str] | None = None
    # Other options that are named nearly so, and where they end.
    kin: tuple[tuple[str, int], ...] = ()


def best(
    matches: Sequence[tuple[str, Match]], end: int, *, is_whole: bool, rivals: Sequence[tuple[str, Match]]
) -> Found:
    longest = [(key, match) for key, match in matches if match.end == end]
    cost = min(match.cost for _, match in longest)
    ids = [key for key, match in longest if match.cost - cost < FORM / 2]
    # A misspelt name against a part of another that is spelt right: nobody knows.
    ids += [key for key, match in rivals if match.end == end and cost >= 1 and match.cost < cost]
    return Found(tuple(dict.fromkeys(ids)), end, is_whole, cost)


def with_kin(found: Found, others: Sequence[tuple[str, int]], tokens: Sequence[Token]) -> Found:
    """Another dish may call the same thing a little otherwise: `kaşarlı` here, `kaşar` there; `büyük boy` and `büyük`."""
    kin = [key for key, end in others if all(one.key in MEASURES for one in tokens[end:])]
    return msgspec.structs.replace(found, kin=tuple(dict.fromkeys(kin)))


def telling(match: Match) -> list[str]:
    return [word for word in match.said if not word[:1].isdigit() and word not in GENERIC]


def says_something(match: Match) -> bool:
    return any(not word.startswith(NOT) for word in telling(match))
