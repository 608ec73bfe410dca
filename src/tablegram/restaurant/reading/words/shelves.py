"""Names on shelves, by the letter that begins a word of theirs: neither endings nor typing errors change it.

Most of what people write is no order. So only a few names are looked at for each word of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tablegram.restaurant.reading.letters.spelling import slip
from tablegram.restaurant.reading.letters.suffixes import is_form_of
from tablegram.restaurant.reading.words.lexicon import ASKS, REAL_FOOD, SAME_AS
from tablegram.restaurant.reading.words.matches import FORM, Match
from tablegram.restaurant.reading.words.names import NOT, Name
from tablegram.restaurant.reading.words.tokens import Token

Things = Mapping[str, tuple[Name, ...]]
# A shorter name is not looked for across the gaps between words.
_LEAST_JOINED = 6


class Shelf(NamedTuple):
    things: Things
    # Where each thing stands among the others.
    order: Mapping[str, int]
    # Names that may be written together, by the sign that begins them.
    joined: Mapping[str, Sequence[tuple[str, Name, str]]]


EMPTY = Shelf({}, {}, {})


def letter_of(word: str) -> str:
    return word.removeprefix(NOT)[:1]


def shelves(things: Things) -> dict[str, Shelf]:
    found: dict[str, dict[str, tuple[Name, ...]]] = {}
    for key, names in things.items():
        for name in names:
            for letter in {letter_of(same) for word in name.words for same in (word, *SAME_AS.get(word, ()))}:
                shelf = found.setdefault(letter, {})
                shelf[key] = (*shelf.get(key, ()), name)
    return {letter: _shelf(shelf) for letter, shelf in found.items()}


def _shelf(things: Things) -> Shelf:
    joined: dict[str, list[tuple[str, Name, str]]] = {}
    for key, names in things.items():
        for name in names:
            if len(name.joined) >= _LEAST_JOINED:
                joined.setdefault(name.words[0][:1], []).append((key, name, name.joined))
    return Shelf(things, {key: place for place, key in enumerate(things)}, joined)


def match_joined(shelf: Shelf, tokens: Sequence[Token], start: int) -> list[tuple[str, Match]]:
    """`adanakebap`, `coca cola` and `cocacola` are the same, however they are taken apart."""
    likely = shelf.joined.get(tokens[start].key[:1])
    ways = _ways(tokens, start) if likely else ()
    if not likely or not ways:
        return []
    longest, head = len(ways[-1].typed), ways[-1].typed[:2]
    near = {len(way.typed) + more for way in ways for more in (-1, 0, 1)}
    return [
        (key, match)
        for key, name, whole in likely
        # A typing error keeps the length, but for a letter; endings leave the first two letters as they are.
        if (len(whole) in near or (len(whole) < longest and whole[:2] == head))
        and (match := _match(name, whole, ways)) is not None
    ]


class _Way(NamedTuple):
    """Up to three words, written as one."""

    end: int
    typed: str
    is_word: bool
    is_longer: bool


def _ways(tokens: Sequence[Token], start: int) -> list[_Way]:
    found: list[_Way] = []
    typed = ""
    for index in range(start, min(start + 3, len(tokens))):
        token = tokens[index]
        if token.kind not in ("word", "number") or token.bound:
            break
        if index > start and token.key in ASKS:
            # `iskender ne kadar` has no ending there.
            break
        typed += token.key
        found.append(_Way(index + 1, typed, token.kind == "word", index > start))
    return found


def _match(name: Name, whole: str, ways: Sequence[_Way]) -> Match | None:
    for way in ways:
        typed = way.typed
        if len(typed) < len(whole) - 1:
            continue
        # Numbers are never a typing error: `lahmacun 3` is three of them.
        may_slip = way.is_word and (len(name.words) > 1 or way.is_longer)
        # One slip is forgiven in a long name; whatever differs by more letters need not be compared.
        may_slip = may_slip and len(whole) >= 8 and abs(len(typed) - len(whole)) <= 1 and typed.isalpha()
        same = 0 if typed == whole else slip(typed, whole) if may_slip else None
        if same is not None and same <= 1 and typed not in REAL_FOOD:
            return Match(way.end, float(same), is_whole=not name.is_short, said=name.words)
        is_longer = len(typed) > len(whole) and typed[:2] == whole[:2]
        if way.is_word and is_longer and is_form_of(typed, whole):
            return Match(way.end, FORM, is_whole=not name.is_short, said=name.words)
    return None
