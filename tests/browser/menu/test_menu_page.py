"""What a guest does with the menu on their phone, from the code on the table to the order in the kitchen."""

from __future__ import annotations

import json
import re
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
from playwright.sync_api import APIResponse, Page, Route, expect

from tablegram.restaurant.hours import Pause
from tablegram.restaurant.menu import changes
from tablegram.restaurant.menu.model import UNTIL_TOLD
from tests.browser.menu.phone import add, item, kept, open_cart, saved
from tests.browser.menu.restaurant import Restaurant
from tests.browser.sizes import measured
from tests.product import wait_until

HOSTILE = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>'


def test_from_the_code_on_the_table_to_the_app_it_takes_three_taps(restaurant: Restaurant) -> None:
    page = restaurant.guest(restaurant.signed_link("7").removeprefix(restaurant.url))
    expect(page.get_by_text("Table 7", exact=True)).to_be_visible()
    add(page, "Hummus")
    cart = saved(page)
    with page.context.expect_page() as opened:
        cart.get_by_role("link", name="Send order · ₺130").click()
    phone = opened.value
    phone.wait_for_load_state()
    written = phone.get_by_label("Write a message").first
    expect(written).to_have_value(re.compile(r"table 7.*1 × Hummus.*#", re.DOTALL))
    expect(cart.get_by_text("Press send in the app")).to_be_visible()
    phone.get_by_role("button", name="Send", exact=True).first.click()
    # The text takes its own way; the page sees by itself that it has become an order.
    placed = page.locator("#orders")
    expect(placed).to_contain_text("ORD-")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="See cart")).to_be_hidden()


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


def test_options_ask_for_what_is_needed_and_reckon_the_price(restaurant: Restaurant) -> None:
    restaurant.edit_menu(_without_default_size)
    page = restaurant.guest()
    add(page, "Minced Meat Pide")
    sheet = page.get_by_role("dialog", name="Minced Meat Pide")
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
    lines = [*mine["view"]["lines"], {"item_id": _id_of(page, "Haydari")}]
    changed = [{name: one[name] for name in ("item_id", "quantity") if name in one} for one in lines]
    status, view = restaurant.call("PATCH", f"/carts/{mine['code']}", {"lines": changed}, Cart_Holder=mine["holder"])
    assert status == 200, view
    page.get_by_role("dialog").get_by_role("button", name="One more: Hummus").click()
    cart = page.get_by_role("dialog", name="Your cart")
    expect(cart.locator(".line")).to_have_count(2)
    expect(cart.get_by_role("link", name="Send order · ₺385")).to_be_visible()


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


def _id_of(page: Page, name: str) -> str:
    found = item(page, name).get_attribute("data-id")
    assert found
    return found


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


