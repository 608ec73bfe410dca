"""A guest proves the phone by a message, sees points and coupons appear, and orders with a coupon."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.menu.phone import add, saved
from tests.browser.menu.restaurant import Restaurant
from tests.product import wait_until

NUMBER = "905551112233"


def _send(page: Page) -> None:
    """The link opens the app with the text typed in; the sandbox's phone sends it."""
    sheet = page.get_by_role("dialog").last
    with page.context.expect_page() as opened:
        sheet.get_by_role("link", name="Send the message").click()
    phone = opened.value
    phone.wait_for_load_state()
    expect(phone.get_by_label("Write a message").first).to_have_value(re.compile("PT-[A-Z2-9]{8}"))
    phone.get_by_role("button", name="Send", exact=True).first.click()
    page.bring_to_front()


@pytest.mark.looks
def test_a_guest_redeems_a_coupon_on_the_page(restaurant: Restaurant) -> None:
    product = restaurant.product
    rates = [{"currency": "TRY", "per": 10, "worth": 0.5}]
    assert product.call("PATCH", "/loyalty/programme", {"is_on": True, "rates": rates})[0] == 200
    ten = {"name": "10% off", "code": "TEN10", "gives": "percent", "percent": 10}
    assert product.call("POST", "/loyalty/coupons", ten)[0] == 201
    page = restaurant.guest("", service_workers="block")
    add(page, "Hummus")
    cart = saved(page)
    cart.get_by_role("radio", name="Take away").check()
    cart.get_by_role("button", name="Points and coupons").click()
    sheet = page.get_by_role("dialog", name="Points and coupons")
    expect(sheet.get_by_text("Waiting for your message")).to_be_visible()
    _send(page)
    # The page hears of it by itself.
    expect(sheet.get_by_text("You have no points yet.")).to_be_visible()
    sheet.get_by_label("Coupon code").fill("nope99")
    sheet.get_by_role("button", name="Use coupon").click()
    expect(page.get_by_text("There is no such code.")).to_be_visible()
    sheet.get_by_label("Coupon code").fill("ten-10")
    sheet.get_by_role("button", name="Use coupon").click()
    expect(sheet.get_by_text("10% off: we take it off the order that you send.")).to_be_visible()
    page.keyboard.press("Escape")
    # The cart says how much that is, and the sum is the one to pay.
    expect(cart.locator(".sums div", has_text="10% off").locator("dd")).to_have_text("−₺13")
    expect(cart.locator(".sums .sum dd")).to_have_text("₺117")
    expect(cart.get_by_role("button", name="Points and coupons")).to_be_focused()
    cart.get_by_role("button", name="Order without the app").click()
    form = page.get_by_role("dialog", name="Order without the app")
    form.get_by_label("Your name").fill("Ayşe")
    expect(form.get_by_label("Phone")).to_be_hidden()
    form.get_by_role("button", name=re.compile("^Order now")).click()
    expect(page.locator("#orders a")).to_have_count(1)
    order = product.call("GET", "/orders?limit=1")[1]["data"][0]
    assert order["customer"]["phone"] == f"+{NUMBER}"
    wait_until(lambda: product.call("GET", "/loyalty/coupons")[1]["data"][0]["used"] == 1, "the coupon's use")
    # In Turkish, and later in the same visit: the phone is still known, and the coupon is used up.
    page.goto(f"{restaurant.url}?lang=tr")
    page.get_by_role("button", name="Humus ekle", exact=True).click()
    page.get_by_role("button", name="Sepeti gör").click()
    page.get_by_role("button", name="Puan ve kupon").click()
    sheet = page.get_by_role("dialog", name="Puan ve kupon")
    expect(sheet.get_by_text("Henüz puanınız yok.")).to_be_visible()
    sheet.get_by_label("Kupon kodu").fill("TEN10")
    sheet.get_by_role("button", name="Kuponu kullan").click()
    expect(page.get_by_text("Bu kuponu daha önce kullandınız.")).to_be_visible()
