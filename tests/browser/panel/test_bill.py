"""The bill of a table on a waiter's phone: split by dish and by share, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.panel.test_board import Diner
from tests.browser.panel.test_board import diner as diner

pytestmark = pytest.mark.timeout(300)


def test_a_bill_is_split_by_dish_and_by_share_on_a_phone(diner: Diner) -> None:
    orders = [diner.take(9, customer_name=name) for name in ("Ada", "Can")]
    for order in orders:
        for action in ("finish", "serve"):
            diner.act(order, action)
    path = f"/restaurant/tabs/{orders[0]['tab_id']}"

    def open_now() -> float:
        return float(diner.desk.product.call("GET", path)[1]["open"])

    for language, paid in (("tr", "Ödendi"), ("en", "Paid")):
        page = diner.desk.person("owner", "Deniz", language=language, width=360)
        page.goto(f"/panel/bills/{orders[0]['tab_id']}")
        before = open_now()
        page.locator(f"[name=how][value={'dishes' if language == 'tr' else 'share'}]").check()
        if language == "tr":
            page.locator(".bill-dish input[type=checkbox]").first.check()
            expect(page.locator("[data-sum]")).to_be_visible()
        page.locator("[name=method][value=cash]").click()
        expect(page.locator(".bill-payments li")).to_have_count(1 if language == "tr" else 2)
        assert 0 < open_now() < before
        expect(page.locator(".stats")).to_contain_text(paid)
        if language == "en":
            page.locator("[name=how][value=all]").check()
            page.locator("[name=method][value=card]").click()
            expect(page.locator("#take")).to_have_count(0)
            assert open_now() == 0
        page.context.close()
