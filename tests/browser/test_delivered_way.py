"""A delivery that is paid on the phone, the whole way to the guest's door; in both languages, on small screens, looked at.

The guest writes from a phone, shares where they are, gets the link by message, pays on the sandbox's page, and only then the
kitchen hears of it. A courier hears that it waits, takes it by a reply or on a page of their own, picks it up by a message, loses the
connection and delivers all the same; the guest's page follows.
"""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, ViewportSize, expect

from tablegram.courier_page.words import words as courier_words
from tablegram.flows.delivery.couriers.words import speak as to_courier
from tablegram.menu_page.words import words as guest_words
from tablegram.sandbox.page.routes import words as phone_words
from tests.browser.panel.desk import Desk, open_desk
from tests.browser.panel.judging import violations
from tests.product import wait_until

LOOPBACK = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}
GUEST, MERT = "905551112233", "905550000001"
# What a sandbox phone shares of where it is.
HERE, PLACE = "40.990278,29.024167", "Kadıköy İskelesi"
SIZE: ViewportSize = {"width": 360, "height": 740}
PAY = {"en": ("Pay", "Paid"), "tr": ("Öde", "Ödendi")}
ORDER = {"en": "2 hummus delivery please, pay online", "tr": "2 humus adrese teslim, online ödeyeceğim"}
YES = {"en": "yes", "tr": "evet"}


@pytest.mark.looks
@pytest.mark.judged
def test_a_paid_delivery_goes_the_whole_way_to_the_door(database_url: str) -> None:
    with open_desk(database_url, LOOPBACK) as desk:
        _open_zone(desk)
        courier = _ok(desk, "POST", "/restaurant/couriers", {"name": "Mert Aydın", "phone": MERT, "language": "en"})
        for language in ("en", "tr"):
            _ok(desk, "PATCH", f"/restaurant/couriers/{courier['id']}", {"language": language})
            link = _ok(desk, "POST", f"/restaurant/couriers/{courier['id']}/page", {})
            page = _enter(desk, link, language)
            own = _phone(desk, MERT, "Mert", language)
            guest, order_id = _order_and_pay(desk, language)
            _take_and_pick_up(desk, page, own, guest, order_id, language)
            (_lose_the_connection if language == "en" else _lose_the_answer)(desk, page, language)
            say = guest_words(language)
            expect(guest.locator(".situation")).to_contain_text(say["status.delivered"])
            _look(guest, f"guest-delivered-{language}")
            told = _ok(desk, "GET", f"/restaurant/deliveries?order_id={order_id}")["data"]
            (delivery,) = told
            steps = _ok(desk, "GET", f"/restaurant/deliveries/{delivery['delivery_id']}")["steps"]
            assert [(one["action"], one["via"]) for one in steps] == [
                ("assign", "message" if language == "en" else "page"), ("pick_up", "message"), ("deliver", "page"),
            ]  # fmt: skip
            _end(page, language)
            for one in (page, own, guest):
                one.context.close()


def _open_zone(desk: Desk) -> None:
    venue = _ok(desk, "GET", "/restaurant/venues")["data"][0]["id"]
    place = f"/restaurant/venues/{venue}"
    _ok(desk, "PATCH", place, {"latitude": 40.9876, "longitude": 29.0287})
    for zone in _ok(desk, "GET", f"{place}/zones")["data"]:
        _ok(desk, "DELETE", f"{place}/zones/{zone['id']}")
    _ok(desk, "POST", f"{place}/zones", {"name": "Moda", "radius_m": 1000, "fee": 35, "minimum": 0, "minutes": 30})


def _enter(desk: Desk, link: dict[str, str], language: str) -> Page:
    """The courier opens the link, shows the PIN, and begins to work."""
    say, dark = courier_words(language), language == "tr"
    context = desk.browser.new_context(
        viewport=SIZE, locale="tr-TR" if dark else "en-GB", has_touch=True, color_scheme="dark" if dark else "light",
        reduced_motion="reduce", service_workers="block" if dark else "allow",
    )  # fmt: skip
    page = context.new_page()
    page.goto(f"{desk.product.url}/courier/{link['url'].rpartition('/')[2]}")
    expect(page.get_by_role("heading", name=say["pin_title"])).to_be_visible()
    _look(page, f"courier-pin-{language}")
    wrong = f"{(int(link['pin']) + 1) % 1_000_000:06d}"
    page.get_by_label(say["pin"], exact=True).fill(wrong)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(say["problem.pin_unknown"])
    page.get_by_label(say["pin"], exact=True).fill(link["pin"])
    page.keyboard.press("Enter")
    page.get_by_role("button", name=say["begin"]).click()
    expect(page.get_by_text(say["no_free"])).to_be_visible()
    return page


