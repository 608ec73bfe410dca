"""A restaurant that serves, and what its board shows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablegram.restaurant import tables
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.venues import Venue
from tests.panel.visiting import House, Page, Person, house
from tests.restaurant.dishes import plain
from tests.restaurant.furnished import furnish

EVIL = "<img src=x onerror=alert(1)>\u202e{{7*7}}"


@dataclass
class Diner:
    one: House
    venue: Venue
    table_id: str
    food: str
    drink: str

    async def take(self, **changes: Any) -> dict[str, Any]:
        lines = [{"item_id": self.food, "quantity": 2, "note": "az tuzlu"}, {"item_id": self.drink}]
        body = {"venue_id": self.venue.id, "table_id": self.table_id, "lines": lines, **changes}
        answer = await self.one.running.ask("POST", "/orders", body)
        assert answer.status == 201, answer.body
        return dict(answer.json())

    async def now(self, order: dict[str, Any]) -> dict[str, Any]:
        return dict((await self.one.running.ask("GET", f"/orders/{order['order_id']}")).json())


@asynccontextmanager
async def diner(database_url: str, folder: Path) -> AsyncIterator[Diner]:
    async with house(database_url, folder) as one:
        api = one.running.api
        venue = await api.db.write(lambda tx: furnish(tx, 1, api.box, api.clock.now_ms()))
        table = (await api.db.snapshot(lambda tx: tables.every(tx, 1, venue.id)))[0]
        menu = await api.db.snapshot(lambda tx: load(tx, venue))
        yield Diner(one, venue, table.id, plain(menu, "kitchen").id, plain(menu, "bar").id)


def column(page: Page, name: str) -> str:
    return page.text.partition(f'id="column-{name}"')[2].partition("</section>")[0]


async def as_json(person: Person, path: str, fields: dict[str, str]) -> Page:
    """As the board's own module sends a tap."""
    from urllib.parse import urlencode

    body = urlencode({**fields, "csrf": await person.csrf()}).encode()
    kind = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    return await person._ask("POST", path, body, kind)
