"""A template in a real browser: written beside a phone, approved by the sandbox while one looks, and sent by."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import PHONE, open_desk
from tests.browser.panel.judging import judges, overflow, serious
from tests.product import fetch, wait_until

pytestmark = [pytest.mark.looks, pytest.mark.judged]


def test_a_template_is_written_approved_and_sent(database_url: str) -> None:
    with open_desk(database_url) as desk:
        page = desk.person("owner", width=360)
        page.goto("/panel/templates")
        page.get_by_role("link", name="New template").first.click()
        # A hand as quick as a test's finds a button before the page's scripts have.
        page.wait_for_url(re.compile("/panel/templates/new"))
        page.locator("[name=name]").fill("table_pending")
        page.locator("[name=text]").fill("Hello ")
        page.get_by_role("button", name="{{1}}").click()
        page.locator("[name=text]").press_sequentially(", your table is ready.")
        phone = page.locator("[data-phone]")
        expect(phone).to_contain_text("Hello {{1}}, your table is ready.")
        expect(phone).to_contain_text("Give exactly one example")
        page.locator("[name=examples]").fill("Ayşe")
        expect(phone).to_contain_text("Hello Ayşe, your table is ready.")
        expect(phone).not_to_contain_text("Give exactly one example")
        page.get_by_text("Add buttons").click()
        page.locator("[name=button_0_type]").select_option("quick_reply")
        page.locator("[name=button_0_text]").fill("On our way")
        expect(phone).to_contain_text("On our way")
        if judges():
            assert not [*serious(page), *overflow(page, 360)]
        page.get_by_role("button", name="Hand over to the network").click()
        # The network's word comes while one looks.
        expect(page.locator(".toast")).to_contain_text("Handed over")
        expect(page.locator("[data-part=waiting] .badge").first).to_have_text(re.compile("Being looked at"))
        listed = fetch(f"{desk.product.url}/sandbox/templates")[1]["data"]
        waiting = next(one for one in listed if one["name"] == "table_pending")
        decision = f"{desk.product.url}/sandbox/templates/{waiting['number_id']}/{waiting['id']}"
        assert fetch(decision, method="POST", body={"event": "APPROVED"})[0] == 200
        expect(page.locator("[data-part=waiting] .badge").first).to_have_text(re.compile("Approved"))
        page.get_by_role("link", name="Edit it now").click()
        expect(page.locator("[data-phone]")).to_contain_text("Hello Ayşe")
        made = {"phone": PHONE, "template": "table_pending", "language": "en", "parameters": ["Can"]}
        assert desk.product.call("POST", "/messages/send-template", made)[0] == 200
        said = "Hello Can, your table is ready."
        wait_until(lambda: said in [one["text"] for one in desk.product.on_phone(PHONE)], "the message on the phone")
        turk = desk.person("owner", language="tr")
        turk.goto("/panel/templates?q=table")
        expect(turk.get_by_role("row", name=re.compile("table_pending"))).to_contain_text("Onaylı")
