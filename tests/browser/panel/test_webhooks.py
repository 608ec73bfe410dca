"""A webhook that fails before the eyes of its owner, is put right, and replayed: without reloading the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.panel.customer import customer
from tests.browser.panel.desk import open_desk

LOOPBACK = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}


@pytest.mark.looks
def test_a_failed_delivery_is_seen_live_and_arrives_by_a_replay(database_url: str) -> None:
    with customer(500, "the kitchen is on fire") as server, open_desk(database_url, LOOPBACK) as desk:
        page = desk.person("developer")
        page.goto("/panel/webhooks/new")
        page.get_by_label("Address").fill("http://10.0.0.1/hook")
        page.get_by_role("button", name="Add endpoint").click()
        expect(page.locator("#url-error")).to_contain_text("Events cannot be sent there")
        page.get_by_label("Address").fill(server.url)
        page.get_by_role("button", name="Add endpoint").click()
        expect(page.locator("#secret code")).to_have_text(re.compile("^whsec_"))
        page.get_by_role("link", name="Go to the endpoint").click()
        expect(page).to_have_url(re.compile(r"/panel/webhooks/[0-9a-z]{20,}$"))
        expect(page.locator("html[data-live=on]")).to_be_attached()
        assert "whsec_" not in page.content()

        desk.write("Is my order on its way?")
        row = page.locator("tr", has_text="messages.upsert")
        expect(row).to_contain_text("trying again")
        expect(row).to_contain_text("500")
        expect(page.get_by_text("First failure:")).to_be_visible()

        row.get_by_role("link").click()
        sheet = page.locator("#sheet")
        expect(sheet).to_contain_text("the kitchen is on fire")
        expect(sheet).to_contain_text("Is my order on its way?")
        server.status, server.answer = 200, "thank you"
        sheet.get_by_role("button", name="Deliver again").click()
        # There may be two: its own next try may come at the very same moment.
        expect(page.get_by_text("HTTP 200").first).to_be_visible()
        expect(page.locator("main")).to_contain_text("delivered")
        assert any(b"Is my order on its way?" in body for body in server.bodies)

        page.locator(".crumbs a").click()
        expect(page.locator("tr", has_text="messages.upsert")).to_contain_text("delivered")
        expect(page.get_by_text("First failure:")).to_be_hidden()
