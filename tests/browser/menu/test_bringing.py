"""A delivery on the guest's page: the phone says where it is, and the page what that costs or what is possible instead."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Geolocation, expect

from tests.browser.menu.phone import add, saved
from tests.browser.menu.restaurant import Restaurant


@pytest.fixture
def zoned(restaurant: Restaurant) -> Restaurant:
    """With a circle of a kilometre, where bringing costs 35 and nothing is brought for less than 200."""
    place = f"/restaurant/venues/{restaurant.venue.id}"
    at = {"latitude": 40.9876, "longitude": 29.0287}
    kinds = ["dine_in", "takeaway", "delivery"]
    assert restaurant.product.call("PATCH", place, {**at, "order_types": kinds})[0] == 200
    zone = {"name": "Moda", "radius_m": 1000, "fee": 35, "minimum": 200, "minutes": 30}
    assert restaurant.product.call("POST", f"{place}/zones", zone)[0] == 201
    return restaurant


@pytest.mark.looks
def test_the_fee_follows_from_where_the_phone_is(zoned: Restaurant) -> None:
    there: Geolocation = {"latitude": 40.9880, "longitude": 29.0290}
    page = zoned.guest("", service_workers="block", geolocation=there, permissions=["geolocation"])
    add(page, "Hummus")
    cart = saved(page)
    cart.get_by_role("radio", name="Delivery").check()
    expect(cart.get_by_text("Share where you are")).to_be_visible()
    cart.get_by_role("button", name="Use my location").click()
    # Too little is said at once, and nothing can be sent.
    expect(cart.get_by_text("₺70.00 is still missing")).to_be_visible()
    expect(cart.get_by_role("button", name="Order without the app")).to_be_disabled()
    cart.get_by_role("button", name="One more: Hummus").click()
    expect(cart.get_by_text("We deliver to Moda in about 30 minutes.")).to_be_visible()
    sums = cart.locator(".sums")
    expect(sums).to_contain_text("Delivery")
    expect(sums).to_contain_text("₺35")
    expect(sums).to_contain_text("₺295")
    # Elsewhere nobody brings it; what is possible is said.
    page.context.set_geolocation({"latitude": 41.2, "longitude": 29.0})
    cart.get_by_role("button", name="Use my location again").click()
    expect(cart.get_by_text("we do not deliver to this place")).to_be_visible()
    expect(cart.get_by_text("You can pick it up here")).to_be_visible()
    expect(cart.get_by_role("button", name="Order without the app")).to_be_disabled()
    page.context.set_geolocation(there)
    cart.get_by_role("button", name="Use my location again").click()
    expect(sums).to_contain_text("₺295")
    cart.get_by_role("button", name="Order without the app").click()
    form = page.get_by_role("dialog", name="Order without the app")
    form.get_by_label("Your name").fill("Ayşe")
    form.get_by_label("Phone").fill("+90 555 111 22 33")
    form.get_by_label("Where shall we deliver it?").fill("Moda Caddesi 12")
    form.get_by_role("button", name=re.compile("^Order now")).click()
    expect(page.locator("#orders a")).to_have_count(1)
    order = zoned.product.call("GET", "/orders?limit=1")[1]["data"][0]
    assert (order["total_amount"], order["destination"]["zone"]) == (295, "Moda")
    assert order["route_url"].endswith("destination=40.988000,29.029000")


def test_a_phone_that_does_not_say_where_it_is_orders_with_its_address(zoned: Restaurant) -> None:
    page = zoned.guest("", service_workers="block")
    page.evaluate("() => { navigator.geolocation.getCurrentPosition = (done, failed) => failed({ code: 1 }) }")
    add(page, "Hummus")
    cart = saved(page)
    cart.get_by_role("radio", name="Delivery").check()
    cart.get_by_role("button", name="Use my location").click()
    expect(cart.get_by_text("Your phone does not say where it is.")).to_be_visible()
    expect(cart.get_by_role("button", name="Order without the app")).to_be_enabled()
