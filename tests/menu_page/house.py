"""The whole product in this process with an open restaurant, asked as a guest's phone asks it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablegram.restaurant import tables
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.venues import Venue
from tests.api.asking import Reply
from tests.api.product_in_process import Running, product
from tests.restaurant.furnished import furnish

KEY = "a-key-that-a-phone-made-itself"


@dataclass
class House:
    running: Running
    venue: Venue
    menu: Menu
    codes: dict[str, str]

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Reply:
        headers = {"accept": "application/json", **more.pop("headers", {})}
        return await self.running.ask(method, f"/menu{path}", body, key=None, headers=headers, **more)

    def item(self, name: str) -> str:
        return next(one.id for one in self.menu.items if one.name == name)

    async def open_cart(self, *names: str, table: str | None = "12", **fields: Any) -> dict[str, Any]:
        lines = [{"item_id": self.item(name)} for name in names]
        answer = await self.ask("POST", "/carts", {"table": table, "lines": lines, **fields})
        assert answer.status == 201, answer.body
        view: dict[str, Any] = answer.json()
        return view

    async def with_cart(self, method: str, cart: dict[str, Any], rest: str = "", body: Any = None) -> Reply:
        return await self.ask(method, f"/carts/{cart['code']}{rest}", body, headers={"cart-holder": cart["holder"]})


@asynccontextmanager
async def open_house(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[House]:
    async with product(database_url, folder, **settings) as running:
        made = running.api
        venue = await made.db.write(lambda tx: furnish(tx, 1, made.box, made.clock.now_ms()))
        menu = await made.db.snapshot(lambda tx: load(tx, venue))
        room = await made.db.snapshot(lambda tx: tables.every(tx, 1, venue.id))
        codes = {table.label: tables.sign(made.box, venue, table) for table in room}
        yield House(running, venue, menu, codes)
