"""The bill of a table on a waiter's phone: split by dish and by share, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.panel.test_board import Diner
from tests.browser.panel.test_board import diner as diner
from tests.product import wait_until

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def paying(diner: Diner) -> Diner:
    """Guests of the venue may pay online, and prices include VAT."""
    offered = {"pays_online": ["dine_in"], "vat_percent": 10}
    assert diner.desk.product.call("PATCH", f"/restaurant/venues/{diner.venue_id}", offered)[0] == 200
    return diner


def test_guests_pay_their_shares_on_their_own_phones(paying: Diner) -> None:
    product, (table_id, _) = paying.desk.product, paying.tables[8]
    order = paying.take(8)
    for action in ("finish", "serve"):
        paying.act(order, action)
    link = product.call("GET", f"/restaurant/venues/{paying.venue_id}/tables/{table_id}")[1]["link"]
    path = f"/restaurant/tabs/{order['tab_id']}"
    for language, share in (("tr", "2"), ("en", "1")):
        context = paying.desk.browser.new_context(
            viewport={"width": 390, "height": 844}, locale=language, has_touch=True
        )
        page = context.new_page()
        page.goto(f"{link}&lang={language}")
        page.locator("[data-call=bill]").click()
        page.locator("[name=method][value=online]").check()
        page.locator("#pay-share").select_option(share)
        # A tip in percent, and one of their own.
        page.locator("#pay-tip").select_option("10" if language == "tr" else "own")
        if language == "en":
            page.get_by_label("Your tip").fill("7,50")
        before = product.call("GET", path)[1]["open"]
        page.locator("[form=call-form]").click()
        page.get_by_role("button", name="Öde" if language == "tr" else "Pay").click()
        wait_until(lambda was=before: product.call("GET", path)[1]["open"] < was, "the money")  # type: ignore[misc]
        context.close()
    bill = product.call("GET", path)[1]
    assert (bill["open"], bill["state"], [one["method"] for one in bill["payments"]]) == (0, "closed", ["online"] * 2)
    first, second = bill["payments"]
    assert (round(first["tip"], 2), second["tip"]) == (round(first["amount"] * 0.1 + 1e-9, 2), 7.5)


def test_a_bill_is_split_by_dish_and_by_share_on_a_phone(paying: Diner) -> None:
    diner = paying
    orders = [diner.take(9, customer_name=name) for name in ("Ada", "Can")]
    for order in orders:
        for action in ("finish", "serve"):
            diner.act(order, action)
    path = f"/restaurant/tabs/{orders[0]['tab_id']}"

    def open_now() -> float:
        return float(diner.desk.product.call("GET", path)[1]["open"])

    for language, paid in (("tr", "Ödendi"), ("en", "Paid")):
        page = diner.desk.person("owner", "Deniz", language=language, width=390)
        page.goto(f"/panel/bills/{orders[0]['tab_id']}")
        before = open_now()
        # A share by link: its code is shown, and it is taken back.
        page.locator("[name=how][value=share]").check()
        page.locator("[formaction$='/link']").click()
        expect(page.locator(".bill-link")).to_have_count(1)
        page.locator(".bill-link summary").click()
        expect(page.locator(".bill-link .qr-box svg")).to_be_visible()
        page.locator(".bill-link form button").click()
        expect(page.locator(".bill-link")).to_have_count(0)
        page.locator(f"[name=how][value={'dishes' if language == 'tr' else 'share'}]").check()
        if language == "tr":
            page.locator(".bill-dish input[type=checkbox]").first.check()
            expect(page.locator("[data-sum]")).to_be_visible()
        page.locator("[name=method][value=cash]").click()
        expect(page.locator(".bill-payments li")).to_have_count(1 if language == "tr" else 2)
        assert 0 < open_now() < before
        expect(page.locator(".stats")).to_contain_text(paid)
        expect(page.locator(".bill-vat")).to_contain_text("10")
        if language == "en":
            page.locator("[name=how][value=all]").check()
            page.locator("[name=method][value=card]").click()
            expect(page.locator("#take")).to_have_count(0)
            assert open_now() == 0
        page.context.close()
