"""How the menu page looks and what it costs: for everybody, on a narrow phone, in both languages and by night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tablegram.restaurant.menu.model import Menu
from tests.browser.menu.restaurant import Restaurant
from tests.browser.menu.restaurant import whole_menu as open_house  # noqa: F401
from tests.browser.panel.judging import violations

BUDGET = 60_000
WORDS = {
    "en": {"add": "Add Minced Meat Pide", "cart": "See cart", "here": "Order without the app", "waiter": "Call the waiter"},
    "tr": {"add": "Kıymalı Pide ekle", "cart": "Sepeti gör", "here": "Uygulamasız sipariş ver", "waiter": "Garson çağır"},
}  # fmt: skip


def audit(page: Page, where: str, part: str | None) -> None:
    over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert over <= 0, f"{where} is {over} px too wide"
    assert [found for _, found in violations(page, part=part)] == [], where


def views(page: Page, words: dict[str, str]) -> Iterator[tuple[str, str | None]]:
    """Every state of the page that a guest comes to, and the part of it that is new; nothing for all of it."""
    sheet = "dialog[open]:last-of-type"
    yield "the menu", None
    page.locator("#without summary").click()
    page.locator("#allergens input").first.check()
    yield "the allergens", ".tools"
    page.locator("#allergens input").first.uncheck()
    page.locator("#without summary").click()
    page.get_by_role("searchbox").fill("qqqq")
    yield "nothing found", None
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name=words["waiter"]).click()
    yield "a call", sheet
    page.keyboard.press("Escape")
    page.get_by_role("button", name=words["add"]).click()
    yield "a dish", sheet
    page.locator("dialog .primary").click()
    page.get_by_role("button", name=words["cart"]).click()
    expect(page.locator("dialog .saved .icon")).to_be_visible()
    yield "the cart", sheet
    page.get_by_role("button", name=words["here"]).click()
    page.locator("dialog.order [name=phone]").fill("12")
    page.locator("dialog.order .primary").click()
    yield "the form", sheet
    page.locator("dialog.order [name=phone]").fill("+90 555 111 22 33")
    page.locator("dialog.order .primary").click()
    page.locator("#orders a").wait_for()
    yield "an order", "#orders"
    page.locator("#orders a").click()
    page.locator(".steps").wait_for()
    yield "its status", None


@pytest.mark.looks
@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("tr", "dark")])
def test_every_state_of_the_page_is_for_everybody(restaurant: Restaurant, language: str, scheme: str) -> None:
    page = restaurant.guest(restaurant.signed_link("12").removeprefix(restaurant.url), language=language, scheme=scheme)
    for where, part in views(page, WORDS[language]):
        audit(page, f"{where} ({language}, {scheme})", part)


def test_it_can_be_used_with_a_keyboard_alone(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12")
    link = page.get_by_role("link", name="Hummus", exact=True)
    link.focus()
    page.keyboard.press("Enter")
    dish = page.get_by_role("dialog", name="Hummus")
    expect(dish.get_by_role("heading")).to_be_focused()
    dish.get_by_label("Note for the kitchen").focus()
    page.keyboard.type("no oil")
    page.keyboard.press("Enter")
    expect(dish).to_have_count(0)
    expect(link).to_be_focused()
    expect(page.locator("#bar")).to_contain_text("1 dish")


class Costs:
    """What went over the wire for one page."""

    def __init__(self, page: Page) -> None:
        self.kinds: dict[str, str] = {}
        self.bytes: dict[str, int] = {}
        self.urls: dict[str, str] = {}
        wire = page.context.new_cdp_session(page)
        wire.on("Network.responseReceived", self._answered)
        wire.on("Network.loadingFinished", self._finished)
        wire.send("Network.enable")

    def _answered(self, event: dict[str, Any]) -> None:
        self.kinds[event["requestId"]] = event["type"]
        self.urls[event["requestId"]] = event["response"]["url"]

    def _finished(self, event: dict[str, Any]) -> None:
        self.bytes[event["requestId"]] = int(event["encodedDataLength"])

    def of(self, *kinds: str) -> int:
        return sum(self.bytes.get(one, 0) for one, kind in self.kinds.items() if kind in kinds)

    def addresses(self, pattern: str) -> list[str]:
        return [url for url in self.urls.values() if re.search(pattern, url)]


def test_the_page_of_eighty_dishes_stays_within_its_budget(restaurant: Restaurant) -> None:
    page = restaurant.page(restaurant.context())
    costs = Costs(page)
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.add_init_script(
        """window.shift = 0;
        new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value; })
          .observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(restaurant.url + "?table=12&lang=en")
    expect(page.locator("html")).to_have_attribute("data-kept", "yes")
    expect(page.locator(".item")).to_have_count(80)
    spent = costs.of("Document", "Stylesheet", "Script", "Manifest", "Fetch", "XHR", "Other")
    assert 0 < spent < BUDGET, (
        f"{spent:,} bytes: {sorted(zip(costs.urls.values(), costs.bytes.values(), strict=False))}"
    )
    assert costs.addresses(rf"^(?!{re.escape(restaurant.product.url)}|data:|blob:)") == []
    # Pictures come when they are scrolled to.
    pictures = page.locator(".item img").count()
    loaded = len(costs.addresses(r"/images/.*\.webp"))
    assert pictures > 40
    assert loaded < pictures / 2, (loaded, pictures)
    # None larger than its place in the list needs.
    assert loaded == len(costs.addresses(r"/images/.*-192\.webp"))
    assert costs.of("Image") < 4_000 * loaded
    assert page.evaluate("window.shift") < 0.02
    # Reading and marking eighty dishes is little work; so much of the processor, however long it had to wait for it.
    worked_s = {one["name"]: one["value"] for one in wire.send("Performance.getMetrics")["metrics"]}["ScriptDuration"]
    assert 0 < worked_s < 0.3, worked_s


