"""Paper in a real browser: what an order and a test page print rolls out while somebody looks."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import browsing
from tests.browser.panel.judging import serious
from tests.product import running_product


@pytest.mark.looks
@pytest.mark.judged
def test_what_is_printed_rolls_out_while_somebody_looks(database_url: str) -> None:
    with running_product(database_url) as product, browsing() as browser:
        page = browser.new_page(viewport={"width": 1200, "height": 900}, locale="en-GB")
        page.goto(f"{product.url}/sandbox/paper")
        expect(page.locator("#live")).to_have_attribute("data-state", "live")
        printers = []
        for name, station, columns in (("Izgara", "kitchen", 48), ("Raster", "bar", 32)):
            profile = {"columns": columns, "mode": "raster" if name == "Raster" else "text", "buzzer": True}
            fields = {"name": name, "kind": "sandbox", "stations": [station], "profile": profile}
            status, made = product.call("POST", "/restaurant/printers", fields)
            assert status == 201, made
            printers.append(made["id"])
        for printer in printers:
            assert product.call("POST", f"/restaurant/printers/{printer}/test")[0] == 201
        grill = page.locator(f'[data-printer="{printers[0]}"]')
        expect(grill.locator(".sheet").first).to_contain_text("ÇĞİÖŞÜ çğıöşü")
        raster = page.locator(f'[data-printer="{printers[1]}"] .dots').first
        expect(raster).to_be_visible()
        # It is there before it has come, and then as wide as the head of the printer.
        page.wait_for_function("document.querySelector('.dots')?.naturalWidth === 384")
        # An order of the demo's restaurant comes out of the kitchen's printer by itself.
        venue = product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
        menu = product.call("GET", f"/restaurant/venues/{venue}/menu")[1]
        dish = next(item for item in menu["items"] if item["name"] == "Lahmacun")
        order = {"venue_id": venue, "order_type": "takeaway", "lines": [{"item_id": dish["id"], "quantity": 3}]}
        status, taken = product.call("POST", "/orders", {**order, "customer_name": "Ayşe"})
        assert status == 201, taken
        expect(grill.locator(".sheet").first).to_contain_text(taken["order_id"])
        if folder := os.environ.get("SHOTS"):
            page.wait_for_timeout(1200)
            for width in (1200, 390):
                page.set_viewport_size({"width": width, "height": 900})
                page.screenshot(path=f"{folder}/paper-{width}.png", full_page=True)
        assert list(serious(page)) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.close()