def _phone(desk: Desk, number: str, name: str, language: str) -> Page:
    """A phone of the sandbox in somebody's hand."""
    dark = language == "tr"
    desk.product.sandbox_call("PUT", f"/phones/{number}", {"name": name})
    context = desk.browser.new_context(
        viewport=SIZE, locale="tr-TR" if dark else "en-GB", has_touch=True, color_scheme="dark" if dark else "light",
        reduced_motion="reduce", service_workers="block",
    )  # fmt: skip
    page = context.new_page()
    page.goto(f"{desk.product.url}/sandbox?phone={number}")
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    return page


def _write(phone: Page, language: str, text: str) -> None:
    say, held = phone_words(language), phone.get_by_role("article").first
    held.get_by_label(say["write"]).fill(text)
    held.get_by_role("button", name=say["send"], exact=True).click()
    expect(held.locator(".bubble.mine").last).to_contain_text(text)


def _order_and_pay(desk: Desk, language: str) -> tuple[Page, str]:
    """The guest's page of the order, accepted with the money and not before."""
    say = guest_words(language)
    phone = _phone(desk, GUEST, "Ayşe Yılmaz", language)
    # Of the chat only what came last: earlier orders stand above it.
    last = phone.get_by_role("article").first.get_by_role("log").locator(".bubble:not(.mine)").last
    before = _tickets(desk)
    _write(phone, language, ORDER[language])
    last.get_by_role("button", name=phone_words(language)["share_location"]).click()
    expect(last).to_contain_text("₺35")
    _look(phone, f"phone-read-back-{language}")
    _write(phone, language, YES[language])
    link = last.locator("a[href*='/sandbox/pay/']")
    expect(link).to_be_visible()
    _look(phone, f"phone-link-{language}")
    assert _tickets(desk) == before
    with phone.context.expect_page() as opened:
        link.click()
    page = opened.value
    page.get_by_role("button", name=PAY[language][0]).click()
    expect(page.get_by_role("status")).to_contain_text(PAY[language][1])
    # What the phone hears with the money leads to the page that follows the order.
    expect(link).to_have_count(0)
    follows = last.locator("a[href*='/menu/orders/']")
    expect(follows).to_be_visible()
    wait_until(lambda: _tickets(desk) > before, "the kitchen's ticket")
    page.goto(f"{follows.get_attribute('href')}?lang={language}")
    expect(page.locator(".situation")).to_contain_text(say["status.sent_to_kitchen"])
    _look(phone, f"phone-paid-{language}")
    return page, page.get_by_role("heading", level=1).inner_text()


def _take_and_pick_up(desk: Desk, page: Page, own: Page, guest: Page, order_id: str, language: str) -> None:
    say, number = courier_words(language), int(order_id.rpartition("-")[2])
    # It stands there by itself, without whose it is.
    free = page.locator("[data-order]")
    expect(free).to_contain_text(say["kitchen"])
    assert PLACE not in page.locator("main").inner_text()
    _ok(desk, "POST", f"/orders/{order_id}/finish", {})
    expect(free).to_contain_text(say["ready"])
    _look(page, f"courier-free-{language}")
    # The phone hears of it too; one takes it by a reply, the other on the page.
    heard = own.get_by_role("article").first.get_by_role("log").locator(".bubble:not(.mine)").last
    expect(heard).to_contain_text(to_courier(language)["waits_ready"].format(number=number).replace("*", ""))
    if language == "en":
        _write(own, language, f"4 {number}")
    else:
        page.get_by_role("button", name=say["take"].format(number=number)).click()
    card = page.locator("[data-stop]", has=page.get_by_role("button", name=say["do_pick_up"]))
    expect(card).to_contain_text(PLACE)
    expect(card).not_to_contain_text(ORDER[language].rpartition(", ")[2])
    expect(card).to_contain_text(say["paid"])
    expect(card.get_by_role("link", name=say["route"])).to_have_attribute("href", re.compile(f"destination={HERE}"))
    expect(card.get_by_role("link", name="Ayşe Yılmaz")).to_have_attribute("href", f"tel:+{GUEST}")
    _look(page, f"courier-taken-{language}")
    # The courier's phone got the same by message, and a reply moves it on; page and guest follow by themselves.
    expect(heard).to_contain_text(HERE)
    _look(own, f"phone-courier-{language}")
    _write(own, language, "aldım" if language == "tr" else "1")
    expect(page.get_by_role("button", name=say["do_deliver"])).to_be_visible()
    told = guest_words(language)
    expect(guest.locator(".situation")).to_contain_text(told["status.out_for_delivery"])
    expect(guest.locator(".situation")).to_contain_text(told["status_courier"].format(name="Mert"))
    _look(guest, f"guest-under-way-{language}")


