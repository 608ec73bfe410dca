"""Orders that are placed where no network reaches: checked before they are kept, sent once, and never lost."""

from __future__ import annotations

import re

import phonenumbers
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tablegram.errors import Invalid
from tablegram.menu_page import assets
from tablegram.values.phone import read_phone_in
from tablegram.values.phone_rules import phone_rules
from tests.browser.menu.phone import add, kept, open_cart, saved
from tests.browser.menu.restaurant import Restaurant
from tests.product import wait_until


def _form(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Order without the app")


def _order(page: Page) -> None:
    _form(page).get_by_role("button", name=re.compile("^Order now")).click()


def test_an_order_that_is_placed_offline_is_sent_once_when_the_network_is_back(restaurant: Restaurant) -> None:
    page = restaurant.guest(restaurant.signed_link("5").removeprefix(restaurant.url), service_workers="block")
    lost: list[str] = []

    def lose(route: Route) -> None:
        # A network that has just come back is often gone once more.
        if lost:
            return route.continue_()
        lost.append(route.request.url)
        return route.abort()

    add(page, "Hummus")
    cart = saved(page)
    cart.get_by_role("button", name="Order without the app").click()
    page.context.set_offline(True)
    page.get_by_role("dialog", name="Order without the app").get_by_role("button", name=re.compile("Order now")).click()
    # It stays in sight until it was sent.
    expect(page.locator("#bar")).to_contain_text("Order waiting for the network")
    expect(cart.get_by_text("Your order waits for the network.")).to_be_visible()
    page.route("**/order?*", lose)
    page.context.set_offline(False)
    expect(page.locator("#orders a")).to_have_count(1)
    assert len(lost) == 1
    expect(page.get_by_text("Order waiting for the network")).to_have_count(0)


def test_a_kept_order_can_be_withdrawn_and_is_not_sent_long_afterwards(restaurant: Restaurant) -> None:
    page = restaurant.guest(restaurant.signed_link("3").removeprefix(restaurant.url), service_workers="block")
    add(page, "Hummus")
    cart = saved(page)
    page.context.set_offline(True)
    hint = cart.get_by_text("Your order waits for the network.")
    for attempt in range(2):
        cart.get_by_role("button", name="Order without the app").click()
        page.get_by_role("button", name=f"Order now · ₺{130 * (attempt + 1)}", exact=True).click()
        expect(hint).to_be_visible()
        if attempt == 0:
            cart.get_by_role("button", name="Do not send it").click()
            expect(hint).to_have_count(0)
            expect(page.locator("#bar-waits")).to_be_empty()
            cart.get_by_role("button", name="One more: Hummus").click()
    # The guest has gone home meanwhile.
    page.evaluate("const now = Date.now; Date.now = () => now() + 16 * 60 * 1000")
    page.context.set_offline(False)
    expect(page.get_by_text("Your order was not sent")).to_be_visible()
    expect(hint).to_have_count(0)
    expect(page.locator("#orders a")).to_have_count(0)
    expect(cart.get_by_role("link", name="Send order · ₺260")).to_be_visible()


@pytest.mark.looks
def test_an_order_is_checked_before_it_is_kept_and_stays_when_it_is_refused_later(restaurant: Restaurant) -> None:
    page = restaurant.guest("", service_workers="block")
    add(page, "Hummus")
    cart = saved(page)
    cart.get_by_role("radio", name="Delivery").check()
    expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
    cart.get_by_role("button", name="Order without the app").click()
    page.context.set_offline(True)
    form, phone = _form(page), _form(page).get_by_label("Phone")
    form.get_by_label("Your name").fill("Ayşe")
    for typed in ("12", "0555 111 22 3", "0555 111 22 333", "+90 555 111 22 3", "beş yüz elli beş"):
        phone.fill(typed)
        _order(page)
        expect(form.get_by_text("This is not a phone number.")).to_be_visible()
        expect(form.get_by_text("Please fill this in.")).to_have_count(1)
    form.get_by_label("Where shall we deliver it?").fill("Moda Caddesi 5")
    form.get_by_role("radio", name="Card on delivery").check()
    assert kept(page)["waiting_order"] is None
    # What was typed is there again after a reload, and it can be kept now.
    page.context.set_offline(False)
    page.reload()
    open_cart(page).get_by_role("button", name="Order without the app").click()
    expect(form.get_by_label("Where shall we deliver it?")).to_have_value("Moda Caddesi 5")
    expect(form.get_by_role("radio", name="Card on delivery")).to_be_checked()
    phone.fill("+90 555 111 22 33")
    page.context.set_offline(True)
    _order(page)
    expect(cart.get_by_text("Your order waits for the network.")).to_be_visible()
    # The server knows more about numbers than a phone: its refusal is shown in the form, and stays.
    refusal = {
        "code": "phone_invalid",
        "detail": "No.",
        "errors": [{"field": "phone", "code": "phone_invalid", "detail": "No."}],
    }
    page.route("**/order?*", lambda route: route.fulfill(status=422, json=refusal))
    page.context.set_offline(False)
    expect(form.get_by_text("This is not a phone number.")).to_be_visible()
    expect(phone).to_have_value("+90 555 111 22 33")
    page.reload()
    expect(page.locator("#bar")).to_contain_text("Order not sent")
    expect(open_cart(page).get_by_role("alert")).to_contain_text("Your order was not sent. This is not a phone number.")
    page.unroute("**/order?*")
    cart.get_by_role("button", name="Check and send").click()
    expect(form.get_by_text("This is not a phone number.")).to_be_visible()
    expect(form.get_by_label("Where shall we deliver it?")).to_have_value("Moda Caddesi 5")
    phone.fill("0555 111 22 33")
    _order(page)
    expect(page.locator("#orders a")).to_have_count(1)
    expect(page.get_by_text("Order not sent")).to_have_count(0)


def test_who_orders_again_is_known_on_this_phone_until_they_say_forget(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=4")
    for again in (False, True):
        add(page, "Hummus")
        saved(page).get_by_role("button", name="Order without the app").click()
        name, phone = _form(page).get_by_label("Your name"), _form(page).get_by_label("Phone")
        if not again:
            name.fill("Ayşe")
            phone.fill("0555 111 22 33")
            _order(page)
            expect(page.locator("#orders a")).to_have_count(1)
    expect(name).to_have_value("Ayşe")
    expect(phone).to_have_value("0555 111 22 33")
    _form(page).get_by_role("button", name="Forget them").click()
    expect(phone).to_have_value("")
    stored = page.evaluate("JSON.stringify(Object.entries(localStorage))")
    assert "0555 111 22 33" not in stored
    page.reload()
    saved(page).get_by_role("button", name="Order without the app").click()
    expect(name).to_have_value("")
    expect(_form(page).get_by_role("button", name="Forget them")).to_have_count(0)


def test_an_order_that_is_withdrawn_while_its_cart_is_being_saved_is_not_sent(restaurant: Restaurant) -> None:
    page = restaurant.guest(restaurant.signed_link("6").removeprefix(restaurant.url), service_workers="block")
    add(page, "Hummus")
    cart = saved(page)
    page.context.set_offline(True)
    cart.get_by_role("button", name="One more: Hummus").click()
    cart.get_by_role("button", name="Order without the app").click()
    _order(page)
    withdraw = cart.get_by_role("button", name="Do not send it")
    expect(withdraw).to_be_visible()
    held: list[Route] = []
    ordered: list[str] = []
    page.on("request", lambda request: ordered.append(request.url) if "/order?" in request.url else None)
    holding = [True]

    def hold(route: Route) -> None:
        if holding and route.request.method == "PATCH":
            held.append(route)
        else:
            route.continue_()

    page.route("**/carts/*", hold)
    page.context.set_offline(False)
    wait_until(lambda: page.evaluate("1") == 1 and bool(held), "the cart is being saved")
    # Two tries wait for it: the one that the network woke, and the guest's second thought.
    withdraw.click()
    expect(withdraw).to_have_count(0)
    holding.clear()
    for route in held:
        route.continue_()
    expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
    expect(cart.get_by_role("link", name="Send order · ₺260")).to_be_visible()
    page.evaluate("new Promise((done) => requestIdleCallback(done))")
    assert ordered == []


def _is_read(text: str, country: str) -> bool:
    try:
        read_phone_in(text, country)
    except Invalid:
        return False
    return True


def _written(country: str) -> list[str]:
    """Numbers of a country in every way of writing them, and some that miss a digit or have one too many."""
    found: list[str] = []
    for kind in (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE):
        number = phonenumbers.example_number_for_type(country, kind)
        if number is None:
            continue
        forms = phonenumbers.PhoneNumberFormat
        ways = [phonenumbers.format_number(number, way) for way in (forms.NATIONAL, forms.INTERNATIONAL, forms.E164)]
        ways += [ways[2].replace("+", "00"), ways[2][1:], f"+{number.country_code} (0) {number.national_number}"]
        found += [*ways, *(way[:-1] for way in ways), *(way + "7" for way in ways), *(way + "77" for way in ways)]
    return found


def test_a_phone_without_a_network_refuses_no_number_that_the_server_would_read(restaurant: Restaurant) -> None:
    page = restaurant.page(restaurant.context())
    source = assets.bundle(("phones.js",))
    countries = ["", "TR", "AR", "US", "MX", "HU", "LT", *sorted(phonenumbers.SUPPORTED_REGIONS)[::4]]
    texts = {country: _written(country or "TR") for country in countries}
    asked = [[{"phones": phone_rules(country)}, texts[country]] for country in countries]
    body = f"(asked) => asked.map(([facts, texts]) => {{ {source}; return texts.map(isPhone); }})"
    answers = page.evaluate(body, asked)
    wrong = [
        (country, text)
        for country, told in zip(countries, answers, strict=True)
        for text, passed in zip(texts[country], told, strict=True)
        if not passed and _is_read(text, country)
    ]
    assert wrong == []
    turkish = [
        "12",
        "0555 111 22 3",
        "0555 111 22 333",
        "0155 111 22 33",
        "+90 555 111 22 3",
        "+999 555 111 22 33",
        "",
        "abc",
    ]
    told = page.evaluate(body, [[{"phones": phone_rules("TR")}, turkish]])[0]
    assert [text for text, passed in zip(turkish, told, strict=True) if passed or _is_read(text, "TR")] == []
