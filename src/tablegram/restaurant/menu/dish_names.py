"""Dishes by their names, as people look for them: in every language of the menu, from the beginning of a word."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.restaurant.menu import keeping
from tablegram.restaurant.menu.model import Item, Menu, Option, named
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.folding import words
from tablegram.values.money import to_wire

# Menus that are looked into while somebody types; the oldest gives way.
MAX_KEPT = 50


@dataclass(frozen=True, slots=True)
class SearchableDish:
    words: tuple[str, ...]
    item: Item
    category: str

    def fits(self, typed: list[str]) -> bool:
        return all(any(word.startswith(one) for word in self.words) for one in typed)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDish:
    """A dish that somebody looks for. The price is a decimal number of the currency."""

    id: str
    name: str
    category: str
    price: float
    currency: str
    venue_id: str
    venue_name: str
    sold_out: bool
    # Whose it is, where the account has several venues.
    venue: str = ""


class DishNames:
    """Each letter that is typed asks again: the names of a menu are kept until it changes."""

    def __init__(self) -> None:
        # By venue: the version with the time it was made, since a version that was rolled back may come again.
        self._kept: dict[str, tuple[tuple[int, int], Menu, list[SearchableDish]]] = {}

    async def find(self, tx: Tx, venue: Venue, typed: list[str], now_ms: int) -> list[FoundDish]:
        menu, names = await self._load(tx, venue)
        return [_view(venue, menu, one, now_ms) for one in names if one.fits(typed)]

    async def spoken(self, tx: Tx, venue: Venue, language: str) -> dict[str, str]:
        """What every dish and option is called in a language, or in the menu's own where it has no such name."""
        menu, _ = await self._load(tx, venue)
        things: list[Item | Option] = [*menu.items, *(option for group in menu.groups for option in group.options)]
        return {thing.id: named(thing, language) for thing in things}

    async def _load(self, tx: Tx, venue: Venue) -> tuple[Menu, list[SearchableDish]]:
        edition = venue.menu_version, venue.updated_at
        known = self._kept.get(venue.id)
        if known is not None and known[0] == edition:
            return known[1], known[2]
        menu = await keeping.load(tx, venue)
        while len(self._kept) >= MAX_KEPT:
            self._kept.pop(next(iter(self._kept)), None)
        names = _names(menu)
        self._kept[venue.id] = edition, menu, names
        return menu, names


def _names(menu: Menu) -> list[SearchableDish]:
    categories = {one.id: one.name for one in menu.categories}
    found = []
    for item in menu.items:
        texts = [item.name, item.code, item.kitchen_name]
        texts += [tongue.get("name", "") for tongue in item.translations.values()]
        found.append(
            SearchableDish(tuple(words(" ".join(text for text in texts if text))), item, categories[item.category_id])
        )
    return found


def _view(venue: Venue, menu: Menu, named: SearchableDish, now_ms: int) -> FoundDish:
    item = named.item
    return FoundDish(
        id=item.id,
        name=item.name,
        category=named.category,
        price=to_wire(item.price, menu.currency),
        currency=menu.currency,
        venue_id=venue.id,
        venue_name=venue.name,
        sold_out=item.is_sold_out(now_ms),
    )
