"""A restaurant with guests, whose orders and calls come to the board and the kitchen."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from tablegram import settings as configuration
from tablegram.cli.session import Session, _work
from tablegram.restaurant import tables, venues
from tablegram.restaurant.demo import house as demo
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.menu.model import Menu
from tests.browser.panel.desk import Desk
from tests.product import wait_until
from tests.restaurant.dishes import plain


@dataclass
class Diner:
    desk: Desk
    venue_id: str
    tables: list[tuple[str, str]]
    menu: Menu

    def take(self, table: int = 0, **changes: Any) -> dict[str, Any]:
        """A waiter takes an order; by a program here."""
        lines = [{"item_id": self.dish("kitchen"), "quantity": 2, "note": "az tuzlu"}, {"item_id": self.dish("bar")}]
        body = {"venue_id": self.venue_id, "table_id": self.tables[table][0], "lines": lines, **changes}
        status, answer = self.desk.product.call("POST", "/orders", body)
        assert status == 201, answer
        return dict(answer)

    def act(self, order: dict[str, Any], action: str, **fields: Any) -> None:
        status, answer = self.desk.product.call("POST", f"/orders/{order['order_id']}/{action}", fields)
        assert status == 200, answer

    def wait_for(self, order: dict[str, Any], status: str) -> None:
        """A card moves before the server has answered."""
        path = f"/orders/{order['order_id']}"
        wait_until(lambda: self.desk.product.call("GET", path)[1]["status"] == status, f"the order to be {status}")

    def dish(self, station: str) -> str:
        return plain(self.menu, station).id

    def call(self, table: int) -> None:
        """A guest calls for the bill from the menu page."""
        table_id, label = self.tables[table]
        status, answer = self.desk.product.call("GET", f"/restaurant/venues/{self.venue_id}/tables/{table_id}")
        assert status == 200, answer
        code = parse_qs(urlsplit(answer["link"]).query)["t"][0]
        body = {"venue": self.venue_id, "table": label, "t": code, "kind": "bill", "note": "kartla"}
        status, answer = self.desk.product.call("POST", "/menu/calls", body)
        assert status == 201, answer


def run(desk: Desk, work: Any) -> Any:
    # The browser's own loop runs in this thread.
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(lambda: asyncio.run(_work(configuration.load(desk.product.environment), work))).result()


@pytest.fixture(scope="module")
def diner(desk: Desk) -> Diner:
    async def work(session: Session) -> Diner:
        found = await session.db.snapshot(lambda tx: venues.every(tx, 1))
        venue = found[0] if found else None
        if venue is None:
            venue = await session.db.write(lambda tx: demo.fill(tx, 1, session.box, session.clock.now_ms()))
        menu = await session.db.snapshot(lambda tx: load(tx, venue))
        every = await session.db.snapshot(lambda tx: tables.every(tx, 1, venue.id))
        return Diner(desk, venue.id, [(one.id, one.label) for one in every], menu)

    made: Diner = run(desk, work)
    return made


def open_board(page: Page, address: str = "/panel/board") -> None:
    page.goto(address)
    page.wait_for_selector("html[data-live=on]")


def ticket(page: Page, order: dict[str, Any], column: str = "") -> Any:
    within = f'.column[data-column="{column}"] ' if column else ""
    return page.locator(f'{within}.ticket[data-key="{order["order_id"]}"]')
