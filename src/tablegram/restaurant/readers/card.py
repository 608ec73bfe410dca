"""The menu as a language model is shown it: what can be had now, by short ids of our own, and no more than fits.

The ids are good for one question. Whatever is hidden, sold out or not served at this hour has none, so that no answer
can name it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

import msgspec

from tablegram.restaurant.lines import tidy
from tablegram.restaurant.menu.model import Group, Item, Menu, named
from tablegram.restaurant.menu.pricing import is_available, is_served
from tablegram.restaurant.ports import Wanted
from tablegram.values.folding import words

# About 150 dishes with their options. A larger menu shows those first whose words are near to the text's.
MAX_BYTES = 16_000
MAX_NAME = 80
# Words that begin with the same letters may be the same word, with another ending or a typing error.
_ALIKE = 3

_encode = msgspec.json.Encoder().encode


class ShownOption(TypedDict):
    id: str
    name: str
    # Groups that it opens, by their keys.
    opens: NotRequired[list[str]]


class ShownGroup(TypedDict):
    name: str
    at_least: int
    at_most: int | None
    options: list[ShownOption]


class ShownDish(TypedDict):
    id: str
    name: str
    # What it is called in the menu's own language, where that is another name.
    also: NotRequired[str]
    groups: NotRequired[list[str]]


class ShownMenu(TypedDict):
    dishes: list[ShownDish]
    groups: dict[str, ShownGroup]


class MenuCard:
    """What is shown, and what its ids stand for."""

    def __init__(self, wanted: Wanted) -> None:
        self._menu: Menu = wanted.vocabulary.menu
        self._wanted = wanted
        self.items: dict[str, str] = {}
        self.options: dict[str, str] = {}
        self._groups: dict[str, tuple[str, ShownGroup]] = {}
        self._dishes: list[ShownDish] = []
        self._room = MAX_BYTES
        for item in self._nearest(wanted.vocabulary.items.values()):
            if not self._add(item):
                break

    def shown(self) -> ShownMenu:
        return {"dishes": self._dishes, "groups": dict(self._groups.values())}

    def _nearest(self, items: Iterable[Item]) -> list[Item]:
        wanted, now = self._wanted, self._wanted.at_ms
        had = [
            item
            for item in items
            if not item.is_sold_out(now)
            and is_available(self._menu, item, now)
            and any(is_served(self._menu, item, one) for one in wanted.order_types)
        ]
        said = {word[:_ALIKE] for word in words(wanted.text)}
        return sorted(
            had, key=lambda item: not said & {word[:_ALIKE] for name in self._names(item) for word in words(name)}
        )

    def _add(self, item: Item) -> bool:
        """Put a dish on the card, with its groups; not where there is no room left."""
        groups = self._reached(item)
        new = [group for group in groups if group.id not in self._groups]
        keys = {group.id: self._groups[group.id][0] for group in groups if group.id in self._groups}
        keys |= {group.id: f"g{len(self._groups) + place}" for place, group in enumerate(new, start=1)}
        options: dict[str, str] = {}
        written = {group.id: (keys[group.id], self._group(group, keys, options)) for group in new}
        names = self._names(item)
        dish: ShownDish = {"id": f"d{len(self.items) + 1}", "name": names[0]}
        if len(names) > 1:
            dish["also"] = names[1]
        if item.group_ids:
            dish["groups"] = [keys[one] for one in item.group_ids if one in keys]
        size = len(_encode(dish)) + sum(len(_encode(one)) for one in written.values())
        if size > self._room:
            return False
        self._room -= size
        self._groups |= written
        self.options |= options
        self.items[dish["id"]] = item.id
        self._dishes.append(dish)
        return True

    def _group(self, group: Group, keys: dict[str, str], options: dict[str, str]) -> ShownGroup:
        shown: list[ShownOption] = []
        for option in group.options:
            if option.is_sold_out(self._wanted.at_ms):
                continue
            key = f"o{len(self.options) + len(options) + 1}"
            options[key] = option.id
            opens = [keys[one] for one in option.opens if one in keys]
            name = tidy(named(option, self._wanted.language))[:MAX_NAME]
            one: ShownOption = {"id": key, "name": name}
            if opens:
                one["opens"] = opens
            shown.append(one)
        name = tidy(named(group, self._wanted.language))[:MAX_NAME]
        return {"name": name, "at_least": group.fewest, "at_most": group.most, "options": shown}

    def _reached(self, item: Item) -> list[Group]:
        """The groups of a dish, those that options open included."""
        found: dict[str, Group] = {}
        waiting = list(item.group_ids)
        while waiting:
            group = self._menu.groups_by_id.get(waiting.pop(0))
            if group is not None and group.id not in found:
                found[group.id] = group
                waiting += [one for option in group.options for one in option.opens]
        return list(found.values())

    def _names(self, item: Item) -> list[str]:
        both = (named(item, self._wanted.language), item.name)
        return [*dict.fromkeys(tidy(one)[:MAX_NAME] for one in both)]
