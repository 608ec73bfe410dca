"""The names of dishes and options as words, in every language the menu has."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from functools import lru_cache

import msgspec

from tablegram.restaurant.menu.model import Category, Item, Menu, Option
from tablegram.restaurant.reading.letters.suffixes import is_form_of, without
from tablegram.restaurant.reading.words.lexicon import AND, DENIES_AFTER
from tablegram.restaurant.reading.words.tokens import words_of

GLUE = AND | {"the", "of", "a", "an", "&"}
# Denied words are marked, so that `sogansiz` and `no onion` never look like onions.
NOT = "!"
# Of a menu's own names, each of which is taken apart several times. What guests write is not kept.
_words_of = lru_cache(maxsize=4_096)(words_of)


class Name(msgspec.Struct, frozen=True):
    """One name of a dish or option. `beside` may be said with it, and says nothing by itself: the category's words."""

    words: tuple[str, ...]
    has_glue: bool = False
    beside: tuple[str, ...] = ()
    # What it is a kind of, in words of the menu that this name lacks: the tea of a linden tea that is called `Ihlamur`.
    sorts: tuple[str, ...] = ()
    # The kitchen's own name for a dish. Guests may mean something else by it, so it is never more than a part.
    is_short: bool = False

    @property
    def joined(self) -> str:
        return "".join(self.words)


def names_of(thing: Item | Option, beside: tuple[str, ...] = (), sorts: tuple[str, ...] = ()) -> tuple[Name, ...]:
    """Every name of a dish or an option; the kitchen's own is the last."""
    texts = _texts(thing)
    found = [
        msgspec.structs.replace(_name(text, beside), sorts=sorts) for text in dict.fromkeys(texts.values()) if text
    ]
    if isinstance(thing, Option):
        found.extend(_aliases(found))
    if thing.kitchen_name and thing.kitchen_name not in texts.values():
        short = _name(thing.kitchen_name, beside)
        found.append(msgspec.structs.replace(short, is_short=isinstance(thing, Item)))
    return tuple(name for name in found if name.words)


def _texts(thing: Item | Option | Category) -> dict[str, str]:
    return {"": thing.name, **{spoken: fields.get("name", "") for spoken, fields in thing.translations.items()}}


def _aliases(names: list[Name]) -> list[Name]:
    """Other words for an option that every guest has: what is hot on the tongue is spicy, what has no sugar is diet."""
    said = {name.words for name in names}
    every = {word for words in said for word in words}
    found: list[tuple[str, ...]] = []
    if not every & {"sicak", "warm"}:
        swapped = {"hot": "spicy", "spicy": "hot"}
        found.extend(tuple(swapped.get(word, word) for word in words) for words in said)
    if said & {("mild",), (NOT + "aci",)}:
        found.extend([("mild",), (NOT + "spicy",), ("not", "spicy"), ("not", "hot")])
    if said & {(NOT + "seker",), ("sugar", "free"), (NOT + "sugar",)} and ("sade",) not in said:
        found.extend([("diet",), ("diyet",), ("zero",), ("light",), (NOT + "sugar",), (NOT + "seker",)])
    return [Name(words) for words in dict.fromkeys(found) if words not in said]


def _name(text: str, beside: tuple[str, ...], sorts: tuple[str, ...] = ()) -> Name:
    words = _words_of(text)
    plain = tuple(_denied(word for word in words if word not in GLUE or word in DENIES_AFTER))
    has_glue = "&" in text or any(word in GLUE for word in words)
    others = tuple(sort for sort in sorts if not any(is_form_of(word, sort) for word in plain))
    return Name(plain, has_glue, tuple(word for word in beside if word not in plain), others)


def _denied(words: Iterable[str]) -> Iterator[str]:
    """`no onions` and `soğansız` as the text has them after `denials`."""
    denies = False
    for word in words:
        if word in DENIES_AFTER:
            denies = True
            continue
        lacking = without(word)
        yield NOT + (lacking or word) if denies or lacking else word
        denies = False


def by_word(things: Mapping[str, Iterable[Name]]) -> dict[str, dict[str, tuple[Name, ...]]]:
    """Which things have a word, and in which of their names; the kitchen's own are left out."""
    found: dict[str, dict[str, tuple[Name, ...]]] = {}
    for thing, names in things.items():
        for name in names:
            for word in () if name.is_short else dict.fromkeys(name.words):
                having = found.setdefault(word, {})
                having[thing] = (*having.get(thing, ()), name)
    return found


def beside_words(menu: Menu, item: Item) -> tuple[str, ...]:
    """The words of its category."""
    return tuple(word for word in category_words(menu.categories_by_id[item.category_id]) if word not in GLUE)


def category_words(category: Category) -> list[str]:
    return [word for text in _texts(category).values() for word in _words_of(text)]


def dishes_by_category(
    menu: Menu, items: Collection[Item], plain: Container[str]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words of each category that are no plain ones, and its dishes; none that is empty."""
    found = []
    for category in menu.categories:
        ids = tuple(item.id for item in items if item.category_id == category.id)
        if ids:
            found.append((tuple(word for word in category_words(category) if word not in plain), ids))
    return found


def sorts_of(items: Iterable[Item]) -> dict[str, tuple[str, ...]]:
    """What each dish is a kind of, by the one language that says so: `Ihlamur` is a `Linden Tea`, and so a `çay`."""
    words = {item.id: {spoken: _words_of(text) for spoken, text in _texts(item).items()} for item in items}
    single = {one: known for one, known in words.items() if all(len(said) <= 1 for said in known.values())}
    found: dict[str, tuple[str, ...]] = {}
    for one, known in words.items():
        wider = [kind for other, kind in single.items() if other != one and _is_kind_of(known, kind)]
        found[one] = tuple(said[0] for kind in wider for said in kind.values() if said)
    return found


def _is_kind_of(known: dict[str, list[str]], kind: dict[str, list[str]]) -> bool:
    """Where every language says so already, the word beside it is something more."""
    says = {
        spoken: any(is_form_of(word, kind[spoken][0]) for word in said[-1:]) for spoken, said in known.items()
        if said and kind.get(spoken)
    }  # fmt: skip
    return any(says.values()) and not all(says.values())
