"""Parts of a page that are fetched again: what is the same stays, and a first visit is told in its own time."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from tablegram.panel.i18n import format_exact
from tests.browser.panel.desk import Desk
from tests.product import wait_until

# Never the server's own, which counts in UTC until it is told.
FAR_AWAY = "Pacific/Kiritimati"


def test_a_part_that_comes_again_as_it_was_keeps_its_very_elements(desk: Desk) -> None:
    venue = desk.product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    page = desk.person()
    page.goto("/panel/tables")
    expect(page.locator("html[data-live=on]")).to_be_attached()
    part, cards = page.locator("[data-part=tables]"), page.locator(".table-card")
    many = cards.count()
    page.evaluate("window.card = document.querySelector('.table-card')")
    with page.expect_response(re.compile("part=tables")):
        status, answer = desk.product.call("PATCH", f"/restaurant/venues/{venue}", {"name": "Safran"})
        assert status == 200, answer
    expect(part).not_to_have_attribute("data-loading", "1")
    assert page.evaluate("window.card.isConnected") is True
    # What is not the same is put in place.
    status, answer = desk.product.call("POST", f"/restaurant/venues/{venue}/tables", {"label": "Teras 1"})
    assert status == 201, answer
    expect(cards).to_have_count(many + 1)
    page.context.close()


def test_a_table_behind_a_chart_stays_open_when_something_happens(desk: Desk) -> None:
    page = desk.person()
    page.goto("/panel/")
    expect(page.locator("html[data-live=on]")).to_be_attached()
    table = page.locator("details.chart-table").first
    table.locator("summary").click()
    page.evaluate("window.before = document.querySelector('details.chart-table')")
    desk.write("Merhaba", "905551119002", name="Lale")
    wait_until(lambda: not page.evaluate("window.before.isConnected"), "the part in its new form")
    expect(table).to_have_attribute("open", "")
    page.context.close()


def test_a_first_visit_sees_times_of_its_own_zone(desk: Desk) -> None:
    desk.write("Selam", "905551119001", name="Kai")
    page = desk.person(zone=FAR_AWAY)
    wait_until(lambda: desk.product.call("GET", "/messages?direction=in")[1]["data"], "the message")
    page.goto("/panel/inbox")
    time = page.locator(".talk", has_text="Kai").locator("time")
    at = datetime.fromisoformat(time.get_attribute("datetime") or "")
    expect(time).to_have_attribute("title", format_exact("en", round(at.timestamp() * 1_000), ZoneInfo(FAR_AWAY)))
    page.context.close()
