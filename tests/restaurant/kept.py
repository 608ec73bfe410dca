"""A database for the restaurant's own store, and lines to put into it."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tablegram.restaurant import venues
from tablegram.restaurant.lines import DishLine, PricedLine
from tablegram.restaurant.menu import keeping as menus
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.menu.pricing import MenuPrices
from tablegram.settings import Settings
from tablegram.storage.database import Database, Tx, open_database
from tests.restaurant.bistro import bistro

# A Sunday in November 2026, at noon in Istanbul.
NOON = 1_794_733_200_000


@asynccontextmanager
async def store(database_url: str) -> AsyncIterator[Database]:
    with tempfile.TemporaryDirectory(prefix="tablegram-restaurant-") as folder:
        db = open_database(Settings(database_url=database_url, data_dir=Path(folder)))
        await db.open()
        try:
            yield db
        finally:
            await db.close()


async def edit_menu(tx: Tx, account_id: int, venue_id: str, change: Callable[[Menu], Menu], now_ms: int) -> Menu:
    """Change a venue's menu as one piece, as its desk does: read, changed, checked, written."""
    venue = await venues.lock(tx, account_id, venue_id)
    old = await menus.load(tx, venue)
    return await menus.save(tx, venue, old, change(old), now_ms)


def priced(*lines: DishLine, language: str = "en") -> tuple[PricedLine, ...]:
    prices = MenuPrices(bistro(), NOON, "dine_in", language)
    found = [prices.price(line) for line in lines]
    assert all(isinstance(one, PricedLine) for one in found), found
    return tuple(one for one in found if isinstance(one, PricedLine))
