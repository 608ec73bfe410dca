"""Names on shelves, by the letter that begins a word of theirs: neither endings nor typing errors change it.

Most of what people write is no order. So only a few names are looked at for each word of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from tablegram.restaurant.reading.letters.spelling import is_one_off
from tablegram.restaurant.reading.letters.suffixes import is_form_of, root_of
from tablegram.restaurant.reading.words.lexicon import ASKS, REAL_FOOD, SAME_AS
from tablegram.restaurant.reading.words.matches import FORM, Match
from tablegram.restaurant.reading.words.names import NOT, Name
from tablegram.restaurant.reading.words.tokens import Token

Things = Mapping[str, tuple[Name, ...]]
# A word or a number as it was said: its kind and its key.
Said = tuple[str, str]
# A shorter name is not looked for across the gaps between words, and is not forgiven a slip there.
_LEAST_JOINED, _LEAST_SLIPPED = 6, 8
# One slip leaves either so many letters at the beginning as they are, or so many at the end; endings leave two.
_HEAD, _TAIL, _SHORT_HEAD = 3, 4, 2


class JoinedName(NamedTuple):
    """A name that may be written together."""

    place: int
    key: str
    name: Name
    whole: str


class NameShelf(NamedTuple):
    things: Things
    # Every word of their names.
    words: frozenset[str]
    # Where each thing stands among the others.
    order: Mapping[str, int]
    # Names that may be written together, by how they begin, and those that may be misspelt by how they end.
    heads: Mapping[str, Sequence[JoinedName]]
    tails: Mapping[str, Sequence[JoinedName]]


EMPTY = NameShelf({}, frozenset(), {}, {}, {})


def letter_of(word: str) -> str:
    return word.removeprefix(NOT)[:1]


def shelves(things: Things) -> dict[str, NameShelf]:
    found: dict[str, dict[str, tuple[Name, ...]]] = {}
    for key, names in things.items():
        for name in names:
            for letter in {letter_of(same) for word in name.words for same in (word, *SAME_AS.get(word, ()))}:
                shelf = found.setdefault(letter, {})
                shelf[key] = (*shelf.get(key, ()), name)
    return {letter: _shelf(shelf) for letter, shelf in found.items()}


def _shelf(things: Things) -> NameShelf:
    heads: dict[str, list[JoinedName]] = {}
    tails: dict[str, list[JoinedName]] = {}
    for place, (key, name) in enumerate((key, name) for key, names in things.items() for name in names):
        one = JoinedName(place, key, name, name.joined)
        if len(one.whole) >= _LEAST_JOINED:
            root = root_of(one.whole)
            heads.setdefault(one.whole[: _HEAD if len(root) >= _HEAD else _SHORT_HEAD], []).append(one)
        if len(one.whole) >= _LEAST_SLIPPED:
            tails.setdefault(one.whole[-_TAIL:], []).append(one)
    words = frozenset(word for names in things.values() for name in names for word in name.words)
    return NameShelf(things, words, {key: place for place, key in enumerate(things)}, heads, tails)


def may_begin(shelf: NameShelf, key: str) -> bool:
    """Whether a word may be how a name begins that is written together, whatever follows. For most words it is not."""
    if not shelf.heads or len(key) < _HEAD:
        return bool(shelf.heads)
    if key[:_HEAD] in shelf.heads or key[:_SHORT_HEAD] in shelf.heads:
        return True
    return any(_may_slip(key, one.whole) for ones in shelf.tails.values() for one in ones)


def _may_slip(key: str, whole: str) -> bool:
    """Whether a name may begin with this word, which has a slip in its first letters."""
    if key[0] != whole[0] or not (key[1] in whole[1:3] or key[2] in whole[1:3]):
        return False
    # What follows stands where it does in the name, or one letter beside that.
    rest = key[_TAIL:]
    return not rest or any(whole.startswith(rest, _TAIL + by) for by in (-1, 0, 1))


def match_joined(shelf: NameShelf, said: Sequence[Said]) -> tuple[tuple[str, Match], ...]:
    """`adanakebap`, `coca cola` and `cocacola` are the same, however they are taken apart."""
    if not said or not shelf.heads:
        return ()
    written = list(accumulate(key for _, key in said))
    longest = written[-1]
    likely = [*shelf.heads.get(longest[:_HEAD], ()), *shelf.heads.get(longest[:_SHORT_HEAD], ())]
    for typed in written:
        likely.extend(shelf.tails.get(typed[-_TAIL:], ()))
    if not likely:
        return ()
    each = {one.place: one for one in likely}
    ordered = (each[place] for place in sorted(each))
    ways = [_Way(at + 1, typed, said[at][0] == "word", at > 0) for at, typed in enumerate(written)]
    found = ((one.key, _match(one.name, one.whole, ways)) for one in ordered)
    return tuple((key, match) for key, match in found if match is not None)


def may_be_joined(tokens: Sequence[Token], start: int) -> tuple[Said, ...]:
    """The word of a place, with the next one and the one behind that where they may be one word."""
    found: list[Said] = []
    for token in tokens[start : start + 3]:
        if token.kind not in ("word", "number") or token.bound:
            break
        if found and token.key in ASKS:
            # `iskender ne kadar` has no ending there.
            break
        found.append((token.kind, token.key))
    return tuple(found)


class _Way(NamedTuple):
    """Up to three words, written as one."""

    end: int
    typed: str
    is_word: bool
    is_longer: bool


def _match(name: Name, whole: str, ways: Sequence[_Way]) -> Match | None:
    for way in ways:
        typed = way.typed
        if len(typed) < len(whole) - 1:
            continue
        # Numbers are never a typing error: `lahmacun 3` is three of them.
        may_slip = way.is_word and (len(name.words) > 1 or way.is_longer)
        # One slip is forgiven in a long name; whatever differs by more letters need not be compared.
        may_slip = may_slip and len(whole) >= _LEAST_SLIPPED and abs(len(typed) - len(whole)) <= 1 and typed.isalpha()
        is_same = typed == whole
        is_slip = not is_same and may_slip and typed[:1] == whole[:1] and is_one_off(typed, whole)
        if (is_same or is_slip) and typed not in REAL_FOOD:
            return Match(way.end, float(is_slip), is_whole=not name.is_short, said=name.words)
        is_longer = len(typed) > len(whole) and typed[:_SHORT_HEAD] == whole[:_SHORT_HEAD]
        if way.is_word and is_longer and is_form_of(typed, whole):
            return Match(way.end, FORM, is_whole=not name.is_short, said=name.words)
    return None
