"""A phone that scanned the code of `make run LAN=1`: it opens the menu, and its order goes out by the phone it holds."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import browsing
from tests.ports import free_port
from tests.product import Process, fetch, wait_until

# Another address than the machine's own, as a phone in the network sees it.
NETWORK = "127.0.0.2"

pytestmark = pytest.mark.slow


@pytest.mark.looks
def test_who_scanned_the_menu_sends_the_order_from_the_phone_they_hold(tmp_path: Path) -> None:
    port = free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")},
        "TABLEGRAM_DATA_DIR": str(tmp_path),
        "TABLEGRAM_PORT": str(port),
        "TABLEGRAM_SANDBOX": "1",
    }
    arguments = ["demo", "--serve", "--bare", f"--lan={NETWORK}", "--json"]
    server = Process(arguments, environment, tmp_path / "log", f"http://127.0.0.1:{port}/readyz")
    server.start()
    try:
        wait_until(lambda: "hold_menu" in server.said(), "the welcome")
        welcome = json.loads(next(line for line in server.said().splitlines() if line.startswith("{")))
        with browsing() as browser:
            guest = browser.new_context(viewport={"width": 360, "height": 740}, locale="en-GB").new_page()
            guest.goto(welcome["hold_menu"])
            expect(guest).to_have_url(welcome["menu"])
            expect(guest.locator("html")).to_have_attribute("data-ready", "yes")
            guest.get_by_role("button", name="Add Hummus", exact=True).click()
            guest.get_by_role("button", name="See cart").click()
            cart = guest.get_by_role("dialog", name="Your cart")
            expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
            with guest.context.expect_page() as opened:
                cart.get_by_role("link", name=re.compile("^Send order")).click()
            phone = opened.value
            expect(phone).to_have_url(re.compile(rf"^http://{NETWORK}:{port}/sandbox/"))
            expect(phone.get_by_label("Write a message").first).to_have_value(re.compile("Hummus"))
            phone.get_by_role("button", name="Send", exact=True).first.click()

            def ordered() -> bool:
                headers = {"Authorization": f"Bearer {welcome['key']}"}
                _, orders = fetch(f"http://127.0.0.1:{port}/api/v1/orders", headers=headers)
                return [len(order["items"]) for order in orders["data"]] == [1]

            wait_until(ordered, "the order")
            # Somebody else in the network, who has only the address of the phones, sees words and no JSON.
            stranger = browser.new_context(viewport={"width": 360, "height": 740}, locale="tr-TR").new_page()
            answer = stranger.goto(f"http://{NETWORK}:{port}/sandbox/?text=Masa")
            assert answer is not None
            assert answer.status == 403
            expect(stranger.get_by_role("heading", name="Bu telefon burada açılamıyor")).to_be_visible()
            assert stranger.evaluate("document.documentElement.scrollWidth") <= 360
    finally:
        server.stop()
