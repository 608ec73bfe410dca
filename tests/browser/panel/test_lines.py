"""Lines in a real browser: one click to a sandbox line, a test message whose state turns, a number that gets ready."""

from __future__ import annotations

import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import PHONE, open_desk

# Nobody listens there: a cloud line of a test must not look for the real network.
SETTINGS = {"TABLEGRAM_CLOUD_BASE_URL": "http://127.0.0.1:9"}


@pytest.mark.looks
def test_a_sandbox_line_takes_one_click_and_its_test_message_turns_read(database_url: str) -> None:
    with open_desk(database_url, SETTINGS) as desk:
        page = desk.person("developer", width=360)
        page.goto("/panel/lines")
        page.get_by_role("link", name="Add line").first.click()
        page.get_by_role("button", name="Create sandbox line").click()
        expect(page.locator(".toast")).to_contain_text("is created")
        expect(page.locator(".state-now")).to_contain_text("connected")
        page.get_by_role("link", name="Send test message").click()
        page.get_by_label("Phone").fill(f"+{PHONE}")
        page.get_by_label("Text").fill("Merhaba çay?")
        page.get_by_role("button", name="Send test message").click()
        answer = page.locator("#sent pre")
        for field in ("status", "message_id", "status_code", "cost_usd"):
            expect(answer).to_contain_text(f'"{field}"')
        expect(page.locator(".steps")).to_contain_text("delivered")
        (received,) = [one for one in desk.product.on_phone(PHONE) if one.get("text") == "Merhaba çay?"]
        with page.context.expect_page() as opening:
            page.get_by_role("link", name="Open the phone").click()
        opening.value.wait_for_load_state()
        expect(page.locator(".steps")).to_contain_text("read")
        assert received


def test_the_steps_of_a_business_number_turn_green_as_the_network_calls(database_url: str) -> None:
    with open_desk(database_url, SETTINGS) as desk:
        page = desk.person()
        page.goto("/panel/lines/new/cloud")
        page.get_by_label("Phone number id").fill("106540352242922")
        page.get_by_label("Access token").fill("token")
        page.get_by_label("App secret").fill("secret")
        word = page.get_by_label("Verify token").input_value()
        page.get_by_role("button", name="Save and go on").click()
        expect(page.locator(".secret code")).to_have_text(word)
        step = page.locator(".checklist [data-key=callback]")
        expect(step).not_to_have_attribute("data-done", "")
        expect(page.locator("html[data-live=on]")).to_be_attached()
        callback = page.locator("[data-copy*='/hooks/cloud/']").get_attribute("data-copy")
        query = f"?hub.mode=subscribe&hub.challenge=77&hub.verify_token={word}"
        with urllib.request.urlopen(f"{callback}{query}") as answer:
            assert answer.read() == b"77"
        expect(step).to_have_attribute("data-done", "")
        # What is shown once goes with a reload when the page's scripts have run.
        page.wait_for_load_state()
        page.reload()
        expect(step).to_have_attribute("data-done", "")
        assert word not in page.content()


@pytest.mark.looks
def test_a_phone_scans_the_code_and_its_first_message_is_in_the_inbox(database_url: str) -> None:
    with open_desk(database_url, SETTINGS) as desk:
        page = desk.person()
        page.goto("/panel/lines/new")
        page.get_by_role("link", name="Link a phone").click()
        page.get_by_label("Name").fill("Counter phone")
        page.get_by_role("button", name="Create the line and show the code").click()
        shown = page.locator(".qr-shown")
        expect(shown).to_be_visible(timeout=60_000)
        expect(page.locator("[data-left]")).to_contain_text("s left.")
        first = shown.get_attribute("data-code")
        # A new code appears by itself before the old one is of no use.
        expect(shown).not_to_have_attribute("data-code", str(first), timeout=90_000)

        phone = page.context.new_page()
        phone.goto(f"{desk.product.sandbox_url}/")
        handset = phone.locator(".handset").first
        owner = handset.locator("[data-part=phone]").input_value()
        handset.get_by_role("button", name="All chats").click()
        handset.get_by_role("button", name="Linked devices").click()
        nearby = phone.locator("#devices [data-list=nearby] li", has_text="Counter phone")
        nearby.get_by_role("button", name="Scan").click()
        expect(phone.locator("#devices [data-list=linked]")).to_contain_text("Counter phone")
        expect(page.locator(".state-now")).to_contain_text("connected")
        expect(shown).to_have_count(0)
        expect(page.locator(".history figcaption").first).to_contain_text("connected")
        page.get_by_label("Messages in 24 hours").fill("50")
        page.get_by_label("Show typing").check()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_label("Messages in 24 hours")).to_have_value("50")
        expect(page.get_by_label("Show typing")).to_be_checked()

        customer = "905551119988"
        desk.product.sandbox_call("POST", f"/phones/{customer}/messages", {"text": "Açık mısınız?", "to": owner})
        page.goto("/panel/inbox")
        expect(page.locator("body")).to_contain_text("Açık mısınız?")
