"""What is not wanted: `soğansız`, `soğan olmasın`, `no onions`. Each becomes one word that is marked as denied."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tablegram.restaurant.reading.letters.suffixes import stems, without
from tablegram.restaurant.reading.words.lexicon import (
    CHANGES_MIND,
    DEGREES,
    DENIES_AFTER,
    DENIES_BEFORE,
    DENIES_PHRASES,
    EXCUSES,
    FILLERS,
    REAL_FOOD,
)
from tablegram.restaurant.reading.words.names import NOT
from tablegram.restaurant.reading.words.phrases import by_first_word
from tablegram.restaurant.reading.words.tokens import Token
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

_DENYING = by_first_word(DENIES_PHRASES)
_DENYING_WORDS = DENIES_BEFORE | DENIES_AFTER | _DENYING.keys()
_NO_THING = FILLERS | EXCUSES
_NOT_PLAIN = FILLERS | DEGREES | CHANGES_MIND


def mark_denials(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[Token]:
    """The same tokens with what is denied as one word each. A dish that is denied stays as it is, to be asked about."""
    if not any(token.kind == "word" and _may_deny(token.key) for token in tokens):
        # As most texts.
        return list(tokens)
    lacking = _join_lacking([_lacking(token) for token in tokens], vocabulary)
    return _deny_before(_deny_after(lacking, vocabulary), vocabulary)


@lru_cache(maxsize=4_096)
def _may_deny(key: str) -> bool:
    return key in _DENYING_WORDS or key.startswith(NOT) or without(key) is not None


def _lacking(token: Token) -> Token:
    stem = without(token.key) if token.kind == "word" else None
    return token if stem is None else Token("word", NOT + stem, token.text)


def _join_lacking(tokens: list[Token], vocabulary: Vocabulary) -> list[Token]:
    """`nar ekşisiz` does without all of it: a part of the name alone would be wanted by its first word."""
    found: list[Token] = []
    for token in tokens:
        before = found[-1] if found else None
        if token.key.startswith(NOT) and token.kind == "word" and before is not None and before.kind == "word":
            named, _ = vocabulary.option_at([before, Token("word", token.key.removeprefix(NOT), token.text)], 0)
            if named is not None and named.end == 2:
                found[-1] = Token("word", token.key + before.key, f"{before.text} {token.text}")
                continue
        found.append(token)
    return found


def _deny_after(tokens: list[Token], vocabulary: Vocabulary) -> list[Token]:
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        key = tokens[index].key
        if key not in DENIES_AFTER and key not in _DENYING:
            # As most words.
            found.append(tokens[index])
            index += 1
            continue
        size = _denial_size(tokens, index)
        thing = index + size
        while size and thing < len(tokens) and tokens[thing].key in ("the", "any", "with"):
            thing += 1
        if size and thing < len(tokens) and _is_thing(tokens, thing, vocabulary):
            said = " ".join(token.text for token in tokens[index : thing + 1])
            found.append(Token("word", NOT + tokens[thing].key, said))
            index = thing + 1
            while (more := _goes_on(tokens, index, vocabulary)) is not None:
                found.append(more)
                index += 2
        else:
            found.append(tokens[index])
            index += 1
    return found


def _goes_on(tokens: Sequence[Token], index: int, vocabulary: Vocabulary) -> Token | None:
    """`without tomatoes and onions` denies both, `no onions and spicy` does not, `no onions and yoghurt` is unclear."""
    joint, thing = (tokens[index], tokens[index + 1]) if index + 1 < len(tokens) else (None, None)
    if joint is None or thing is None or joint.key not in ("and", "or", "nor"):
        return None
    is_food = any(stem in REAL_FOOD for stem in stems(thing.key))
    if not is_food or not _is_thing(tokens, index + 1, vocabulary):
        return None
    denied, _ = vocabulary.option_at([Token("word", NOT + thing.key, thing.text)], 0)
    wanted, _ = vocabulary.option_at(tokens, index + 1)
    if denied is None and wanted is not None:
        return Token("word", "or", f"{joint.text} {thing.text}")
    return Token("word", NOT + thing.key, f"no {thing.text}")


def _denial_size(tokens: Sequence[Token], index: int) -> int:
    if tokens[index].kind == "word" and tokens[index].key in DENIES_AFTER:
        return 1
    likely = _DENYING.get(tokens[index].key, ())
    keys = tuple(token.key for token in tokens[index : index + 3]) if likely else ()
    return next((len(phrase) for phrase in likely if keys[: len(phrase)] == phrase), 0)


def _is_thing(tokens: Sequence[Token], index: int, vocabulary: Vocabulary) -> bool:
    token = tokens[index]
    if token.kind != "word" or token.key.startswith(NOT) or token.key in _NO_THING:
        return False
    dish = vocabulary.dish_at(tokens, index)
    return dish is None or not dish.is_whole or len(dish.ids) > 1


def _deny_before(tokens: list[Token], vocabulary: Vocabulary) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        if token.kind != "word" or token.key not in DENIES_BEFORE or not found:
            found.append(token)
            continue
        place = len(found) - 1
        # `soğan ve domates olmasın` denies both, as far back as there are plain things.
        things: list[int] = []
        while place >= 0 and (found[place].kind == "and" or _is_plain(found, place, vocabulary, is_nearest=not things)):
            if found[place].kind == "word":
                things.append(place)
            place -= 1
        if not things or things[0] != len(found) - 1:
            found.append(token)
            continue
        first = min(things)
        said = " ".join(one.text for one in [*found[first:], token])
        if place >= 0 and found[place].key in DEGREES:
            # `çok acı olmasın` denies the degree, not the thing: the kitchen reads it as it was said.
            found[place:] = [Token("note", "", f"{found[place].text} {said}")]
        else:
            denied = [
                Token("word", NOT + found[thing].key, f"{found[thing].text} {token.text}") for thing in sorted(things)
            ]
            found[first:] = denied
    return found


def _is_plain(tokens: Sequence[Token], place: int, vocabulary: Vocabulary, *, is_nearest: bool) -> bool:
    """A word that is neither a dish nor politeness nor denied already. Next to the denial it may be a dish's part."""
    token = tokens[place]
    if token.kind != "word" or token.key.startswith(NOT) or token.key in _NOT_PLAIN:
        return False
    for start in range(max(0, place - 3), place + 1):
        dish = vocabulary.dish_at(tokens, start) if tokens[start].kind in ("word", "number") else None
        if dish is not None and dish.end > place and (dish.is_whole or dish.end - start > 1 or not is_nearest):
            return False
    return True
