"""A guest's cart on their phone: what they change, and what becomes of it offline, in two windows and among several guests."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.browser.menu.phone import add, id_of, kept, open_cart, saved
from tests.browser.menu.restaurant import Restaurant


@pytest.mark.looks
def test_a_guest_whose_code_was_changed_scans_the_new_one_and_keeps_what_he_chose(restaurant: Restaurant) -> None:
    page = restaurant.guest(restaurant.signed_link("9").removeprefix(restaurant.url))
    add(page, "Hummus")
    saved(page)
    page.keyboard.press("Escape")
    restaurant.rotate("9")
    add(page, "Hummus")
    cart = open_cart(page)
    expect(cart.get_by_text("Scan the code that is on the table now")).to_be_visible()
    expect(cart.get_by_role("link", name="Send order")).to_have_count(0)
    page.goto(restaurant.signed_link("9"))
    cart = saved(page)
    expect(cart.get_by_role("link", name="Send order · ₺260")).to_be_visible()


def test_a_cart_can_be_changed_and_survives_a_reload(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=3")
    add(page, "Hummus")
    add(page, "Hummus")
    add(page, "Haydari")
    cart = saved(page)
    cart.get_by_role("button", name="One less: Haydari").click()
    cart.get_by_role("button", name="Change Hummus").click()
    dish = page.get_by_role("dialog", name="Hummus")
    dish.get_by_label("Note for the kitchen").fill("no oil")
    dish.get_by_role("button", name="Save · ₺260").click()
    cart.get_by_label("Note for the whole order").fill("We are in a hurry")
    expect(cart.locator(".line")).to_have_count(1)
    expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
    page.reload()
    cart = saved(page)
    expect(cart.locator(".line")).to_contain_text("“no oil”")
    expect(cart.get_by_label("Note for the whole order")).to_have_value("We are in a hurry")
    mine = kept(page)
    status, view = restaurant.call("GET", f"/carts/{mine['code']}", Cart_Holder=mine["holder"])
    assert (status, view["lines"][0]["note"], view["notes"]) == (200, "no oil", "We are in a hurry")
    # Taking the last one away empties it.
    cart.get_by_role("button", name="One less: Hummus").click()
    cart.get_by_role("button", name="One less: Hummus").click()
    expect(cart.get_by_text("Nothing in it yet")).to_be_visible()


def test_a_cart_that_is_built_offline_survives_a_reload_and_is_saved_later(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=4")
    expect(page.locator("html")).to_have_attribute("data-kept", "yes")
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    add(page, "Hummus")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    expect(page.get_by_text("You are offline.").first).to_be_visible()
    add(page, "Haydari")
    cart = open_cart(page)
    expect(cart.locator(".line")).to_have_count(2)
    expect(cart.get_by_text("Your cart is kept on this phone")).to_be_visible()
    assert kept(page)["code"] is None
    page.context.set_offline(False)
    expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
    expect(cart.get_by_role("link", name="Send order · ₺255")).to_be_visible()


def test_it_stays_usable_on_a_slow_network(restaurant: Restaurant) -> None:
    page = restaurant.page(restaurant.context())
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    slow = {"offline": False, "latency": 400, "downloadThroughput": 200_000, "uploadThroughput": 80_000}
    wire.send("Network.emulateNetworkConditions", slow)
    page.goto(restaurant.url + "?table=6")
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    # Taps show at once, long before any answer can be there.
    took = page.evaluate(
        """() => {
          const plus = [...document.querySelectorAll('.plus')].find((one) => one.getAttribute('aria-label') === 'Add Hummus');
          for (let n = 0; n < 5; n += 1) plus.click();
          return plus.querySelector('span').textContent + document.getElementById('bar-count').textContent;
        }"""
    )
    assert took == "55 dishes"
    cart = saved(page)
    expect(cart.get_by_role("link", name="Send order · ₺650")).to_be_visible()


def test_a_cart_whose_answer_was_lost_is_one_cart_with_everything_in_it(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=8", service_workers="block")
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            return route.continue_()
        # The server has it; the phone never hears of it.
        lost.append(json.loads(route.fetch().text())["code"])
        return route.abort()

    page.route("**/api/v1/menu/carts", lose)
    add(page, "Hummus")
    page.wait_for_function("() => performance.getEntriesByType('resource').some((one) => one.name.endsWith('/carts'))")
    add(page, "Haydari")
    cart = saved(page)
    expect(cart.get_by_role("link", name="Send order · ₺255")).to_be_visible()
    assert [kept(page)["code"]] == lost
    assert len(kept(page)["view"]["lines"]) == 2


def test_two_windows_of_one_cart_lose_nothing(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=8")
    add(page, "Hummus")
    saved(page)
    mine = kept(page)
    # Somebody (another window, staff) changes it while this phone does not look.
    lines = [*mine["view"]["lines"], {"item_id": id_of(page, "Haydari")}]
    changed = [{name: one[name] for name in ("item_id", "quantity") if name in one} for one in lines]
    status, view = restaurant.call("PATCH", f"/carts/{mine['code']}", {"lines": changed}, Cart_Holder=mine["holder"])
    assert status == 200, view
    page.get_by_role("dialog").get_by_role("button", name="One more: Hummus").click()
    cart = page.get_by_role("dialog", name="Your cart")
    expect(cart.locator(".line")).to_have_count(2)
    expect(cart.get_by_role("link", name="Send order · ₺385")).to_be_visible()


@pytest.mark.looks
def test_what_a_guest_does_in_another_window_nobody_else_has_done(restaurant: Restaurant) -> None:
    first = restaurant.guest("?table=7")
    add(first, "Hummus")
    here = saved(first)
    second = restaurant.page(first.context)
    second.goto(first.url)
    there = saved(second)
    there.get_by_role("button", name="One less: Hummus").click()
    expect(here.get_by_text("Nothing in it yet.")).to_be_visible()
    second.keyboard.press("Escape")
    add(second, "Haydari")
    expect(here.get_by_role("link", name="Send order · ₺125")).to_be_visible()
    expect(first.get_by_text("Somebody at your table")).to_have_count(0)


def test_guests_of_one_table_see_each_other_and_one_sends_for_all(restaurant: Restaurant) -> None:
    link = restaurant.signed_link("11")
    one, other = restaurant.guest(link.removeprefix(restaurant.url)), restaurant.page(restaurant.context())
    other.clock.install()
    other.goto(link)
    add(one, "Hummus")
    cart = saved(one)
    # Somebody has ordered in Turkish; everybody reads their own language.
    at_table = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    lines = [{"item_id": id_of(one, "Hummus")}]
    _, third = restaurant.call("POST", "/carts", {**at_table, "lines": lines, "language": "tr"})
    restaurant.call("POST", f"/carts/{third['code']}/order", {}, Cart_Holder=third["holder"])
    restaurant.call(
        "POST", "/carts", {**at_table, "lines": [{"item_id": id_of(one, "Baked Rice Pudding"), "quantity": 2}]}
    )
    add(other, "Haydari")
    saved(other).get_by_role("button", name="Close").click()
    others = cart.locator(".others")
    expect(cart.get_by_role("heading", name="Others at your table")).to_be_visible()
    expect(others.locator("label", has_text="1 × Haydari")).to_contain_text("just now")
    expect(others).to_contain_text("1 × Hummus")
    # Each is taken along or left; nobody sends what somebody else may have left behind.
    take = cart.get_by_role("button", name="Take theirs into my cart")
    for row in ("1 × Haydari", "2 × Baked Rice Pudding"):
        others.get_by_role("checkbox", name=row).uncheck()
    expect(take).to_be_disabled()
    others.get_by_role("checkbox", name="1 × Haydari").check()
    take.click()
    expect(others).not_to_contain_text("1 × Haydari")
    expect(others.get_by_role("checkbox", name="2 × Baked Rice Pudding")).not_to_be_checked()
    expect(cart.locator(".line")).to_have_count(2)
    expect(cart.get_by_role("link", name="Send order · ₺255")).to_be_visible()
    # The other phone says by itself that its dishes have gone along, and orders them no second time.
    other.clock.fast_forward(11_000)
    expect(other.locator("#notice")).to_have_text("Somebody at your table took your dishes into one order.")
    expect(other.locator("#bar")).to_be_hidden()


def test_who_has_no_table_says_where_he_sits_and_keeps_his_cart(restaurant: Restaurant) -> None:
    page = restaurant.guest("")
    add(page, "Hummus")
    cart = saved(page)
    # The answer comes while a finger is on the button, and the cart is drawn anew below it.
    held: list[Route] = []
    carts = re.compile(r"/menu/carts")
    page.route(carts, lambda route: held.append(route))
    with page.expect_request(carts):
        cart.get_by_role("radio", name="Eat here").check()
    table = cart.get_by_label("Which table are you at?")
    table.fill("1")
    cart.get_by_role("button", name="I sit here").hover()
    page.mouse.down()
    expect(cart.get_by_text("Saved, with today's prices")).to_have_count(0)
    for one in held:
        one.continue_()
    page.unroute(carts)
    expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
    expect(table).to_have_value("1")
    page.mouse.up()
    expect(page.get_by_text("Table 1: code not scanned").first).to_be_visible()
    expect(saved(page).locator(".line")).to_contain_text("Hummus")


def test_who_must_scan_a_code_is_not_asked_for_his_table(restaurant: Restaurant) -> None:
    restaurant.change_venue(refuses_unsigned=True)
    try:
        page = restaurant.guest("")
        add(page, "Hummus")
        cart = saved(page)
        cart.get_by_role("radio", name="Eat here").check()
        expect(cart.get_by_text("Scan the code on your table")).to_be_visible()
        expect(cart.get_by_label("Which table are you at?")).to_have_count(0)
        page.goto(restaurant.signed_link("1"))
        expect(saved(page).locator(".line")).to_contain_text("Hummus")
    finally:
        restaurant.change_venue(refuses_unsigned=False)


def test_the_language_can_be_changed_and_the_cart_stays(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12")
    add(page, "Hummus")
    saved(page).get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Türkçe").click()
    expect(page.get_by_role("heading", name="Soğuk Mezeler")).to_be_visible()
    page.get_by_role("button", name="Sepeti gör").click()
    expect(page.get_by_role("dialog").locator(".line")).to_contain_text("Humus")
