"""From the code on the table to the order in the kitchen, and what a guest hears of it."""

from __future__ import annotations

import re

from playwright.sync_api import APIResponse, Route, expect

from tests.browser.menu.phone import add, id_of, saved
from tests.browser.menu.restaurant import Restaurant
from tests.product import wait_until


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


def test_a_guest_orders_without_the_app_and_follows_the_order(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=2")
    add(page, "Hummus")
    saved(page).get_by_role("button", name="Order without the app").click()
    form = page.get_by_role("dialog", name="Order without the app")
    form.get_by_role("button", name=re.compile("Order now")).click()
    expect(form.get_by_text("Please fill this in.")).to_be_visible()
    form.get_by_label("Phone").fill("12")
    form.get_by_role("button", name=re.compile("Order now")).click()
    expect(form.get_by_text("This is not a phone number.")).to_be_visible()
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
    lines = [{"item_id": id_of(page, "Hummus")}]
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
    # A double tap does not cancel: where the first one was, the second one keeps the order.
    cancel = page.get_by_role("button", name="Cancel the order")
    cancel.dblclick()
    expect(page.get_by_role("button", name="Yes, cancel it")).to_have_count(0)
    cancel.click()
    expect(page.get_by_role("button", name="Keep the order")).to_be_focused()
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
    lines = [{"item_id": id_of(page, "Hummus")}]
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
