"""Parts of a page: fetched again, told in one's own time; and dialogs, with the keys alone and without scripts."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tablegram.panel.i18n import format_exact
from tests.browser.chromium import given_time
from tests.browser.panel.desk import Desk
from tests.product import wait_until

# Never the server's own, which counts in UTC until it is told.
FAR_AWAY = "Pacific/Kiritimati"
LIVE = re.compile("/panel/live")
# As after a notice.
COMES_AGAIN = """async (name) => {
    const address = performance.getEntriesByType("resource").find((one) => /\\/live\\b[^/]*\\.js/.test(one.name)).name;
    const { refresh } = await import(address);
    await refresh(document.querySelector(`[data-part=${name}]`)); }"""


def test_a_part_that_comes_again_as_it_was_keeps_its_very_elements(desk: Desk) -> None:
    venue = desk.product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    page = desk.person()

    def add(label: str) -> None:
        status, answer = desk.product.call("POST", f"/restaurant/venues/{venue}/tables", {"label": label})
        assert status == 201, answer

    def late(route: Route) -> None:
        """Something happens after the page was made and before it listens."""
        add("Teras 0")
        route.continue_()

    page.route(LIVE, late)
    page.goto("/panel/tables")
    part, cards = page.locator("[data-part=tables]"), page.locator(".table-card")
    expect(cards.filter(has_text="Teras 0")).to_have_count(1)
    many = cards.count()
    page.evaluate("window.card = document.querySelector('.table-card')")
    with page.expect_response(re.compile("part=tables")):
        status, answer = desk.product.call("PATCH", f"/restaurant/venues/{venue}", {"name": "Safran"})
        assert status == 200, answer
    expect(part).not_to_have_attribute("data-loading", "1")
    assert page.evaluate("window.card.isConnected") is True
    # What is not the same is put in place.
    add("Teras 1")
    expect(cards).to_have_count(many + 1)


def test_a_table_behind_a_chart_stays_open_when_something_happens(desk: Desk, page: Page) -> None:
    page.goto("/panel/")
    expect(page.locator("html[data-live=on]")).to_be_attached()
    table = page.locator("details.chart-table").first
    table.locator("summary").click()
    page.evaluate("window.before = document.querySelector('details.chart-table')")
    desk.write("Merhaba", "905551119002", name="Lale")
    wait_until(lambda: not page.evaluate("window.before.isConnected"), "the part in its new form")
    expect(table).to_have_attribute("open", "")


def test_a_first_visit_sees_times_of_its_own_zone(desk: Desk) -> None:
    desk.write("Selam", "905551119001", name="Kai")
    page = desk.person(zone=FAR_AWAY)
    wait_until(lambda: desk.product.call("GET", "/messages?direction=in")[1]["data"], "the message")
    page.goto("/panel/inbox")
    time = page.locator(".talk", has_text="Kai").locator("time")

    def told_there() -> bool:
        # Read at once: an answer that comes meanwhile moves the time on.
        at, title = time.evaluate("one => [one.dateTime, one.title]")
        stamp = round(datetime.fromisoformat(at).timestamp() * 1_000)
        return bool(title == format_exact("en", stamp, ZoneInfo(FAR_AWAY)))

    wait_until(told_there, "the time of the visitor's zone")


def test_a_dialog_is_used_with_the_keys_alone(page: Page) -> None:
    page.goto("/panel/lines/1")
    opener, dialog = page.get_by_role("link", name="Delete line"), page.locator("dialog#delete")
    for closing in ("Space", "Enter", "Escape"):
        opener.focus()
        page.keyboard.press("Enter")
        expect(dialog.get_by_label("to confirm")).to_be_focused()
        dialog.get_by_role("button", name="Cancel").focus()
        page.keyboard.press(closing)
        expect(dialog).to_be_hidden()
        expect(opener).to_be_focused()


@pytest.mark.looks
def test_a_choice_is_made_with_the_arrow_keys_without_acting_on_the_way(desk: Desk, page: Page) -> None:
    page.goto("/panel/team")
    roles = page.get_by_label("Role", exact=True)
    roles.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(roles).to_have_value("developer")
    assert page.url.endswith("/panel/team")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("role=developer"))
    # With the mouse it acts at once.
    page.get_by_label("Role", exact=True).select_option("staff")
    expect(page).to_have_url(re.compile("role=staff"))
    # A conversation is given to whom one stops at, not to everybody on the way.
    desk.write("Hello", "905551119077", name="Kaan")
    page.goto("/panel/inbox")
    page.get_by_role("link", name="Kaan").click()
    page.wait_for_url(re.compile("/panel/inbox/[0-9a-z]{20,}"))
    # Its part has come again meanwhile, and brings no button that is for whoever has no scripts.
    page.evaluate(COMES_AGAIN, "head")
    owner = page.get_by_label("Who looks after it")
    owner.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = owner.input_value()
    with page.expect_navigation():
        page.keyboard.press("Tab")
    expect(page.get_by_label("Who looks after it")).to_have_value(chosen)


def test_of_two_rows_that_are_chosen_quickly_the_second_is_shown(desk: Desk) -> None:
    made = [
        desk.product.call("POST", "/contacts", {"phone": f"90555111908{n}", "name": f"Chosen {n}"})[1]["id"]
        for n in (1, 2)
    ]
    page = desk.person()
    page.goto("/panel/contacts?q=chosen")
    held: list[tuple[Route, APIResponse]] = []
    page.route(re.compile(f"/panel/contacts/{made[0]}.*part=sheet"), lambda route: held.append((route, route.fetch())))
    page.get_by_role("link", name="Chosen 1").click()
    wait_until(lambda: given_time(page, held), "the first to be asked for")
    page.get_by_role("link", name="Chosen 2").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("Chosen 2")
    route, answer = held[0]
    with page.expect_response(re.compile(made[0])):
        route.fulfill(response=answer)
    page.evaluate("() => fetch(location.href).then((one) => one.text())")
    expect(sheet).to_contain_text("Chosen 2")
    assert page.url.partition("?")[0].endswith(made[1])
    page.go_back()
    expect(sheet).to_be_hidden()
    expect(page).to_have_url(re.compile("q=chosen"))


def test_without_scripts_a_refused_dialog_says_why_and_is_closed(desk: Desk) -> None:
    page = desk.person(scripts=False)
    page.goto("/panel/lines/1")
    page.get_by_role("link", name="Delete line").click()
    dialog = page.locator("dialog#delete")
    dialog.get_by_label("to confirm").fill("something else")
    dialog.locator("button").click()
    expect(dialog.locator(".error")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile("/panel/lines/1$"))
    expect(dialog).to_be_hidden()


def test_a_text_is_copied_where_the_browser_gives_no_clipboard(desk: Desk) -> None:
    page = desk.person()
    # As it is on a page without TLS.
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto("/panel/samples")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.locator(".toast")).to_have_text("Copied")
    assert "curl -X POST" in page.evaluate("getSelection().toString()")


def test_after_an_answer_that_is_no_stream_the_page_shows_what_it_missed(desk: Desk) -> None:
    page = desk.person()
    page.clock.install()
    starting = {"yes": True}
    page.route(LIVE, lambda route: route.fulfill(status=502) if starting["yes"] else route.continue_())
    page.goto("/panel/contacts")
    expect(page.locator("html[data-live=off]")).to_be_attached()
    status, answer = desk.product.call("POST", "/contacts", {"phone": "905551119044", "name": "Missed Meanwhile"})
    assert status == 201, answer
    starting["yes"] = False
    page.clock.run_for(6_000)
    expect(page.locator("html[data-live=on]")).to_be_attached()
    page.clock.run_for(1_000)
    expect(page.get_by_role("link", name="Missed Meanwhile")).to_be_visible()


def test_who_was_signed_out_meanwhile_is_led_to_the_sign_in(desk: Desk) -> None:
    page = desk.person()
    page.clock.install()
    page.route(LIVE, lambda route: route.fulfill(status=502))
    page.goto("/panel/contacts?q=ada")
    expect(page.locator("html[data-live=off]")).to_be_attached()
    page.unroute(LIVE)
    page.context.clear_cookies()
    page.clock.run_for(6_000)
    expect(page).to_have_url(re.compile(r"/panel/sign-in\?next=/panel/contacts%3Fq%3Dada$"))
