"""Who sits at a table, and who only says so: calling somebody, ordering on the page, a phone that is held otherwise."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.browser.menu.phone import add, saved
from tests.browser.menu.restaurant import Restaurant
from tests.browser.sizes import measured


def test_a_call_shows_that_it_was_heard_and_answered(restaurant: Restaurant) -> None:
    page = restaurant.guest(restaurant.signed_link("4").removeprefix(restaurant.url))
    page.get_by_role("button", name="Call the waiter").click()
    page.get_by_role("button", name="Call now").click()
    heard = page.get_by_role("button", name="Waiter called")
    expect(heard).to_be_visible()
    page.reload()
    expect(heard).to_be_visible()
    path = f"/restaurant/venues/{restaurant.venue.id}/calls"
    [waiting] = restaurant.product.call("GET", path)[1]["data"]
    restaurant.product.call("POST", f"{path}/{waiting['id']}/answer", {})
    expect(page.get_by_role("button", name="Waiter is coming")).to_be_visible()
    expect(page.get_by_role("button", name="Ask for the bill")).to_be_visible()


def test_who_may_not_open_the_sandboxs_phone_orders_on_the_page(restaurant: Restaurant) -> None:
    # Browsers write into the console that such an address is not safe.
    page = restaurant.context().new_page()
    # Another machine of the house asks by the server's name in the network, which the sandbox does not answer to.
    far, here = f"http://menu.lan:{urlsplit(restaurant.product.url).port}", restaurant.product.url

    def carry(route: Route) -> None:
        if "/live" in route.request.url:
            return route.abort()
        headers = {**route.request.all_headers(), "host": urlsplit(far).netloc}
        return route.fulfill(response=route.fetch(url=route.request.url.replace(far, here), headers=headers))

    page.route(f"{far}/**", carry)
    page.goto(f"{far}/api/v1/menu?table=2")
    # It asks as soon as the cart is saved, which may be before the cart is opened.
    with page.expect_response(f"{far}/sandbox/") as refused:
        add(page, "Hummus")
        cart = saved(page)
    assert refused.value.status == 403
    order = cart.get_by_role("button", name="Order without the app")
    expect(order).to_have_class("primary")
    expect(cart.get_by_text("Send order")).to_have_count(0)
    order.click()
    page.get_by_label("Phone").fill("0555 111 22 33")
    page.get_by_role("button", name="Order now").click()
    page.locator("#orders a").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ORD-")
    assert page.url.startswith(far)
    expect(page.get_by_role("link", name="Confirm it from my phone")).to_be_hidden()


def test_what_is_in_the_cart_is_in_reach_on_a_low_screen(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=6")
    add(page, "Hummus")
    add(page, "Haydari")
    cart = saved(page)
    # A phone on its side, and letters twice as large.
    for width, height in ((740, 360), (180, 370)):
        page.set_viewport_size({"width": width, "height": height})
        line = measured(cart.locator(".line").first)
        assert line["y"] + line["height"] < height, (width, line)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cart.get_by_role("link", name="Send order").scroll_into_view_if_needed()
        expect(cart.get_by_role("button", name="Close")).to_be_in_viewport()
        expect(cart.get_by_role("link", name="Send order")).to_be_in_viewport()
        cart.evaluate("(one) => one.scrollTo(0, 0)")
    page.go_back()
    add(page, "Minced Meat Pide")
    dish = page.locator("dialog.dish .sheet-body")
    assert dish.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0
    expect(page.get_by_role("button", name=re.compile("^Add · "))).to_be_in_viewport()


@pytest.mark.looks
def test_who_sits_at_a_table_is_not_asked_for_an_address_and_who_only_says_so_is_told_to_scan(
    restaurant: Restaurant,
) -> None:
    page = restaurant.guest(restaurant.signed_link("5").removeprefix(restaurant.url))
    add(page, "Hummus")
    cart = saved(page)
    expect(cart.get_by_role("radio", name="Take away")).to_be_visible()
    expect(cart.get_by_role("radio", name="Delivery")).to_have_count(0)
    # Ordered by this phone, it is no other guest's.
    cart.get_by_role("button", name="Order without the app").click()
    page.get_by_role("button", name="Order now").click()
    expect(page.locator("#orders a")).to_have_count(1)
    add(page, "Haydari")
    with page.expect_response("**/table?*"):
        saved(page)
    expect(page.get_by_role("heading", name="Others at your table")).to_have_count(0)
    stranger = restaurant.guest("?table=5")
    expect(stranger.get_by_text("Table 5: code not scanned")).to_be_visible()
    expect(stranger.get_by_text("Scan the code on it")).to_be_visible()
    expect(stranger.get_by_text("Table 5", exact=True)).to_have_count(0)
    expect(stranger.locator("[data-call]")).to_have_count(0)
    add(stranger, "Hummus")
    cart = saved(stranger)
    expect(cart.get_by_role("radio", name="Delivery")).to_be_visible()
    expect(cart.get_by_role("radio", name="At table 5, its code not scanned")).to_be_visible()