def _lose_the_connection(desk: Desk, page: Page, language: str) -> None:
    """In a cellar: the tap is seen, survives that the page is opened anew, and is sent when there is a network again."""
    say = courier_words(language)
    expect(page.locator("html")).to_have_attribute("data-kept", "yes")
    page.context.set_offline(True)
    page.get_by_role("button", name=say["do_deliver"]).click()
    expect(page.locator("#strip")).to_contain_text(say["offline"])
    expect(page.locator(".done")).to_contain_text(say["sending"])
    _look(page, f"courier-offline-{language}")
    page.reload()
    expect(page.locator(".done")).to_contain_text(say["sending"])
    expect(page.locator("#strip")).to_contain_text(say["kept.one"].format(n=1))
    page.context.set_offline(False)
    expect(page.locator(".done")).not_to_contain_text(say["sending"])
    expect(page.locator("#strip")).to_be_hidden()


def _lose_the_answer(desk: Desk, page: Page, language: str) -> None:
    """The server has the tap, and the phone never hears of it, then that it is still at it: it stays the same tap."""
    say, tries = courier_words(language), []

    def lose(route: Route) -> None:
        tries.append(route.request.post_data)
        answer = route.fetch()
        if len(tries) == 1:
            route.abort()
        elif len(tries) == 2:
            route.fulfill(status=409, json={"code": "idempotency_in_flight", "detail": "Still running."})
        else:
            route.fulfill(response=answer)

    # What the page asked for before the tap is answered after it.
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/page", lambda route: route.continue_() if late else late.append((route, route.fetch())))
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_until(lambda: _waited(page, len(late)) == 1, "the page asks")
    page.route("**/step", lose)
    page.get_by_role("button", name=say["do_deliver"]).click()
    expect(page.locator(".done")).to_contain_text(say["was_delivered"])
    wait_until(lambda: _waited(page, len(tries)) >= 3, "the third try")
    expect(page.locator(".done")).not_to_contain_text(say["sending"])
    assert len(set(tries)) == 1
    page.evaluate(
        "() => new MutationObserver(() => { window.fell ||= !document.querySelector('.done') })"
        ".observe(document.getElementById('page'), { childList: true })"
    )
    route, answer = late[0]
    with page.expect_response("**/page"):
        route.fulfill(response=answer)
    page.evaluate("async () => { await fetch(location.href); await new Promise(requestIdleCallback) }")
    assert not page.evaluate("window.fell")


def _waited(page: Page, value: int) -> int:
    # The browser's events are heard while it is asked something.
    page.wait_for_timeout(50)
    return value


def _end(page: Page, language: str) -> None:
    say = courier_words(language)
    _look(page, f"courier-done-{language}")
    page.get_by_role("button", name=say["end"]).click()
    expect(page.get_by_text(say["off"])).to_be_visible()


def _look(page: Page, name: str) -> None:
    """Nothing keeps anybody out, nothing is wider than the screen, and what is tapped is as large as a thumb."""
    assert [found for _, found in violations(page)] == [], name
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    if name.startswith("courier"):
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, a.button, input, summary")].filter((one) => one.checkVisibility())
                .map((one) => [one.textContent, one.getBoundingClientRect().height]).filter(([, high]) => high < 44)"""
        )
        assert small == [], name
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/way-{name}.png", full_page=True)


def _ok(desk: Desk, method: str, path: str, body: Any = None) -> Any:
    status, answer = desk.product.call(method, path, body)
    assert status < 300, (path, answer)
    return answer


def _tickets(desk: Desk) -> int:
    return len(_ok(desk, "GET", "/restaurant/tickets")["data"])


pytestmark = pytest.mark.slow
