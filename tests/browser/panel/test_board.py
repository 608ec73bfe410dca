"""The board in a real browser: orders come by themselves, ring until touched, and move with one tap."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import update

from tablegram.cli.session import Session
from tablegram.storage.query import Query
from tablegram.storage.tables import orders
from tests.browser.chromium import leave
from tests.browser.panel.diners import Diner, open_board, run, ticket
from tests.browser.panel.foreign import foreign
from tests.browser.panel.judging import LOOKS, barriers, overflow
from tests.restaurant.dishes import at_any_hour

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def tablet(diner: Diner) -> Page:
    return diner.desk.person("staff", "Elif", width=1440)


@pytest.fixture
def waiter(tablet: Page) -> Iterator[Page]:
    yield tablet
    leave(tablet)


@pytest.fixture
def another(diner: Diner) -> Page:
    """A waiter whose tablet has a clock or a script of its own from here on."""
    return diner.desk.person("staff", "Elif", width=1440)


def test_an_order_appears_glows_until_touched_and_moves_with_one_tap(diner: Diner, waiter: Page) -> None:
    cook = diner.desk.person("kitchen", "Usta", language="tr", width=1024)
    open_board(waiter)
    open_board(cook)
    waiter.get_by_role("button", name="Sound").click()
    # It rings once by itself, to be heard.
    expect(waiter.locator(".toast")).to_be_visible()
    rang = "Number(document.documentElement.dataset.rang ?? 0)"
    before = waiter.evaluate(rang)
    waiter.evaluate("window.here = true")
    order = diner.take(notes="doğum günü")
    card = ticket(waiter, order, "kitchen")
    expect(card).to_be_visible()
    expect(card).to_have_attribute("data-new", "")
    waiter.wait_for_function(f"() => {rang} > {before}")
    expect(card).to_contain_text("az tuzlu")
    card.locator(".ticket-lines").click()
    expect(card).not_to_have_attribute("data-new", "")
    # The other tablet shows it too, in its own language; where it is out of sight, a button leads to it.
    cook.set_viewport_size({"width": 1024, "height": 240})
    below = cook.get_by_role("button", name="Sırada: 1 yeni ↓")
    below.click()
    expect(below).to_have_count(0)
    expect(ticket(cook, order, "kitchen")).to_be_in_viewport()
    cook.set_viewport_size({"width": 1024, "height": 768})
    ticket(cook, order, "kitchen").get_by_role("button", name="Başla").click()
    expect(ticket(cook, order, "preparing")).to_be_visible()
    expect(ticket(waiter, order, "preparing")).to_be_visible()
    for button, column in (("Ready", "ready"), ("Served", "out")):
        ticket(waiter, order).get_by_role("button", name=button).click()
        expect(ticket(waiter, order, column)).to_be_visible()
    ticket(waiter, order).get_by_role("button", name="Card, close").click()
    expect(ticket(waiter, order)).to_have_count(0)
    diner.wait_for(order, "completed")
    # Nothing of this has loaded the page again.
    assert waiter.evaluate("window.here") is True
    cook.context.close()


def test_who_works_by_keys_stays_at_the_order_and_then_at_the_next(diner: Diner, waiter: Page) -> None:
    next_one, order = diner.take(2), diner.take(3)
    for one in (next_one, order):
        for action in ("start", "finish"):
            diner.act(one, action)
    open_board(waiter)
    card = ticket(waiter, order)
    card.get_by_role("button", name="Served").focus()
    waiter.keyboard.press("Enter")
    expect(ticket(waiter, order, "out").get_by_role("button", name="Card, close")).to_be_focused()
    # A key that is held down does not run on into what follows.
    waiter.keyboard.down("Enter")
    waiter.keyboard.down("Enter")
    waiter.keyboard.up("Enter")
    expect(card).to_have_count(0)
    diner.wait_for(order, "completed")
    waiter.wait_for_function(
        "() => document.activeElement === document.body || document.activeElement.closest('[data-key]')"
    )
    ticket(waiter, next_one).get_by_role("button", name="Served").focus()
    again = diner.take(4)
    expect(ticket(waiter, again)).to_be_visible()
    expect(ticket(waiter, next_one).get_by_role("button", name="Served")).to_be_focused()
    diner.act(next_one, "serve")
    expect(ticket(waiter, next_one).get_by_role("button", name="Card, close")).to_be_focused()
    for one in (next_one, again):
        diner.act(one, "cancel")


def test_a_tap_that_came_too_late_is_taken_back_with_words(diner: Diner, waiter: Page) -> None:
    order = diner.take(1)
    # This tablet does not hear that somebody else is faster.
    waiter.route(re.compile("part=board"), lambda route: route.abort())
    open_board(waiter)
    diner.act(order, "start")
    ticket(waiter, order).get_by_role("button", name="Start").click()
    expect(waiter.locator(".toast[data-tone=bad]")).to_be_visible()
    expect(ticket(waiter, order, "kitchen")).to_be_visible()
    waiter.unroute(re.compile("part=board"))
    diner.act(order, "finish")
    expect(ticket(waiter, order, "ready")).to_be_visible()
    diner.act(order, "cancel", reason="test")
    expect(ticket(waiter, order)).to_have_count(0)


def test_the_sheet_rejects_delays_and_cancels(diner: Diner, waiter: Page) -> None:
    order = diner.take(2)
    open_board(waiter)
    ticket(waiter, order).locator(".more").click()
    sheet = waiter.locator("#sheet")
    sheet.get_by_text("Delay").click()
    sheet.get_by_role("button", name="+10 min").click()
    expect(waiter.locator(".toast").last).to_contain_text("got more time")
    # The sheet has an address of its own; a closed one has left it.
    expect(waiter).to_have_url(re.compile("/panel/board$"))
    ticket(waiter, order).locator(".more").click()
    sheet.get_by_text("Cancel", exact=True).click()
    sheet.get_by_label("In your own words").fill("elektrik kesildi")
    expect(sheet.get_by_label("Something else")).to_be_checked()
    sheet.get_by_role("button", name="Cancel the order").click()
    expect(ticket(waiter, order)).to_have_count(0)
    diner.wait_for(order, "cancelled")


def test_a_call_shows_on_top_and_is_answered_with_one_tap(diner: Diner, waiter: Page) -> None:
    open_board(waiter)
    diner.call(6)
    ring = waiter.locator('.ring[data-kind="bill"]')
    expect(ring).to_contain_text("wants the bill")
    expect(ring).to_contain_text("kartla")
    ring.get_by_role("button", name="On my way").click()
    expect(ring).to_have_count(0)


def test_minutes_grow_and_turn_amber_and_red(diner: Diner, another: Page) -> None:
    order = diner.take(3)
    diner.call(3)
    another.clock.install()
    open_board(another)
    # Who calls waits no twenty minutes.
    ring = another.locator(".ring")
    expect(ring).to_have_attribute("data-tone", "calm")
    for forward, tone, said in (("03:00", "amber", "still waiting"), ("03:00", "red", "waiting too long")):
        another.clock.fast_forward(forward)
        expect(ring).to_have_attribute("data-tone", tone)
        expect(ring.get_by_text(said)).to_be_visible()
    ring.get_by_role("button", name="On my way").click()
    card = ticket(another, order)
    expect(card).to_have_attribute("data-tone", "calm")
    minutes = card.locator("[data-minutes]")
    # With those that the test itself may take.
    for forward, tone, shown in (("15:00", "amber", "2[1-5]"), ("20:00", "red", "4[1-5]"), ("01:10:00", "red", "1")):
        another.clock.fast_forward(forward)
        expect(card).to_have_attribute("data-tone", tone)
        expect(minutes).to_have_text(re.compile(f"^{shown}$"))
    expect(card.locator("[data-unit]")).to_have_text("h")
    diner.act(order, "cancel")


def test_an_order_that_nobody_accepts_turns_urgent_says_how_long_there_is_and_rings_again(
    diner: Diner, another: Page
) -> None:
    order = diner.take(table=5)

    async def work(session: Session) -> None:
        waits = update(orders).where(orders.c.account_id == 1, orders.c.order_id == order["order_id"])
        await session.db.put((Query(waits.values(state="awaiting_confirmation")), {}))

    run(diner.desk, work)
    another.clock.install()
    open_board(another)
    card = ticket(another, order, "new")
    expect(card).to_have_attribute("data-tone", "calm")
    expect(card).to_contain_text(re.compile(r"Accept within (29|30) min"))
    # Somebody has looked at it, and it does not ring.
    card.get_by_role("link").first.focus()
    expect(card).not_to_have_attribute("data-new", "")
    another.clock.fast_forward("10:30")
    expect(card).to_have_attribute("data-tone", "amber")
    expect(card).to_have_attribute("data-new", "")
    expect(card).to_contain_text(re.compile(r"Accept within 1[89] min"))
    card.get_by_role("link").last.focus()
    expect(card).not_to_have_attribute("data-new", "")
    another.clock.fast_forward("10:00")
    expect(card).to_have_attribute("data-tone", "red")
    expect(card).to_have_attribute("data-new", "")
    diner.act(order, "reject", reason="closed")


def test_a_station_and_the_switches_stay_as_they_were_set(diner: Diner, another: Page) -> None:
    order, cooked = diner.take(4), diner.take(3, lines=[{"item_id": diner.dish("kitchen")}])
    another.add_init_script(
        "window.asked = 0; Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {"
        " window.asked += 1; return { addEventListener() {}, release: async () => {} }; } } });"
    )
    open_board(another)
    for kind in ("pointerdown", "pointerup"):
        ticket(another, cooked).dispatch_event(kind, {"bubbles": True})
    another.get_by_role("link", name="Bar", exact=True).click()
    another.wait_for_url("**/panel/board?station=bar")
    expect(ticket(another, order)).to_contain_text("+ 1 line")
    another.get_by_role("button", name="Stay awake").click()
    another.wait_for_function("() => window.asked === 1")
    another.reload()
    expect(another.get_by_role("button", name="Stay awake")).to_have_attribute("aria-pressed", "true")
    another.wait_for_function("() => window.asked === 1")
    # What was seen before another station was looked at does not ring again.
    another.get_by_role("link", name="All", exact=True).click()
    expect(ticket(another, cooked)).to_be_visible()
    another.wait_for_selector("html[data-live=on]")
    expect(ticket(another, cooked)).not_to_have_attribute("data-new", "")
    another.get_by_role("button", name="Full screen").click()
    expect(another.locator(".rail")).to_be_hidden()
    diner.act(order, "cancel")
    diner.act(cooked, "cancel")


def test_a_phone_shows_one_column_and_its_buttons_are_large(diner: Diner) -> None:
    order = diner.take(5)
    phone = diner.desk.person("staff", "Mert", language="tr", width=360, height=740)
    open_board(phone)
    phone.locator('.board-tabs a[data-column="kitchen"]').tap()
    expect(ticket(phone, order, "kitchen")).to_be_visible()
    expect(phone.locator("#column-ready")).to_be_hidden()
    small = phone.evaluate(
        "[...document.querySelectorAll('main button, main a.button, .board-tabs a, .stations a')]"
        ".filter(one => one.offsetParent && (one.offsetHeight < 48 || one.offsetWidth < 44)).map(one => one.outerHTML)"
    )
    assert small == []
    phone.locator('.board-tabs a[data-column="preparing"]').tap()
    diner.act(order, "start")
    expect(ticket(phone, order, "preparing")).to_be_visible()
    diner.act(order, "cancel")
    phone.context.close()


def test_a_waiter_takes_an_order_with_options_and_changes_it(diner: Diner) -> None:
    page = diner.desk.person("staff", "Elif", language="tr", width=768, height=1024)
    page.goto("/panel/take")
    page.locator("#tables").get_by_role("button", name="12", exact=True).click()
    expect(page.locator("#table-button")).to_have_text("Masa 12")
    wanted = next(
        one
        for one in at_any_hour(diner.menu)
        if any(diner.menu.groups_by_id[group].required for group in one.group_ids)
    )
    # What is not served at this hour does not come first.
    expect(page.locator(".take-item").first).to_be_enabled()
    page.locator("#find").fill(wanted.name)
    page.locator(f'.take-item[data-item="{wanted.id}"]').click()
    dialog = page.locator("#options")
    expect(dialog).to_be_visible()
    for group in dialog.locator(".option-group").all():
        if not group.locator("input:checked").count():
            group.locator("label").first.click()
    dialog.locator("#line-note").fill("hızlı lütfen")
    dialog.locator('[data-step="1"]').click()
    dialog.locator("#line-add").click()
    expect(page.locator("#cart-count")).to_have_text("2")
    # What was put together survives a reload.
    page.reload()
    expect(page.locator("#cart-count")).to_have_text("2")
    page.locator(".take-guest summary").click()
    page.locator("#phone").fill("0555 111 22 33")
    page.locator("#send").click()
    expect(page.locator("#cart-count")).to_have_text("0")
    order = diner.desk.product.call("GET", "/orders?limit=1")[1]["data"][0]
    assert (order["table_number"], order["items"][0]["quantity"]) == ("12", 2)
    assert order["customer"]["phone"] == "+905551112233"
    assert order["items"][0]["note"] == "hızlı lütfen"
    page.goto(f"/panel/take?order={order['order_id']}")
    page.locator("#cart-lines .stepper button").first.click()
    page.locator("#send").click()
    page.wait_for_url(f"**/panel/orders/{order['order_id']}")
    changed = diner.desk.product.call("GET", f"/orders/{order['order_id']}")[1]
    assert (changed["items"][0]["quantity"], changed["revision"]) == (1, 2)
    diner.act(changed, "cancel")
    page.context.close()


@pytest.mark.looks
def test_every_page_of_orders_can_be_used_by_everybody_and_fits_its_screen(diner: Diner) -> None:
    order = diner.take(7, notes="not", customer_name="عمر الفاروق")
    late = diner.take(8)
    diner.act(late, "finish")
    diner.call(8)
    pages = ("/panel/board", "/panel/orders", f"/panel/orders/{order['order_id']}", "/panel/take?table=1",
             "/panel/sales?days=7&by=item", "/panel/sales/day", "/panel/takings?days=7", "/panel/till", "/panel/bills",
             f"/panel/bills/{order['tab_id']}")  # fmt: skip
    wrong: list[str] = []
    for language in ("en", "tr"):
        page = diner.desk.person("owner", "Deniz", language=language, width=1440)
        for number, address in enumerate(pages):
            page.goto(address)
            page.wait_for_load_state("load")
            found = [one for width in (768, 360, 1440) for one in overflow(page, width)]
            found += barriers(page, number + len(LOOKS), language)
            if language == "tr":
                found += foreign(page)
            wrong += [f"{address} ({language}): {one}" for one in found]
        page.context.close()
    for one in (order, late):
        diner.act(one, "cancel")
    assert not wrong, "\n".join(wrong)
