"""A product whose every page has something to show, and its owner in front of it.

`house` (one for each module): `house.owner(language="tr", scheme="dark", width=360)` is a page, signed in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.panel.desk import ZONE, Desk, known_here, open_desk, set_operator, sign_in
from tests.databases import Databases
from tests.product import Product

CALM = "*, *::before, *::after { animation: none !important; transition: none !important; }"


@dataclass
class House:
    desk: Desk
    zone: str = ZONE
    _tokens: dict[str, str] = field(default_factory=dict)

    @property
    def product(self) -> Product:
        return self.desk.product

    @property
    def url(self) -> str:
        return self.product.url

    @property
    def key(self) -> str:
        return self.product.key

    @property
    def browser(self) -> Browser:
        return self.desk.browser

    def owner(self, language: str = "en", scheme: str = "light", width: int = 1280, height: int = 900) -> Page:
        """The owner, who is also an operator of the installation, in a browser of her own."""
        if language not in self._tokens:
            self._tokens[language] = sign_in(self.product, "owner", "Deniz Kaya", language)
            set_operator(self.product, self._tokens[language])
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale="tr-TR" if language == "tr" else "en-GB",
            timezone_id=self.zone,
            base_url=self.url,
            reduced_motion="reduce",
        )
        cookies = known_here(self.url, self._tokens[language])
        context.add_cookies(cookies if self.zone == ZONE else cookies[:1])
        return context.new_page()


@contextmanager
def open_house(database_url: str) -> Iterator[House]:
    with open_desk(database_url) as desk:
        desk.product.cli("demo", "--filled")
        yield House(desk)


@pytest.fixture(scope="module")
def house(databases: Databases) -> Iterator[House]:
    url = databases.migrated()
    with open_house(url) as opened:
        yield opened
    databases.drop(url)
