"""Things of one kind, found by code or by name: every row of a file is looked up among all that are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from tablegram.restaurant.menu.model import Category, Group, Item, Option
from tablegram.values.folding import fold, words

Thing = TypeVar("Thing", Category, Item, Group, Option)


class Shelf(Generic[Thing]):
    """In the order they were put there; what is put again keeps its place."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self._things: dict[str, Thing] = {}
        self._codes: dict[str, str] = {}
        # How far each code was counted, so that a thousand things of one name are not counted a million times.
        self._numbers: dict[str, int] = {}
        # Under each folded name, in whatever language, the ids of all that were ever called so.
        self._names: dict[str, list[str]] = {}
        for thing in things:
            self.put(thing)

    def put(self, thing: Thing) -> None:
        self._things[thing.id] = thing
        self._codes[getattr(thing, "code", "")] = thing.id
        for name in _names(thing):
            ids = self._names.setdefault(name, [])
            if thing.id not in ids:
                ids.append(thing.id)

    def by_code(self, code: str) -> Thing | None:
        thing = self._things.get(self._codes.get(code, "")) if code else None
        return thing if thing is not None and getattr(thing, "code", "") == code else None

    def by_name(self, name: str, among: Callable[[Thing], bool] | None = None) -> Thing | None:
        """The first that is called so; in the menu's own language before all others."""
        key = fold(name)
        called = [self._things[one] for one in self._names.get(key, ())] if key else []
        fitting = [one for one in called if key in _names(one) and (among is None or among(one))]
        return next((one for one in fitting if fold(one.name) == key), fitting[0] if fitting else None)

    def free_code(self, name: str) -> str:
        """A code made of the name, with a number where it is taken."""
        latin = re.sub(r"[^a-z0-9]+", "-", "-".join(words(name)))
        base = latin.strip("-")[:32].rstrip("-") or "item"
        code, number = base, self._numbers.get(base, 1)
        while code in self._codes:
            number += 1
            code = f"{base}-{number}"
        self._numbers[base] = number
        return code

    def all(self) -> list[Thing]:
        return list(self._things.values())


def _names(thing: Category | Item | Group | Option) -> list[str]:
    texts = [thing.name, *(one.get("name", "") for one in thing.translations.values())]
    return [name for name in map(fold, texts) if name]
