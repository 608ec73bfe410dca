"""How the pages of a restaurant look, one of each kind."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.panel.desk import Desk
from tests.browser.panel.foreign import foreign
from tests.browser.panel.judging import LOOKS, barriers, overflow
from tests.browser.panel.restaurants import field

pytestmark = pytest.mark.timeout(240)


def furnish(desk: Desk) -> None:
    """One of each kind that has a page; other tests of this file may have made theirs, or not."""
    [venue] = desk.product.call("GET", "/restaurant/venues")[1]["data"]
    place = f"/restaurant/venues/{venue['id']}"
    if not desk.product.call("GET", f"{place}/tables")[1]["data"]:
        assert desk.product.call("POST", f"{place}/tables", {"label": "12"})[0] == 201
    if not desk.product.call("GET", f"{place}/menu")[1]["option_groups"]:
        group = {"name": "Porsiyon", "options": [{"name": "Büyük", "price": 10}]}
        assert desk.product.call("POST", f"{place}/menu/option-groups", group)[0] == 201
    if not desk.product.call("GET", "/restaurant/couriers")[1]["data"]:
        _deliver(desk, venue["id"], place)


def _deliver(desk: Desk, venue: str, place: str) -> None:
    """A courier with an order, and an order that waits for one."""
    desk.product.call("PATCH", place, {"order_types": ["dine_in", "delivery"]})
    courier = desk.product.call("POST", "/restaurant/couriers", {"name": "Mert Aydın", "phone": "905550000001"})[1][
        "id"
    ]
    group = desk.product.call("POST", f"{place}/menu/categories", {"name": "Paket"})[1]["id"]
    dish = {"category_id": group, "name": "Lahmacun", "price": 90}
    item = desk.product.call("POST", f"{place}/menu/items", dish)[1]["id"]
    guest = {"address": "Moda Cad. 12, Kadıköy", "customer_phone": "905551112233", "customer_name": "Ayşe"}
    for given in (True, False):
        order = {"venue_id": venue, "order_type": "delivery", "lines": [{"item_id": item}], **guest}
        status, made = desk.product.call("POST", "/orders", order)
        assert status == 201, made
        if given:
            body = {"order_id": made["order_id"], "courier_id": courier}
            assert desk.product.call("POST", "/restaurant/deliveries", body)[0] == 201


def handed_out(desk: Desk) -> str:
    """The page of a courier's link."""
    courier = desk.product.call("GET", "/restaurant/couriers")[1]["data"][0]["id"]
    assert desk.product.call("POST", f"/restaurant/couriers/{courier}/page", {})[0] == 200
    return f"/panel/couriers/people/{courier}/page"


def addresses(page: Page) -> list[str]:
    """Every page of the restaurant, one of each kind."""
    page.goto("/panel/menu")
    found: Any = page.evaluate(
        """() => [...document.querySelectorAll('main a')].map(one => one.getAttribute('href'))
            .filter(one => one && one.startsWith('/panel/menu/'))"""
    )
    kinds = {re.sub(r"/[0-9a-z]{20,}", "/x", address.partition("?")[0]): address for address in found}
    venue = found[0].split("/")[3]
    page.goto("/panel/tables")
    table = page.locator(".table-card").first.get_attribute("href")
    page.goto(f"/panel/menu/{venue}/options")
    group = page.locator("main .row-link").first.get_attribute("href")
    page.goto("/panel/printers/new")
    field(page, "name").fill("Mutfak")
    page.locator(".save-bar button.primary").click()
    page.wait_for_url("**/panel/printers/prn_*")
    printer = page.url.partition("?")[0]
    page.locator("form[action$='/test'] button").click()
    keys = {"secret": "whsec_" + "c2VjcmV0LW9mLW9uZXMtb3duLXByb3ZpZGVyLTE=", "pay_url": "https://pay.example/{link_id}"}
    page.goto("/panel/payments/providers/new?provider=generic")
    for name, value in keys.items():
        field(page, f"keys.{name}").fill(value)
    page.locator("form[action='/panel/payments/providers'] button.primary").click()
    page.wait_for_url("**/panel/payments/providers/ppr_*")
    provider = page.url.partition("?")[0]
    page.goto("/panel/payments/new")
    field(page, "amount").fill("450")
    field(page, "description").fill("Masa 12")
    page.locator("form[action='/panel/payments'] button.primary").click()
    page.wait_for_url("**/panel/payments/links/pay_*")
    payment = page.url.partition("?")[0]
    paying = ["/panel/payments", "/panel/payments/new", payment, "/panel/payments/decisions", "/panel/payments/providers",
              "/panel/payments/providers/new", "/panel/payments/providers/new?provider=stripe", provider]  # fmt: skip
    fixed = ["/panel/printers", "/panel/printers/new", printer, f"{printer}/edit", "/panel/printing",
             "/panel/venue", "/panel/venue/new", "/panel/venue/hours", "/panel/venue/layouts", "/panel/venue/zones", "/panel/venue/zones/new", "/panel/menu", "/panel/menu?arrange=1",
             "/panel/tables", "/panel/tables/staff", "/panel/print", "/panel/couriers", "/panel/couriers/people"]  # fmt: skip
    return [*paying, *fixed, *kinds.values(), *[one for one in (table, group) if one]]


@pytest.mark.looks
@pytest.mark.parametrize("language", ["en", "tr"])
def test_every_page_can_be_used_by_everybody_and_fits_its_screen(restaurant: Desk, language: str) -> None:
    page = restaurant.person(language=language)
    wrong: list[str] = []
    furnish(restaurant)
    looked_at = [*addresses(page), handed_out(restaurant)]
    assert len(looked_at) >= 13, looked_at
    for number, address in enumerate(looked_at):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        found = [one for width in (768, 360, 1440) for one in overflow(page, width)]
        # The places beside them are judged with other pages.
        found += barriers(page, number + len(LOOKS), language)
        if language == "tr":
            found += foreign(page)
        wrong += [f"{address}: {one}" for one in found]
    page.context.close()
    assert not wrong, "\n".join(wrong)
