"""Dishes of a menu that a test may order at any hour of its day."""

from __future__ import annotations

from tablegram.restaurant.menu.model import ALWAYS, Item, Menu


def at_any_hour(menu: Menu) -> list[Item]:
    """Neither the dish nor its category keeps hours of its own."""
    return [
        dish
        for dish in menu.items
        if dish.availability == ALWAYS and menu.categories_by_id[dish.category_id].availability == ALWAYS
    ]


def plain(menu: Menu, station: str = "kitchen") -> Item:
    """The first of them at a station that needs no choice."""
    return next(dish for dish in at_any_hour(menu) if not dish.group_ids and dish.station == station)
