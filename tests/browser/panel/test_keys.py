"""A developer's first key, in a real browser: made, used, never seen again, ended."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import open_desk


@pytest.mark.looks
def test_a_key_is_made_used_never_shown_again_and_ended(database_url: str) -> None:
    with open_desk(database_url) as desk:
        page = desk.person("developer")
        page.goto("/panel/keys")
        page.get_by_role("link", name="Create key").first.click()
        page.get_by_label("Name").fill("Cash register")
        page.get_by_role("button", name="Create key").click()
        shown = page.locator("#secret code")
        expect(shown).to_have_text(re.compile(r"^tg_live_[A-Za-z0-9]{46}$"))
        token = shown.inner_text()
        page.wait_for_load_state()

        # What is shown to be copied works as it stands.
        command = page.locator("#code-curl code").inner_text()
        sent = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=30, check=True)
        assert list(json.loads(sent.stdout)) == ["status", "message_id", "status_code", "cost_usd"]
        page.get_by_role("tab", name="PHP").click()
        expect(page.locator("#code-php code")).to_contain_text(token)
        expect(page.locator("#code-curl")).to_be_hidden()

        page.reload()
        expect(page.get_by_role("heading", name="Cash register", level=1)).to_be_visible()
        for address in (page.url, "/panel/keys", "/panel/samples"):
            page.goto(address)
            assert token not in page.content()
        assert token not in desk.product.server.said()

        page.goto("/panel/keys")
        page.get_by_role("link", name="Cash register").click()
        sheet = page.locator("#sheet")
        expect(sheet.get_by_text("Send messages", exact=True)).to_be_visible()
        expect(page).to_have_url(re.compile(r"/panel/keys/\w{20,}$"))
        sheet.get_by_role("link", name="Revoke key").click()
        page.get_by_label("Type “Cash register” to confirm").fill("Cash register")
        page.get_by_role("button", name="Revoke key").click()
        expect(page.locator(".toast")).to_contain_text("Cash register is revoked")
        assert desk.product.call("GET", "/me", key=token)[0] == 401
