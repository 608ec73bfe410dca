"""Dishes, found from every page by their name in any language of the menu, or by their code."""

from __future__ import annotations

from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.finding import Finder, Found
from tablegram.panel.pages.restaurant.venues import price
from tablegram.panel.visitor import Visitor


async def find_dishes(deps: PanelDeps, visitor: Visitor, search: str, most: int) -> list[Found]:
    found = []
    for one in await deps.restaurant.menu_desk.find_items(visitor.caller, search, most):
        gone = visitor.t("menu.sold_out") if one.sold_out else ""
        parts = (one.category, price(visitor, one.currency, one.price), gone, one.venue)
        path = f"/panel/menu/{one.venue_id}/items/{one.id}"
        found.append(Found(one.name, path, " · ".join(part for part in parts if part)))
    return found


FINDER = Finder("dishes", "menu_editor", "restaurant:read", find_dishes)
