"""The box for offers below the cart: never ticked by itself, kept by the server, and asked again in other words."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.menu.phone import add, kept, saved
from tests.browser.menu.restaurant import Restaurant


@pytest.mark.looks
def test_a_guest_ticks_the_houses_own_sentence(restaurant: Restaurant) -> None:
    call, place = restaurant.product.call, f"/restaurant/venues/{restaurant.venue.id}"
    page = restaurant.guest("", service_workers="block")
    add(page, "Hummus")
    assert saved(page).get_by_role("checkbox").count() == 0
    for language, words in (("en", "Tell me about offers of the house."), ("tr", "Kampanyaları bana yazın.")):
        assert call("POST", "/consents/texts", {"language": language, "words": words})[0] == 201
    assert call("PATCH", place, {"asks_for_offers": True})[0] == 200
    # What was put together before stays; the box is there as soon as the page is opened anew, and empty.
    page.reload()
    cart = saved(page)
    box = cart.get_by_role("checkbox", name="Tell me about offers of the house.")
    expect(box).not_to_be_checked()
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as told:
        box.check()
    assert told.value.json()["offers"] == kept(page)["offers"] == "en-1"
    expect(box).to_be_checked()
    # In the other language it is another sentence, which nobody has agreed to.
    page.goto(f"{restaurant.url}?lang=tr")
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    page.locator("#bar").click()
    other = page.get_by_role("checkbox", name="Kampanyaları bana yazın.")
    expect(other).not_to_be_checked()
    page.wait_for_function(
        "() => Object.entries(localStorage).some(([name, kept]) => name.startsWith('tablegram-cart')"
        " && !JSON.parse(kept).offers && !JSON.parse(kept).dirty)"
    )
    assert not restaurant.troubles
