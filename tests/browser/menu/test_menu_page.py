"""The menu on a guest's phone: its dishes and options, and what changes while they look."""

from __future__ import annotations

import re
import time
from typing import Any

import msgspec
from playwright.sync_api import expect

from tablegram.restaurant.hours import Pause
from tablegram.restaurant.menu import changes
from tablegram.restaurant.menu.model import UNTIL_TOLD
from tests.browser.menu.phone import add, item, kept, open_cart, saved
from tests.browser.menu.restaurant import Restaurant
from tests.browser.sizes import measured

HOSTILE = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>'


def test_options_ask_for_what_is_needed_and_reckon_the_price(restaurant: Restaurant) -> None:
    restaurant.edit_menu(_without_default_size)
    page = restaurant.guest()
    add(page, "Minced Meat Pide")
    sheet = page.get_by_role("dialog", name="Minced Meat Pide")
    expect(sheet.get_by_text("Ask the staff about extras.")).to_be_visible()
    sheet.get_by_role("button", name=re.compile("^Add ·")).click()
    expect(sheet.get_by_role("alert").filter(has_text="Please choose at least 1")).to_be_visible()
    sheet.get_by_role("radio", name="Regular").check()
    expect(sheet.get_by_role("group", name=re.compile("Add to the pide"))).to_be_visible()
    expect(sheet.get_by_role("button", name="Add · ₺230")).to_be_visible()
    # A size has prices and questions of its own.
    sheet.get_by_role("radio", name="Large").check()
    expect(sheet.get_by_role("group", name=re.compile("Add to the pide"))).to_have_count(0)
    inner = sheet.get_by_role("group", name=re.compile("Add to the large pide"))
    expect(sheet.get_by_role("button", name="Add · ₺340")).to_be_visible()
    inner.get_by_role("button", name="One more: Egg").click()
    inner.get_by_role("button", name="One more: Egg").click()
    sheet.get_by_label("Note for the kitchen").fill("iyi  pişsin ")
    sheet.get_by_role("button", name=re.compile("One more: Minced Meat Pide")).click()
    sheet.get_by_role("button", name=re.compile("^Add ·")).click()
    expect(sheet).to_have_count(0)
    cart = saved(page)
    line = cart.locator(".line")
    expect(line).to_contain_text("Large, 2 × Egg")
    expect(line).to_contain_text("“iyi pişsin”")
    view = kept(page)["view"]
    assert view["lines"][0]["quantity"] == 2
    assert view["total"] == view["lines"][0]["unit_price"] * 2
    shown = re.sub(r"\D", "", line.locator(".amount").inner_text())
    assert int(shown) * 100 == view["total"]


def _without_default_size(menu: Any) -> Any:
    size = next(one for one in menu.groups if one.translations.get("en", {}).get("name") == "Size" and one.required)
    options = [msgspec.structs.replace(one, is_default=False) for one in size.options]
    return changes.put_group(menu, msgspec.structs.replace(size, options=options))


