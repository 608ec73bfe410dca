"""The menu as the guest's page reads it: compact, one language at a time, the same bytes for one version.

What changes with the clock alone (hours, what is sold out until later) is told apart, so that the rest can be kept by
browsers and servers until the version grows.
"""

from __future__ import annotations

import msgspec

from tablegram.restaurant.menu.model import UNTIL_TOLD, Category, Group, Item, Menu, Option, named
from tablegram.restaurant.menu.pricing import is_available, is_served
from tablegram.values.money import exponent


class PublicOption(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    name: str
    price: int = 0
    most: int = 1
    chosen: bool = False
    opens: list[str] = []


class PublicGroup(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    options: list[PublicOption]
    # How many must be chosen by everybody, by who chooses any, and at most; nothing means no end.
    fewest: int = 0
    least: int = 0
    most: int | None = None


class PublicItem(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    name: str
    price: int
    about: str = ""
    image: str | None = None
    allergens: list[str] = []
    tags: list[str] = []
    groups: list[str] = []
    # What it is called in the menu's other languages: people look for a dish by the name that they know.
    also: list[str] = []


class PublicCategory(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    name: str
    items: list[PublicItem]
    about: str = ""
    image: str | None = None
    also: list[str] = []


class PublicMenu(msgspec.Struct, frozen=True):
    """Prices are minor units; `decimals` says how many figures of them stand behind the point."""

    version: int
    language: str
    languages: list[str]
    currency: str
    decimals: int
    categories: list[PublicCategory]
    groups: dict[str, PublicGroup]


class Closed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something cannot be had right now, and until when, where that is known."""

    code: str
    until_ms: int | None = None


def choose_language(menu: Menu, wanted: str) -> str:
    """The menu's language that suits best: the wanted one, else its own."""
    language = wanted.partition("-")[0].lower()
    return language if language in menu.languages else menu.languages[0]


def public_menu(menu: Menu, language: str) -> PublicMenu:
    """What is shown, in one of the menu's languages. Hidden things, and categories without any item, are left out."""
    spoken = choose_language(menu, language)
    categories = []
    needed: set[str] = set()
    for category in menu.categories:
        items = [item for item in menu.items_of(category.id) if menu.is_shown(item)]
        if items:
            categories.append(_category(category, items, spoken, menu.languages))
            needed.update(group_id for item in items for group_id in item.group_ids)
    reached = _with_opened(menu, needed)
    groups = {one.id: _group(one, spoken) for one in menu.groups if one.id in reached}
    return PublicMenu(menu.version, spoken, menu.languages, menu.currency, exponent(menu.currency), categories, groups)


def closed_now(menu: Menu, at_ms: int, order_type: str) -> dict[str, Closed]:
    """By id, the items and options that cannot be had at this moment for this kind of order."""
    closed: dict[str, Closed] = {}
    for item in menu.items:
        if not menu.is_shown(item):
            continue
        if item.is_sold_out(at_ms):
            closed[item.id] = Closed("sold_out", _until(item.sold_out_until))
        elif not is_served(menu, item, order_type):
            closed[item.id] = Closed("not_for_order_type")
        elif not is_available(menu, item, at_ms):
            closed[item.id] = Closed("not_available_now")
    for group in menu.groups:
        for option in group.options:
            if option.is_sold_out(at_ms):
                closed[option.id] = Closed("sold_out", _until(option.sold_out_until))
    return closed


def _until(until_ms: int | None) -> int | None:
    return None if until_ms == UNTIL_TOLD else until_ms


def _with_opened(menu: Menu, ids: set[str]) -> set[str]:
    """These groups and all that their options open."""
    reached: set[str] = set()
    waiting = list(ids)
    while waiting:
        group = menu.groups_by_id.get(waiting.pop())
        if group is not None and group.id not in reached:
            reached.add(group.id)
            waiting += [inner for option in group.options for inner in option.opens]
    return reached


def _category(category: Category, items: list[Item], language: str, languages: list[str]) -> PublicCategory:
    return PublicCategory(
        category.id,
        named(category, language),
        [_item(item, language, languages) for item in items],
        named(category, language, "description"),
        category.image_id,
        _also(category, language, languages),
    )


def _item(item: Item, language: str, languages: list[str]) -> PublicItem:
    about, also = named(item, language, "description"), _also(item, language, languages)
    return PublicItem(
        item.id,
        named(item, language),
        item.price,
        about,
        item.image_id,
        item.allergens,
        item.tags,
        item.group_ids,
        also,
    )


def _also(one: Category | Item, language: str, languages: list[str]) -> list[str]:
    names = dict.fromkeys(named(one, other) for other in languages)
    return [name for name in names if name != named(one, language)]


def _group(group: Group, language: str) -> PublicGroup:
    options = [_option(option, language) for option in group.options]
    return PublicGroup(named(group, language), options, group.fewest, group.least, group.most)


def _option(option: Option, language: str) -> PublicOption:
    name = named(option, language)
    return PublicOption(option.id, name, option.price_delta, option.most, option.is_default, option.opens)
