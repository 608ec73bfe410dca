"""A running product and people at its panel, each in a browser of their own, already signed in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tablegram import settings as configuration
from tablegram.accounts.people import store
from tablegram.cli.session import Session, _work
from tablegram.panel.cookies import SESSION
from tablegram.panel.cookies import ZONE as ZONE_COOKIE
from tests.browser.chromium import browsing, leave
from tests.databases import Databases
from tests.product import Product, running_product

PHONE = "905551112233"
ZONE = "Europe/Istanbul"
OFFSETS_COOKIE, ZONE_OFFSETS = "tablegram_offsets", "-180_-180"
# What a page shows for some seconds and takes away again stays ten times as long: a busy machine looks late.
LASTING = """{ const wait = window.setTimeout;
    window.setTimeout = (act, ms, ...rest) => wait(act, ms >= 6000 ? 10 * ms : ms, ...rest); }"""


@dataclass
class Desk:
    product: Product
    browser: Browser

    def person(
        self,
        role: str = "owner",
        name: str = "Deniz Kaya",
        *,
        language: str = "en",
        dark: bool = False,
        width: int = 1440,
        height: int = 900,
        zone: str = ZONE,
        scripts: bool = True,
    ) -> Page:
        """Somebody with a role, signed in, in front of an empty page; in another zone, for the first time."""
        context: BrowserContext = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale="tr-TR" if language == "tr" else "en-GB",
            timezone_id=zone,
            base_url=self.product.url,
            has_touch=width < 500,
            # What moves for ever is drawn for ever, and nobody watches.
            reduced_motion="reduce",
            java_script_enabled=scripts,
        )
        token = sign_in(self.product, role, name, language)
        context.add_init_script(LASTING)
        cookies = known_here(self.product.url, token)
        context.add_cookies(cookies if zone == ZONE else cookies[:1])
        return context.new_page()

    def write(self, text: str, phone: str = PHONE, **more: Any) -> Any:
        """A customer writes from a sandbox phone."""
        return self.product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": text, **more})


def known_here(url: str, token: str) -> list[Any]:
    """The cookies of somebody who is signed in and was here before; on a first visit the parts are asked for again."""
    known = {SESSION: token, ZONE_COOKIE: ZONE, OFFSETS_COOKIE: ZONE_OFFSETS}
    return [{"name": name, "value": value, "url": url} for name, value in known.items()]


def sign_in(product: Product, role: str, name: str, language: str) -> str:
    """A new member and an open session: the cookie."""

    async def work(session: Session) -> str:
        email = f"{role}.{len(await session.team.list_members(1))}@example.com"
        member = await session.team.add(1, email, role, name)
        person = await session.people.register.create(email, name, language)
        join = {"account": 1, "which": member.email, "person": person.id, "name": member.name}
        await session.db.put((store.JOIN, join))
        return await session.people.sessions.open(
            person.id, passed_second=True, remote="127.0.0.1", user_agent="a test"
        )

    def run() -> str:
        return asyncio.run(_work(configuration.load(product.environment), work))

    # The browser's own loop runs in this thread.
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(run).result()


def set_operator(product: Product, token: str) -> None:
    """Make the person behind a cookie an operator of the installation."""

    async def work(session: Session) -> None:
        found = await session.people.sessions.find(token)
        assert found is not None
        await session.people.register.set_operator(found.person.email, True)

    with ThreadPoolExecutor(1) as aside:
        aside.submit(lambda: asyncio.run(_work(configuration.load(product.environment), work))).result()


@contextmanager
def open_desk(database_url: str, settings: Mapping[str, str] | None = None) -> Iterator[Desk]:
    with running_product(database_url, settings=settings) as product, browsing() as browser:
        yield Desk(product, browser)


@pytest.fixture(scope="module")
def desk(databases: Databases) -> Iterator[Desk]:
    """One for each module."""
    url = databases.migrated()
    with open_desk(url) as opened:
        yield opened
    databases.drop(url)


@pytest.fixture(scope="module")
def seat(desk: Desk) -> Page:
    """The owner's, in front of one page for all tests of a module: to open another takes as long as two pages in it."""
    return desk.person()


@pytest.fixture
def page(seat: Page) -> Iterator[Page]:
    """The owner at the seat of this module. A test that leaves something there (a clock, a size, a script) asks for a person."""
    yield seat
    leave(seat)
