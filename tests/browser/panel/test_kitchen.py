"""A rush of forty orders on the displays of stations: whole tickets, large targets, keys, and taps that are not lost."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.chromium import given_time
from tests.browser.panel.diners import Diner, ticket
from tests.browser.panel.foreign import foreign
from tests.browser.panel.judging import COLOURS, STRUCTURE, overflow, serious
from tests.product import wait_until
from tests.restaurant.dishes import at_any_hour

pytestmark = pytest.mark.timeout(300)

# Tickets that stand on the screen from their first to their last line, with nothing left out.
WHOLE = """() => { const grid = document.querySelector('.kt-grid').getBoundingClientRect();
    return [...document.querySelectorAll('.kt:not([hidden])')].filter(one => { const box = one.getBoundingClientRect();
      return box.top >= grid.top - 1 && box.bottom <= Math.min(grid.bottom, innerHeight) + 1 && box.right <= innerWidth + 1
        && one.querySelector('[data-more]').hidden; }).length; }"""
# What a finger may hit, and is smaller than a wet one.
SMALL = """() => [...document.querySelectorAll('.kitchen-page :is(button, a, select)')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.width && !one.closest('[inert], dialog') && (box.height < 55.5 || box.width < 55.5); })
    .map(one => one.outerHTML.slice(0, 120))"""

# Ways of an order, such as a delivery, and its table or number, that are not there to the last letter.
CUT = """() => [...document.querySelectorAll('.kt:not([hidden]) :is(.kt-way, .kt-place)')].filter(one =>
    one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'
    || one.getBoundingClientRect().right > one.closest('.kt').getBoundingClientRect().right)
    .map(one => one.textContent)"""
# The space below the last of a few tickets, when the screen shows no others.
LEFT_OVER = """few => { document.querySelectorAll('.kt').forEach((one, place) => one.hidden = place >= few);
    dispatchEvent(new Event('resize'));
    const bottoms = [...document.querySelectorAll('.kt:not([hidden])')].map(one => one.getBoundingClientRect().bottom);
    return document.querySelector('.kt-grid').getBoundingClientRect().bottom - Math.max(...bottoms); }"""
# Tickets that stand on one another.
COVERED = """() => [...document.querySelectorAll('.kt:not([hidden])')].filter(one => one.scrollHeight > one.clientHeight + 1)
    .map(one => one.dataset.key)"""
# Minutes that run past the edge of their card.
OUTSIDE = """() => [...document.querySelectorAll('.ticket')].filter(one => one.querySelector('.ticket-time')
    .getBoundingClientRect().right > one.getBoundingClientRect().right || one.scrollWidth > one.clientWidth + 1)
    .map(one => one.dataset.key)"""

# How often a card comes to stand where it was tapped away from.
BACK = """([list, key]) => { window.back = 0;
    const count = (all) => all.forEach((one) => one.addedNodes.forEach((card) => { if (card.dataset?.key === key) window.back += 1; }));
    new MutationObserver(count).observe(document.querySelector(list), {childList: true}); }"""


def rush(diner: Diner, many: int) -> list[dict[str, Any]]:
    """One to three dishes and a drink or two at every table; the same in each run."""
    chance = random.Random(7)
    dishes = [one for one in at_any_hour(diner.menu) if not one.group_ids]
    food, drinks = ([one.id for one in dishes if one.station == station] for station in ("kitchen", "bar"))
    made = []
    for place in range(many):
        chosen = [
            *chance.sample(food, chance.choice((1, 1, 2, 2, 3))),
            *chance.sample(drinks, chance.choice((1, 1, 2))),
        ]
        lines = [{"item_id": one, "quantity": chance.choice((1, 1, 1, 2, 4))} for one in chosen]
        if place % 9 == 4:
            lines[0]["note"] = "az tuzlu, sossuz"
        made.append(diner.take(place % len(diner.tables), lines=lines))
    return made


@pytest.fixture(scope="module")
def orders(diner: Diner) -> list[dict[str, Any]]:
    made = rush(diner, 38)
    # One of more lines than a ticket shows, and one of a guest who takes it along.
    dishes = [one.id for one in at_any_hour(diner.menu) if not one.group_ids and one.station == "kitchen"]
    made.append(diner.take(lines=[{"item_id": one} for one in dishes[:12]]))
    made.append(diner.take(order_type="takeaway", table_id=None, customer_name="Ayşe Yılmaz"))
    whom: dict[str, Any] = {
        "customer_name": "Ayşe Yılmaz",
        "customer_phone": "905551110011",
        "address": "Moda Caddesi 5",
    }
    made.append(diner.take(order_type="delivery", table_id=None, **whom))
    return made


def open_display(page: Page, station: str = "kitchen") -> None:
    page.goto(f"/panel/kitchen/{station}")
    page.wait_for_selector("html[data-live=on]")
    page.wait_for_function("() => document.querySelector('.kt .kt-key').textContent === '1'")


def card(page: Page, order: dict[str, Any]) -> Any:
    return page.locator(f'.kt[data-key="{order["order_id"]}"]')


def state(diner: Diner, order: dict[str, Any]) -> dict[str, Any]:
    return dict(diner.desk.product.call("GET", f"/orders/{order['order_id']}/progress")[1])


@pytest.mark.looks
@pytest.mark.judged
def test_a_rush_fills_the_screen_with_whole_tickets_and_large_targets(
    diner: Diner,
    orders: list[dict[str, Any]],
) -> None:
    for width, height, language, least in ((1024, 768, "tr", 8), (1440, 900, "en", 15)):
        page = diner.desk.person("kitchen", "Usta", language=language, width=width, height=height)
        open_display(page)
        assert page.evaluate(WHOLE) >= least, (width, page.evaluate(WHOLE))
        assert page.evaluate(SMALL) == []
        assert page.evaluate(CUT) == []
        assert page.evaluate("document.documentElement.scrollHeight") <= height + 1
        assert [*overflow(page, width), *serious(page, STRUCTURE)] == []
        page.set_viewport_size({"width": width, "height": height})
        if language == "tr":
            assert [*foreign(page)] == []
            # Of the drinks of the same orders nothing is seen here, and the oldest stands first.
            assert page.locator(".kt").first.get_attribute("data-key") == orders[0]["order_id"]
        else:
            for theme in ("dark", "light"):
                page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
                assert [*serious(page, COLOURS)] == []
            # What does not fit is counted; opened, each of its lines is a target.
            long = card(page, orders[38])
            long.scroll_into_view_if_needed()
            long.locator("[data-more]").click()
            assert page.evaluate(SMALL) == []
            long.locator(".kt-tap").nth(2).click()
            wait_until(lambda: state(diner, orders[38])["lines"][2]["state"] == "done", "one line to be done")
            assert state(diner, orders[38])["status"] == "preparing"
            page.get_by_role("button", name="Large").click()
            assert page.evaluate(SMALL) == []
            assert page.evaluate(WHOLE) >= 4
            assert page.evaluate(COVERED) == []
            page.get_by_role("button", name="Large").click()
            # Few tickets are taller instead: no half of the screen is empty while lines are left out.
            for few in (3, 8, 14):
                assert page.evaluate(LEFT_OVER, few) < 2, few
        page.context.close()


@pytest.mark.looks
def test_the_waiters_tablet_shows_twenty_dishes_who_sits_where_and_what_sells(
    diner: Diner,
    orders: list[dict[str, Any]],
) -> None:
    page = diner.desk.person("staff", "Elif", language="tr", width=1024, height=768)
    page.goto("/panel/take")
    busy = page.locator("#table-grid button[data-busy]").first
    expect(busy).to_contain_text("dk")
    expect(busy).to_contain_text("₺")
    page.locator("#table-grid button").first.click()
    seen = """[...document.querySelectorAll('.take-item')].filter(one => { const box = one.getBoundingClientRect();
        return box.bottom <= innerHeight && box.right <= innerWidth; }).length"""
    assert page.evaluate(seen) >= 20
    assert [*overflow(page, 1024), *foreign(page)] == []
    # The categories stand beside the dishes, however far down one is.
    page.locator(".take-item").last.scroll_into_view_if_needed()
    expect(page.locator("#categories button").first).to_be_in_viewport()
    page.locator("#quick button").first.click()
    # A guest who has ordered before need not spell anything again; a delivery without an address is refused with words.
    page.get_by_role("button", name="Adrese teslim").click()
    page.locator("#send").click()
    expect(page.locator("#trouble")).to_contain_text("adres")
    guest: dict[str, Any] = {
        "customer_phone": "905551112299",
        "customer_name": "Işıl Çağlar",
        "address": "Moda Caddesi 12",
    }
    diner.take(order_type="delivery", table_id=None, **guest)
    page.locator("#phone").fill("0555 111 22 99")
    page.locator("#phone").blur()
    expect(page.locator("#address")).to_have_value("Moda Caddesi 12")
    expect(page.locator("#name")).to_have_value("Işıl Çağlar")
    page.context.close()


def test_taps_keys_and_undo_are_seen_on_every_screen_and_survive_a_lost_connection(
    diner: Diner,
    orders: list[dict[str, Any]],
) -> None:
    cook, other = diner.desk.person("kitchen", "Usta"), diner.desk.person("staff", "Elif")
    open_display(cook)
    other.goto("/panel/board")
    other.wait_for_selector("html[data-live=on]")
    # However narrow a card is, its minutes stand inside it.
    for width in (1024, 1440):
        other.set_viewport_size({"width": width, "height": 900})
        assert other.evaluate(OUTSIDE) == []
    # The key of a ticket finishes the kitchen's share; the bar's is still to be made, and the order with it.
    first, second, third = orders[:3]
    cook.keyboard.press("1")
    expect(card(cook, first)).to_be_hidden()
    expect(ticket(other, first, "preparing")).to_be_visible()
    wait_until(lambda: state(diner, first)["status"] == "preparing", "the order to be begun")
    # Taken back within ten seconds, nothing has begun.
    cook.locator("#undo button").last.click()
    expect(card(cook, first)).to_be_visible()
    expect(ticket(other, first, "kitchen")).to_be_visible()
    cook.keyboard.press("Shift+Digit2")
    expect(card(cook, second)).to_have_attribute("data-state", "cooking")
    # It is seen before the server has it, and would wait with the others.
    wait_until(lambda: _share(diner, second) == "cooking", "the order to be begun")
    expect(card(cook, second)).not_to_have_attribute("data-sending", "1")
    # Without a connection the display goes on and says so; what was tapped is sent later, once.
    cook.context.set_offline(True)
    card(cook, second).locator(".kt-finish").click()
    card(cook, third).locator(".kt-finish").click()
    expect(card(cook, third)).to_be_hidden()
    expect(cook.locator("#kept")).to_contain_text("2 taps wait")
    assert {one["state"] for one in state(diner, third)["stations"]} == {"waiting"}
    cook.context.set_offline(False)
    expect(cook.locator("#kept")).to_be_empty()
    for order in (second, third):
        wait_until(lambda one=order: _share(diner, one) == "done", "what was kept to be sent")
        assert [one["action"] for one in state(diner, order)["taps"]].count("finish") == 1
        expect(ticket(other, order, "preparing")).to_be_visible()
    # What was done last is called back.
    cook.get_by_role("button", name="Recall").click()
    cook.locator(f'#bumped li[data-order="{third["order_id"]}"] button').click()
    expect(card(cook, third)).to_be_visible()
    wait_until(lambda: _share(diner, third) == "cooking", "it to be called back")
    # What is gone is gone from the menu, by a button of the station's own.
    cook.get_by_role("button", name="Sold out").first.click()
    gone = cook.locator("#dish-list li").first
    name = gone.locator("b").inner_text()
    gone.get_by_role("button").click()
    expect(cook.locator("#dish-list li").first.get_by_role("button", name="Sell again")).to_be_visible()
    cook.locator("#dish-list li", has_text=name).get_by_role("button", name="Sell again").click()
    expect(cook.locator("#dish-list").get_by_role("button", name="Sell again")).to_have_count(0)
    for page in (cook, other):
        page.context.close()


def test_a_phone_does_not_push_the_display_sideways(diner: Diner, orders: list[dict[str, Any]]) -> None:
    page = diner.desk.person("kitchen", "Usta", width=390, height=844)
    open_display(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.context.close()


@pytest.mark.parametrize("place", ["board", "kitchen"])
def test_what_was_asked_for_before_a_tap_does_not_take_it_back(
    diner: Diner,
    orders: list[dict[str, Any]],
    place: str,
) -> None:
    order, page = diner.take(1), diner.desk.person("staff", "Elif")
    page.goto("/panel/board" if place == "board" else "/panel/kitchen/kitchen")
    page.wait_for_selector("html[data-live=on]")
    shown = ticket(page, order) if place == "board" else card(page, order)
    button = shown.get_by_role("button", name="Start") if place == "board" else shown.locator(".kt-finish")
    expect(button).to_be_visible()
    page.evaluate(BACK, ['[data-list="kitchen"]' if place == "board" else ".kt-grid", order["order_id"]])
    held: list[tuple[Route, APIResponse]] = []
    tapped: list[bool] = []

    def hold_back(route: Route) -> None:
        route.continue_() if tapped else held.append((route, route.fetch()))

    page.route(re.compile("part=(board|tickets)"), hold_back)
    other = diner.take(2)
    wait_until(lambda: given_time(page, held), "a look at the orders")
    button.click()
    expect(shown).not_to_have_attribute("data-sending", "1")
    tapped.append(True)
    for route, answer in held:
        route.fulfill(response=answer)
    if place == "board":
        expect(ticket(page, order, "preparing").get_by_role("button", name="Ready")).to_be_visible()
    else:
        expect(shown).to_have_count(0)
    assert page.evaluate("window.back") == 0
    for one in (order, other):
        diner.act(one, "cancel")
    page.context.close()


def _share(diner: Diner, order: dict[str, Any]) -> str:
    return str(next(one["state"] for one in state(diner, order)["stations"] if one["station"] == "kitchen"))