@pytest.mark.looks
@pytest.mark.judged
def test_a_categorys_picture_stands_above_it_comes_late_and_moves_nothing(restaurant: Restaurant) -> None:
    before: list[Menu] = []

    def illustrate(menu: Menu) -> Menu:
        before.append(menu)
        image = next(item.image_id for item in menu.items if item.image_id)
        last = menu.categories[-1]
        return msgspec.structs.replace(
            menu, categories=[*menu.categories[:-1], msgspec.structs.replace(last, image_id=image)]
        )

    restaurant.edit_menu(illustrate)
    try:
        page = restaurant.guest("?table=12")
        banner = page.locator(".banner")
        expect(page.locator(".banner")).to_have_count(1)
        assert banner.evaluate("one => one.complete && one.naturalWidth > 0") is False
        reserved = banner.evaluate("one => one.getBoundingClientRect().height")
        assert 40 < reserved < 160
        banner.scroll_into_view_if_needed()
        page.wait_for_function("() => document.querySelector('.banner').naturalWidth > 0")
        assert banner.evaluate("one => one.getBoundingClientRect().height") == reserved
        audit(page, "a category with a picture", ".category:has(.banner)")
    finally:
        restaurant.edit_menu(lambda menu: msgspec.structs.replace(menu, categories=before[0].categories))


def test_files_are_kept_for_ever_and_the_page_is_asked_for_again(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12")
    address = page.locator("script[src]").get_attribute("src")
    assert address is not None
    answer = page.request.get(restaurant.product.url + address)
    assert "immutable" in answer.headers["cache-control"]
    first = page.request.get(restaurant.url + "?table=12")
    tag = first.headers["etag"]
    again = page.request.get(restaurant.url + "?table=12", headers={"If-None-Match": tag})
    assert (again.status, again.body()) == (304, b"")


def test_the_page_can_be_installed(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12")
    wire = page.context.new_cdp_session(page)
    manifest = wire.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert "Safran" in manifest["data"]
    assert "table=12" in manifest["url"]
    assert page.evaluate("navigator.serviceWorker.ready.then((one) => new URL(one.scope).pathname)") == "/api/v1/menu"
    policy = page.request.get(restaurant.url).headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
