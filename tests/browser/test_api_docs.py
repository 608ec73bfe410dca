"""The API's docs in a real browser: found by typing, tried with a key that stays here, read on any screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import browsing
from tests.browser.panel.judging import judges, violations
from tests.product import running_product

pytestmark = [pytest.mark.slow, pytest.mark.looks, pytest.mark.judged]


def findings(page: Page) -> list[str]:
    return [found for impact, found in violations(page) if impact != "minor"]


def kept(page: Page) -> list[Any]:
    stores = "[sessionStorage, localStorage]"
    return list(page.evaluate(f"{stores}.map((one) => one.getItem('tablegram.docs.key'))"))


def test_a_reader_finds_a_call_tries_it_and_the_key_stays_theirs(database_url: str) -> None:
    with running_product(database_url) as product, browsing() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
        page = context.new_page()
        troubles: list[str] = []
        asked: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda entry: troubles.extend([entry.text] if entry.type == "error" else []))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{product.url}/api/v1/docs")
        assert findings(page) == []
        # A few screens, where it was eighteen thousand pixels.
        assert page.evaluate("document.documentElement.scrollHeight") < 4_500

        # By keyboard alone: a slash, some words, Enter.
        page.keyboard.press("/")
        page.keyboard.type("post send-location")
        expect(page.locator("#filter-found")).to_have_text("1 call found")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(r"/docs/sending#sendLocation$"))
        call = page.locator("#sendLocation")
        expect(call.locator(".samples code").first).to_be_visible()
        expect(page.locator("details.call[open]")).to_have_count(1)

        # The words around the document are the reader's, and stay so from page to page.
        turkish = browser.new_context(locale="tr-TR").new_page()
        turkish.on("pageerror", lambda error: troubles.append(str(error)))
        turkish.goto(f"{product.url}/api/v1/docs")
        turkish.get_by_label("Çağrılarda ara").fill("send-location")
        expect(turkish.locator("#filter-found")).to_have_text("1 çağrı bulundu")
        assert findings(turkish) == []
        turkish.get_by_role("link", name="English").click()
        # The areas have the same names in both languages: not on the page that is being left.
        expect(turkish.get_by_label("Çağrılarda ara")).to_have_count(0)
        turkish.locator(".areas").get_by_role("link", name="Contacts").click()
        expect(turkish.get_by_label("Your API key")).to_be_visible()
        turkish.context.close()

        page.get_by_label("Your API key").fill("nonsense")
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("#key-help")).to_contain_text("not a whole key")
        page.get_by_label("Your API key").fill(product.key)
        page.get_by_role("button", name="Use it").click()
        expect(call.locator("code", has_text="curl")).to_contain_text(f"Bearer {product.key}")
        assert kept(page) == [product.key, None]
        page.get_by_label("Remember it on this device").check()
        assert kept(page) == [None, product.key]

        call.get_by_role("tab", name="curl").focus()
        page.keyboard.press("ArrowRight")
        expect(call.get_by_role("tab", name="Python")).to_be_focused()
        expect(call.get_by_role("tabpanel")).to_contain_text(f'"Bearer " + "{product.key}"')
        page.goto(f"{product.url}/api/v1/docs/sending#sendText")
        call = page.locator("#sendText")
        expect(call.get_by_role("tabpanel")).to_contain_text("import urllib.request")

        call.get_by_text("Try it").click()
        call.get_by_role("button", name="Send POST").click()
        expect(call.locator(".result")).to_contain_text("HTTP 200")
        expect(call.locator(".result pre")).to_contain_text('"message_id"')
        assert findings(page) == []

        page.get_by_role("button", name="Forget it").click()
        assert kept(page) == [None, None]
        expect(call.get_by_role("tabpanel")).to_contain_text('os.environ["TABLEGRAM_KEY"]')
        call.get_by_role("button", name="Send POST").click()
        expect(call.locator(".result")).to_contain_text("Give your API key")
        assert troubles == []
        assert not [url for url in asked if not url.startswith(product.url) or product.key in url]

        for width, scheme in ((360, "dark"), (768, "light")) if judges() else ():
            narrow = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
            page = narrow.new_page()
            for path in ("", "/orders#takeOrder", "#problem-phone_invalid"):
                page.goto(f"{product.url}/api/v1/docs{path}")
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
            expect(page.locator("#problem-phone_invalid")).to_be_visible()
            page.goto(f"{product.url}/api/v1/docs/orders#takeOrder")
            assert findings(page) == []
            narrow.close()
