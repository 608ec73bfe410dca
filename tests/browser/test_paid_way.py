"""A guest pays on the phone, and only then the kitchen hears of the order; in both languages, looked at."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel.desk import Desk, open_desk
from tests.browser.panel.judging import judges, violations
from tests.product import wait_until

LOOPBACK = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}
WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "add": "Add Hummus", "cart": "See cart", "order": "Order without the app", "online": "Card online",
        "now": re.compile("^Order now"), "pay": re.compile("^Pay .* now$"), "paid": "Paid", "back": "Back",
        "waits": "Waiting for payment", "done": "Accepted", "button": "Pay",
    },
    "tr": {
        "add": "Humus ekle", "cart": "Sepeti gör", "order": "Uygulamasız sipariş ver", "online": "İnternetten kartla",
        "now": re.compile("^Sipariş ver"), "pay": re.compile("^Şimdi öde"), "paid": "Ödendi", "back": "Geri dön",
        "waits": "Ödeme bekleniyor", "done": "Onaylandı", "button": "Öde",
    },
}  # fmt: skip


def look(page: Page, name: str) -> None:
    """Nothing keeps anybody out, and nothing is wider than the screen."""
    assert [found for _, found in violations(page)] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/paid-{name}.png", full_page=True)


def order(desk: Desk, language: str, table: int, *, dark: bool) -> Page:
    """The guest at a table chooses to pay now, and is at the order's own page."""
    words = WORDS[language]
    context = desk.browser.new_context(
        viewport={"width": 390, "height": 844}, locale="tr-TR" if language == "tr" else "en-GB", has_touch=True,
        color_scheme="dark" if dark else "light", reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.goto(f"{desk.product.api}/menu?table={table}&lang={language}")
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    page.get_by_role("button", name=words["add"], exact=True).click()
    page.get_by_role("button", name=words["cart"]).click()
    page.get_by_role("button", name=words["order"]).click()
    form = page.locator("#order-form")
    form.get_by_label(words["online"]).check()
    form.locator("#order-phone").fill("+90 555 111 22 33")
    look(page, f"form-{language}")
    page.get_by_role("button", name=words["now"]).click()
    page.wait_for_url("**/menu/orders/**")
    return page


@pytest.mark.looks
@pytest.mark.judged
def test_a_guest_pays_on_the_phone_and_only_then_the_kitchen_hears_of_it(database_url: str) -> None:
    with open_desk(database_url, LOOPBACK) as desk:
        board = desk.person("staff", width=1024, height=768)
        board.goto("/panel/board")
        expect(board.locator("html[data-live=on]")).to_be_attached()
        for count, language in enumerate(WORDS if judges() else ("tr",)):
            words, dark = WORDS[language], language == "tr"
            page = order(desk, language, 3 + count, dark=dark)
            # A number that was only typed is nobody's word: the money is.
            expect(page.locator(".situation")).to_contain_text(words["waits"])
            pay = page.get_by_role("link", name=words["pay"])
            expect(pay).to_be_visible()
            look(page, f"status-open-{language}")
            expect(board.locator(".paying-order")).to_have_count(1)
            expect(board.locator(".ticket")).to_have_count(count)
            follower = page.context.new_page()
            follower.goto(page.url)
            expect(follower.get_by_role("link", name=words["pay"])).to_be_visible()
            if not count:
                board.locator(".paying > summary").click()
                if folder := os.environ.get("SHOTS"):
                    board.screenshot(path=f"{folder}/paid-board.png")
            status, listed = desk.product.call("GET", "/restaurant/tickets")
            assert (status, len(listed["data"])) == (200, count)
            pay.click()
            page.wait_for_url("**/sandbox/pay/**")
            page.get_by_role("button", name=words["button"]).click()
            expect(page.get_by_role("status")).to_contain_text(words["paid"])
            # The page that was open all the time turns by itself, and so does the board.
            expect(follower.locator(".situation")).to_contain_text(words["done"])
            expect(follower.locator(".pay")).to_have_count(0)
            expect(board.locator(".ticket")).to_have_count(count + 1)
            expect(board.locator(".paying-order")).to_have_count(0)
            page.get_by_role("link", name=words["back"]).click()
            page.wait_for_url("**/menu/orders/**")
            expect(page.locator(".situation")).to_contain_text(words["done"])
            look(page, f"status-paid-{language}")
            wait_until(
                lambda wanted=count + 1: len(desk.product.call("GET", "/restaurant/tickets")[1]["data"]) == wanted,
                "the ticket",
            )
        _, page_of_orders = desk.product.call("GET", "/orders")
        assert {one["payment_status"] for one in page_of_orders["data"]} == {"paid"}
