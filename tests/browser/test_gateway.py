"""The newcomer's first two minutes in a real browser: the printed command, the phone, and an answer typed into it."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from playwright.sync_api import expect

from tests.browser.chromium import browsing
from tests.product import cli_json, running_product, wait_until


def test_the_printed_command_sends_a_message_that_is_seen_on_the_phone_and_can_be_answered(database_url: str) -> None:
    with running_product(database_url) as product, browsing() as browser:
        welcome = cli_json("demo", environment=product.environment)
        page = browser.new_page()
        page.goto(welcome["phones"])
        expect(page.locator("#live")).to_have_attribute("data-state", "live")

        sent = subprocess.run(welcome["curl"], shell=True, capture_output=True, text=True, timeout=30, check=True)
        answer = json.loads(sent.stdout)
        assert list(answer) == ["status", "message_id", "status_code", "cost_usd"]
        expect(page.get_by_text("Hello from").first).to_be_visible()

        def messages(direction: str) -> list[dict[str, Any]]:
            status, found = product.call("GET", f"/messages?direction={direction}")
            assert status == 200
            return list(found["data"])

        # Looking at the chat is reading it, and the gateway hears of that.
        wait_until(lambda: messages("out")[0]["status"] == "read", "the message to be read")

        box = page.get_by_role("textbox").first
        box.fill("Merhaba, teşekkürler!")
        box.press("Enter")
        wait_until(lambda: [one["text"] for one in messages("in")] == ["Merhaba, teşekkürler!"], "the answer to arrive")
        assert messages("in")[0]["phone"] == "905551112233"
