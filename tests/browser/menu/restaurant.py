"""A restaurant that is open, and guests at its tables, each with a phone of their own."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tablegram import settings as configuration
from tablegram.cli.session import Session, _work
from tablegram.restaurant import tables, venues
from tablegram.restaurant.demo import house as demo
from tablegram.restaurant.menu import changes
from tablegram.restaurant.menu.model import Item, Menu
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tests.browser.chromium import browsing
from tests.databases import Databases
from tests.product import Product, fetch, running_product
from tests.restaurant.kept import edit_menu

Result = TypeVar("Result")

# What guests of these tests order, and enough besides that a phone has to scroll. A page of eighty dishes with their
# pictures takes twice as long to draw, and as long again to find something on it.
SHORT = frozenset(("Humus", "Haydari", "Kıymalı Pide", "Fırın Sütlaç", "Revani"))
OTHERS = 9


@dataclass
class Restaurant:
    product: Product
    venue: Venue
    browser: Browser
    troubles: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.product.url}/api/v1/menu"

    def guest(
        self, query: str = "?table=12", *, language: str = "en", scheme: str = "light", width: int = 360, **options: Any
    ) -> Page:
        """Somebody who opens the page on a phone. Errors in the console fail the test."""
        context = self.context(language=language, scheme=scheme, width=width, **options)
        page = self.page(context)
        page.goto(self.url + query)
        expect(page.locator("html")).to_have_attribute("data-ready", "yes")
        return page

    def context(
        self, *, language: str = "en", scheme: str = "light", width: int = 360, **options: Any
    ) -> BrowserContext:
        context = self.browser.new_context(
            viewport={"width": width, "height": 740},
            locale="tr-TR" if language == "tr" else "en-GB",
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            has_touch=True,
            **options,
        )
        self.contexts.append(context)
        return context

    def page(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._hear)
        return page

    def _hear(self, entry: ConsoleMessage) -> None:
        # Refusals and a lost network are answers like others, though browsers write them into the console.
        if entry.type == "error" and "Failed to load" not in entry.text:
            self.troubles.append(entry.text)

    def work(self, work: Callable[[Session], Awaitable[Result]]) -> Result:
        """Do something in the store beside the running product."""

        def run() -> Result:
            return asyncio.run(_work(configuration.load(self.product.environment), work))

        # The browser's own loop runs in this thread.
        with ThreadPoolExecutor(1) as aside:
            return aside.submit(run).result()

    def write(self, work: Callable[[Tx, int], Awaitable[Result]]) -> Result:
        return self.work(lambda session: session.db.write(lambda tx: work(tx, session.clock.now_ms())))

    def edit_menu(self, change: Callable[[Menu], Menu]) -> Menu:
        return self.write(lambda tx, now: edit_menu(tx, self.venue.account_id, self.venue.id, change, now))

    def change_item(self, name: str, **fields: Any) -> Item:
        """Change a dish by its Turkish name; answers how it was before."""
        found: list[Item] = []

        def change(menu: Menu) -> Menu:
            found.append(next(one for one in menu.items if one.name == name))
            return changes.put_item(menu, msgspec.structs.replace(found[0], **fields))

        self.edit_menu(change)
        return found[0]

    def change_venue(self, **fields: Any) -> Venue:
        async def work(tx: Tx, now: int) -> Venue:
            known = await venues.find(tx, self.venue.account_id, self.venue.id)
            return await venues.update(tx, msgspec.structs.replace(known, **fields), now)

        self.venue = self.write(work)
        return self.venue

    def signed_link(self, label: str) -> str:
        async def work(session: Session) -> str:
            async def look(tx: Tx) -> str:
                table = await tables.find_by_label(tx, self.venue.account_id, self.venue.id, label)
                assert table is not None
                return tables.menu_link(f"{self.product.url}/api/v1", session.box, self.venue, table)

            return await session.db.snapshot(look)

        return self.work(work)

    def rotate(self, label: str) -> None:
        """Change the code of a table."""

        async def work(tx: Tx, now: int) -> None:
            table = await tables.find_by_label(tx, self.venue.account_id, self.venue.id, label)
            assert table is not None
            await tables.rotate(tx, self.venue.account_id, self.venue.id, table.id)

        self.write(work)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return fetch(self.url + path, method=method, body=body, headers={"Accept": "application/json", **named})

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()


async def _open_venue(session: Session) -> Venue:
    """The demo's venue; made where the demo has made none."""
    now = session.clock.now_ms()

    async def work(tx: Tx) -> Venue:
        known = await venues.every(tx, 1)
        return known[0] if known else await demo.fill(tx, 1, session.box, now, 1)

    return await session.db.write(work)


def shorten(menu: Menu) -> Menu:
    others = [one.name for one in menu.items if one.name not in SHORT and not one.group_ids][
        :: len(menu.items) // OTHERS
    ]
    kept = [msgspec.structs.replace(one, image_id=None) for one in menu.items if one.name in {*SHORT, *others}]
    return msgspec.structs.replace(menu, items=kept)


@contextmanager
def open_restaurant(database_url: str) -> Iterator[Restaurant]:
    with running_product(database_url) as product, browsing() as browser:
        restaurant = Restaurant(product, None, browser)  # type: ignore[arg-type]
        restaurant = dataclasses.replace(restaurant, venue=restaurant.work(_open_venue))
        try:
            yield restaurant
        finally:
            restaurant.close()


@pytest.fixture(scope="module")
def whole_menu(databases: Databases) -> Iterator[Restaurant]:
    """As the demo has it: `from ... import whole_menu as open_house` in a file whose guests see all of it."""
    url = databases.migrated()
    with open_restaurant(url) as opened:
        yield opened
    databases.drop(url)


@pytest.fixture(scope="module")
def open_house(databases: Databases) -> Iterator[Restaurant]:
    url = databases.migrated()
    with open_restaurant(url) as opened:
        opened.edit_menu(shorten)
        yield opened
    databases.drop(url)


@pytest.fixture
def restaurant(open_house: Restaurant) -> Iterator[Restaurant]:
    """The restaurant of this module, with new guests for each test."""
    open_house.troubles.clear()
    yield open_house
    open_house.close()
    assert open_house.troubles == []