def test_guests_of_one_table_see_each_other_and_one_sends_for_all(restaurant: Restaurant) -> None:
    link = restaurant.signed_link("11")
    one, other = restaurant.guest(link.removeprefix(restaurant.url)), restaurant.page(restaurant.context())
    other.clock.install()
    other.goto(link)
    add(one, "Hummus")
    cart = saved(one)
    # Somebody has ordered in Turkish; everybody reads their own language.
    at_table = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    lines = [{"item_id": _id_of(one, "Hummus")}]
    _, third = restaurant.call("POST", "/carts", {**at_table, "lines": lines, "language": "tr"})
    restaurant.call("POST", f"/carts/{third['code']}/order", {}, Cart_Holder=third["holder"])
    restaurant.call(
        "POST", "/carts", {**at_table, "lines": [{"item_id": _id_of(one, "Baked Rice Pudding"), "quantity": 2}]}
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


def test_a_guest_orders_without_the_app_and_follows_the_order(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=2")
    add(page, "Hummus")
    saved(page).get_by_role("button", name="Order without the app").click()
    form = page.get_by_role("dialog", name="Order without the app")
    form.get_by_role("button", name=re.compile("Order now")).click()
    expect(form.get_by_text("Please fill this in.")).to_be_visible()
    form.get_by_label("Phone").fill("12")
    form.get_by_role("button", name=re.compile("Order now")).click()
    expect(form.get_by_text("This is no phone number.")).to_be_visible()
    expect(form.get_by_label("Phone")).to_have_attribute("placeholder", re.compile("^05"))
    form.get_by_label("Phone").fill("0555 111 22 33")
    form.get_by_label("Your name").fill("Ayşe")
    form.get_by_role("radio", name="Cash").check()
    form.get_by_role("button", name=re.compile("Order now")).click()
    placed = page.locator("#orders a")
    expect(placed).to_contain_text("ORD-")
    placed.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ORD-")
    expect(page.locator(".steps [aria-current=step]")).to_have_count(1)
    expect(page.get_by_text("1 × Hummus")).to_be_visible()
    expect(page.get_by_text("Cash", exact=True)).to_be_visible()
    # Nobody knows whose number that is until it writes.
    expect(page.locator(".situation strong")).to_have_text("Waiting for the restaurant")
    proof = page.get_by_role("link", name="Confirm it from my phone")
    expect(proof).to_have_attribute("href", re.compile(r"text=ORD-\d+-\d+%20%23[A-Z0-9]{4}-[A-Z0-9]{4}$"))
    # A page is seen before its scripts have run, and this button needs them.
    page.wait_for_load_state()
    page.get_by_role("button", name="Cancel the order").click()
    page.get_by_role("button", name="Yes, cancel it").click()
    expect(page.locator(".situation strong")).to_have_text("Cancelled")
    page.get_by_role("link", name="To the menu").click()
    expect(page.locator("#orders")).to_contain_text("Cancelled")


def test_an_open_status_page_follows_what_the_kitchen_does(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=2")
    lines = [{"item_id": _id_of(page, "Hummus")}]
    _, cart = restaurant.call("POST", "/carts", {"table": "2", "lines": lines, "language": "en"})
    order = {"phone": "+905551112233"}
    _, placed = restaurant.call("POST", f"/carts/{cart['code']}/order", order, Cart_Holder=cart["holder"])
    page.goto(placed["status_url"])
    now = page.locator(".situation strong")
    expect(now).to_have_text("Waiting for the restaurant")
    restaurant.product.call("POST", f"/orders/{placed['order_id']}/accept", {})
    expect(now).to_have_text("Accepted")
    expect(page.get_by_role("link", name="Confirm it from my phone")).to_have_count(0)
    expect(page.get_by_text("Expected at")).to_be_visible()
    page.get_by_role("button", name="Cancel the order").click()
    page.context.set_offline(True)
    sure = page.get_by_role("button", name="Yes, cancel it")
    sure.click()
    expect(page.get_by_text("It is not cancelled")).to_be_visible()
    expect(sure).to_be_enabled()
    page.context.set_offline(False)
    for action, said in (("start", "Being prepared"), ("finish", "Ready")):
        status, answer = restaurant.product.call("POST", f"/orders/{placed['order_id']}/{action}", {})
        assert status == 200, answer
        expect(now).to_have_text(said)
        expect(page.get_by_role("button", name="Cancel the order")).to_have_count(0)
        expect(page).to_have_title(f"{placed['order_id']} · {said}")
    # What is ready is no longer expected.
    expect(page.get_by_text("Expected at")).to_have_count(0)


def test_a_status_page_hears_of_its_order_without_asking(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=2", service_workers="block")
    lines = [{"item_id": _id_of(page, "Hummus")}]
    _, cart = restaurant.call("POST", "/carts", {"table": "2", "lines": lines, "language": "en"})
    order = {"phone": "+905551112233"}
    _, placed = restaurant.call("POST", f"/carts/{cart['code']}/order", order, Cart_Holder=cart["holder"])
    # No timer of this page ever runs down.
    page.clock.install(time=0)
    page.clock.pause_at(1)
    with page.expect_request("**/live"):
        page.goto(placed["status_url"])
    now = page.locator(".situation strong")
    late: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        # What is drawn of the second step comes after all the others.
        if late or "text/html" not in route.request.headers["accept"]:
            return route.continue_()
        return late.append((route, route.fetch()))

    for action, said in (("accept", "Accepted"), ("start", ""), ("cancel", "Cancelled")):
        status, answer = restaurant.product.call("POST", f"/orders/{placed['order_id']}/{action}", {})
        assert status == 200, answer
        if said:
            expect(now).to_have_text(said)
            page.route(f"{placed['status_url']}*", hold)
        else:
            wait_until(lambda: page.evaluate("1") == 1 and bool(late), "the page is drawn")
    route, answer = late[0]
    assert "Being prepared" in answer.text()
    route.fulfill(response=answer)
    page.evaluate("async () => { await fetch(location.href); await fetch(location.href) }")
    expect(now).to_have_text("Cancelled")


def test_the_menu_hears_of_its_order_by_the_stream_that_it_has(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=3", service_workers="block")
    add(page, "Hummus")
    saved(page).get_by_role("button", name="Order without the app").click()
    form = page.get_by_role("dialog", name="Order without the app")
    form.get_by_label("Phone").fill("0555 111 22 33")
    # One stream for the menu and for the orders; nobody answers who asks for an order by itself.
    page.route(re.compile(r"/menu/orders/[^/]+$"), lambda route: route.fulfill(status=503))
    with page.expect_request(re.compile(r"/live\?.*&orders=.")):
        form.get_by_role("button", name=re.compile("Order now")).click()
    placed = page.locator("#orders a")
    expect(placed).to_contain_text("Waiting for the restaurant")
    order_id = placed.locator("strong").inner_text()
    for action, said in (("accept", "Accepted"), ("start", "Being prepared"), ("cancel", "Cancelled")):
        status, answer = restaurant.product.call("POST", f"/orders/{order_id}/{action}", {})
        assert status == 200, answer
        expect(placed).to_contain_text(said)
    expect(page.locator("html")).to_have_attribute("data-live", "yes")


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


def test_the_language_can_be_changed_and_the_cart_stays(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12")
    add(page, "Hummus")
    saved(page).get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Türkçe").click()
    expect(page.get_by_role("heading", name="Soğuk Mezeler")).to_be_visible()
    page.get_by_role("button", name="Sepeti gör").click()
    expect(page.get_by_role("dialog").locator(".line")).to_contain_text("Humus")