def test_changes_of_the_menu_reach_an_open_page_in_place(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=9")
    add(page, "Hummus")
    row = page.locator(".item").last
    row.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    place = measured(row)
    was = restaurant.change_item("Humus", price=15_500)
    try:
        expect(item(page, "Hummus")).to_contain_text("₺155")
        now = measured(row)
        assert abs(now["y"] - place["y"]) < 2, (before, place, now)
        cart = saved(page)
        expect(cart.locator(".amount").first).to_have_text("₺155")
        restaurant.edit_menu(lambda menu: changes.sell_out(menu, [was.id], UNTIL_TOLD))
        expect(cart.get_by_text("Hummus is sold out.")).to_be_visible()
        expect(cart.get_by_role("button", name="Order without the app")).to_be_disabled()
        cart.get_by_role("button", name="Remove").click()
        expect(cart.get_by_text("Nothing in it yet")).to_be_visible()
        cart.get_by_role("button", name="Close").click()
        expect(item(page, "Hummus").get_by_text("Sold out")).to_be_visible()
        expect(page.get_by_role("button", name="Add Hummus")).to_be_hidden()
    finally:
        restaurant.change_item("Humus", price=was.price, sold_out_until=None)


def test_a_page_whose_stream_was_refused_listens_again(restaurant: Restaurant) -> None:
    page = restaurant.page(restaurant.context(service_workers="block"))
    # A phone of some years ago, besides.
    page.add_init_script("Math.random = () => 0; delete AbortSignal.timeout")
    # A server that starts anew behind a proxy answers like this, and browsers then ask no more.
    page.route("**/live?*", lambda route: route.fulfill(status=502))
    page.goto(restaurant.url + "?table=9")
    expect(page.locator("html")).to_have_attribute("data-live", "no")
    # Not before it was seen: the page asks again by itself.
    page.unroute("**/live?*")
    add(page, "Hummus")
    saved(page)
    expect(page.locator("html")).to_have_attribute("data-live", "yes")


def test_an_option_that_ran_out_can_be_taken_off_a_dish(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=10")
    add(page, "Revani")
    dish = page.get_by_role("dialog", name="Revani")
    extra = dish.get_by_role("checkbox").first
    extra.check()
    dish.get_by_role("button", name=re.compile("^Add ·")).click()
    cart = saved(page)
    [choice] = kept(page)["lines"][0]["choices"]
    # Another dish: the list grows while the page is looked at, and Revani may be its last for a moment.
    other = page.locator("#list .item").filter(has_not_text="Revani").last
    gone = [choice["option_id"], str(other.get_attribute("data-id"))]
    restaurant.edit_menu(lambda menu: changes.sell_out(menu, gone, UNTIL_TOLD))
    try:
        expect(cart.locator(".wrong")).to_contain_text("sold out")
        # The cart hears it by its own answer, maybe before the menu does.
        expect(other).to_have_class(re.compile(r"\bgone\b"))
        cart.get_by_role("button", name="Change Revani").click()
        extra.uncheck()
        expect(extra).to_be_disabled()
        dish.get_by_role("button", name=re.compile("^Save ·")).click()
        expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
    finally:
        restaurant.edit_menu(lambda menu: changes.sell_out(menu, gone, None))


def test_a_closed_restaurant_says_so_and_can_be_browsed(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=9")
    hours = restaurant.venue.hours
    soon = int(time.time() * 1_000) + 3_600_000
    restaurant.change_venue(hours=msgspec.structs.replace(hours, pauses=[Pause(0, soon)]))
    try:
        expect(page.locator("#standing")).to_contain_text("Closed, opens")
        add(page, "Hummus")
        cart = open_cart(page)
        expect(cart.get_by_text("Closed, opens")).to_be_visible()
        expect(cart.get_by_role("button", name="Order without the app")).to_be_disabled()
        expect(cart.get_by_role("link", name=re.compile("Send order"))).to_have_count(0)
    finally:
        restaurant.change_venue(hours=hours)
    expect(cart.get_by_role("link", name=re.compile("Send order"))).to_be_visible()


def test_the_waiter_and_the_bill_can_be_asked_for(restaurant: Restaurant) -> None:
    page = restaurant.guest(restaurant.signed_link("10").removeprefix(restaurant.url))
    for kind, button, heard in (("waiter", "Call now", "called."), ("bill", "Ask for the bill", "We have heard")):
        for said in (heard, "already"):
            page.locator(f"[data-call={kind}]").click()
            sheet = page.get_by_role("dialog")
            sheet.get_by_role("textbox").fill("by card, please")
            sheet.get_by_role("button", name=button).click()
            expect(page.locator("#notice")).to_contain_text(said)
            expect(sheet).to_have_count(0)


def test_names_are_only_names(restaurant: Restaurant) -> None:
    was = restaurant.change_item("Humus", translations={"en": {"name": HOSTILE, "description": "مرحبا <b>x</b>"}})
    try:
        page = restaurant.guest("?table=12")
        row = page.locator(f"[data-id='{was.id}']")
        expect(row.get_by_role("link")).to_have_text(HOSTILE)
        row.get_by_role("button").click()
        cart = saved(page)
        expect(cart.locator(".line .name")).to_have_text(HOSTILE)
        cart.get_by_role("button", name=re.compile("^Change")).click()
        expect(page.locator("dialog.dish h2")).to_have_text(HOSTILE)
        expect(page.locator("img[src=x]")).to_have_count(0)
        assert page.title() == "Safran Lokantası · Table 12"
    finally:
        restaurant.change_item("Humus", translations=was.translations)


def test_a_code_that_was_forged_is_refused_in_words(restaurant: Restaurant) -> None:
    page = restaurant.page(restaurant.context(language="tr"))
    answer = page.goto(f"{restaurant.url}?table=12&venue={restaurant.venue.id}&t=AAAAAAAAAAAA")
    assert answer is not None
    assert answer.status == 403
    expect(page.get_by_role("heading", level=1)).to_have_text("Bu kod artık geçerli değil")
    page.get_by_role("link", name="Menüye bak").click()
    expect(page.locator(".item").first).to_be_visible()
    expect(page.locator(".calls")).to_have_count(0)
