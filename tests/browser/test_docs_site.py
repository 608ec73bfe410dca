"""The documentation in a real browser: found by typing, read on any screen and in any light, and nothing asked of others."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tablegram.docs_site.archive import SITE
from tests.browser.chromium import browsing
from tests.product import running_product

# `make pages` builds the site first.
pytestmark = [pytest.mark.slow, pytest.mark.looks]


def reader(browser: Browser, width: int, light: str, troubles: list[str], home: str) -> Page:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=light)  # type: ignore[arg-type]
    page = context.new_page()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    # What the content policy refuses is said here.
    page.on("console", lambda entry: troubles.extend([entry.text] if entry.type == "error" else []))
    page.on("request", lambda request: troubles.extend([] if request.url.startswith(home) else [request.url]))
    return page


def test_a_reader_finds_a_page_by_typing_on_every_screen_and_in_every_light(database_url: str) -> None:
    assert SITE.is_file(), "build it first: make docs-site"
    troubles: list[str] = []
    with running_product(database_url) as product, browsing() as browser:
        for width, light, paper in [
            (1280, "light", "rgb(251, 250, 247)"),
            (1280, "dark", "rgb(22, 23, 26)"),
            (390, "light", "rgb(251, 250, 247)"),
            (390, "dark", "rgb(22, 23, 26)"),
        ]:
            page = reader(browser, width, light, troubles, product.url)
            page.goto(f"{product.url}/docs")
            expect(page).to_have_url(f"{product.url}/docs/")
            expect(page.get_by_role("heading", name="Documentation", level=1)).to_be_visible()
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
            page.keyboard.press("/")
            page.keyboard.type("idempotency")
            # The search is drawn apart from the page, with a style that the content policy has let through.
            expect(page.get_by_text(re.compile(r"^\d+ results$"))).to_be_visible()
            page.keyboard.press("Enter")
            expect(page).to_have_url(re.compile(r"/docs/.+/"))
            for path in ("reference/settings/", "reference/events/", "decisions/", "project/architecture/"):
                page.goto(f"{product.url}/docs/{path}")
                expect(page.locator("h1")).to_be_visible()
                over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert over <= 0, f"{path} is {over} pixels too wide at {width}"
    assert troubles == []
