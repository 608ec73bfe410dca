"""What is said of a dish that is ordered already comes to what was said of it before; nothing else of it is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tablegram.restaurant.lines import Choice, DishLine
from tablegram.restaurant.menu.model import Item, Option, named
from tablegram.restaurant.reading import read
from tablegram.restaurant.reading.sentences.denials import mark_denials
from tablegram.restaurant.reading.words.names import NOT
from tablegram.restaurant.reading.words.tokens import Token, take_apart, words_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold

# So much of a word is the same in each of its forms.
_STEM = 4
# `to the adana`, `adanaya`, `adanalara`.
_TO_IT = re.compile(r"\b(?:to|on|in|onto|with)\s+(?:the|my|our|that|this)\s+(?P<dish>\w+)")
_TO_WHICH = re.compile(r"[ae]$")


def merged(
    line: DishLine, other: DishLine, vocabulary: Vocabulary, said: str = "", quantity: int | None = None
) -> DishLine:
    """The line with what was said of it now: within a group of which one is chosen it replaces, otherwise it is added."""
    options = {option.id: (group, option) for group, option in vocabulary.options_of(line.item_id)}
    usual = usual_of(line.item_id, vocabulary)
    told = {choice.option_id for choice in usual_said(other, vocabulary, said)}
    fresh = [choice for choice in other.choices if choice not in usual or choice.option_id in told]
    ids = {choice.option_id for choice in fresh}
    single = {options[one][0].id for one in ids if one in options and options[one][0].most == 1}
    gone, note = _taken_back(line, other.note, vocabulary)
    kept = [
        one
        for one in line.choices
        if one.option_id not in ids | gone
        and (one.option_id not in options or options[one.option_id][0].id not in single)
    ]
    notes = ", ".join(dict.fromkeys(one for one in (line.note, note) if one))
    chosen = _within_reach(line.item_id, [*kept, *fresh], vocabulary)
    return DishLine(line.item_id, line.quantity if quantity is None else quantity, chosen, notes)


def is_overfull(line: DishLine, vocabulary: Vocabulary) -> bool:
    """Whether more is chosen of a group than anybody may have."""
    counts: dict[str, int] = {}
    for choice in line.choices:
        counts[choice.option_id] = counts.get(choice.option_id, 0) + choice.quantity
    groups = {group.id: group for group, _ in vocabulary.options_of(line.item_id)}
    return any(
        group.most is not None and sum(counts.get(option.id, 0) for option in group.options) > group.most
        for group in groups.values()
    )


def usual_of(item_id: str, vocabulary: Vocabulary) -> set[Choice]:
    """What a dish has of which nothing is said."""
    plain = read(named(vocabulary.items[item_id], ""), vocabulary).lines
    return set(plain[0].choices) if plain else set()


def usual_said(line: DishLine, vocabulary: Vocabulary, said: str) -> list[Choice]:
    """Of what a dish has by itself, what a guest names all the same: `tek porsiyon olsun`."""
    spoken = set(words_of(fold(said)))
    usual = usual_of(line.item_id, vocabulary) if spoken else set()
    found: list[Choice] = []
    for group, option in vocabulary.options_of(line.item_id):
        choice = next((one for one in line.choices if one.option_id == option.id and one in usual), None)
        if choice is None:
            continue
        others = {word for one in group.options if one.id != option.id for word in _words_of_all(_names(one))}
        if (_words_of_all(_names(option)) - others) & spoken:
            found.append(choice)
    return found


def comes_to(said: str, item_id: str, vocabulary: Vocabulary) -> bool:
    """Whether something comes to a dish, and not the dish to the order: `adanaya bulgur ekle`."""
    folded, names = fold(said), _words_of_all(_names(vocabulary.items[item_id]))
    stems = {word[:_STEM]: word for word in names if len(word) >= _STEM}
    if any(found["dish"][:_STEM] in stems for found in _TO_IT.finditer(folded)):
        return True
    return any(
        word[:_STEM] in stems and len(word) > len(stems[word[:_STEM]]) and _TO_WHICH.search(word)
        for word in words_of(folded)
    )


def _taken_back(line: DishLine, note: str, vocabulary: Vocabulary) -> tuple[set[str], str]:
    """Extras that a note does without, `lavaşsız`, are taken back; the note is for what the menu does not know."""
    free = {
        option.id
        for group, option in vocabulary.options_of(line.item_id)
        if not group.required and any(one.option_id == option.id for one in line.choices)
    }
    gone: set[str] = set()
    left: list[str] = []
    for part in note.split(", ") if note else ():
        tokens = mark_denials(take_apart(part), vocabulary)
        denied = [token for token in tokens if token.kind == "word" and token.key.startswith(NOT)]
        found: set[str] = set()
        for token in denied:
            named_so = vocabulary.option_at([Token("word", token.key.removeprefix(NOT), token.text)], 0)
            found |= free & {id_ for option in named_so if option is not None for id_ in option.ids}
        gone |= found
        left += [] if found and len(denied) == 1 else [part]
    return gone, ", ".join(left)


def _within_reach(item_id: str, choices: list[Choice], vocabulary: Vocabulary) -> tuple[Choice, ...]:
    """Without what only an option opens that is chosen no more."""
    groups = {option.id: (group.id, option.opens) for group, option in vocabulary.options_of(item_id)}
    reach = set(vocabulary.items[item_id].group_ids)
    for _ in choices:
        reach |= {one for choice in choices if groups.get(choice.option_id, ("", []))[0] in reach
                  for one in groups[choice.option_id][1]}  # fmt: skip
    return tuple(one for one in choices if one.option_id not in groups or groups[one.option_id][0] in reach)


def _names(thing: Item | Option) -> list[str]:
    return [thing.name, *(one.get("name", "") for one in thing.translations.values())]


def _words_of_all(names: Iterable[str]) -> set[str]:
    return {word for name in names for word in words_of(fold(name))}
