"""Feedback on a phone: a tap makes the flow, it is changed, tried and turned on; a guest answers 2, and the manager is told."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import open_desk
from tests.browser.panel.judging import COLOURS, EVERYTHING, overflow, serious
from tests.product import wait_until

pytestmark = pytest.mark.timeout(240)
MANAGER, GUEST = "905551119999", "905552000077"


@pytest.mark.looks
@pytest.mark.judged
def test_an_owner_asks_how_it_was_and_hears_of_a_low_answer(database_url: str) -> None:
    with open_desk(database_url) as desk:
        assert desk.product.call("POST", "/contacts", {"phone": "905552000001", "name": "Kemal Ak"})[0] == 201
        page = desk.person("owner", width=360, height=800)
        found: list[str] = []

        def judge() -> None:
            for options, scheme in ((EVERYTHING, "light"), (COLOURS, "dark")):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
                found.extend(f"{page.url} {scheme}: {one}" for one in serious(page, options))
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            found.extend(f"{page.url}: {one}" for one in overflow(page, 360))

        page.goto("/panel/automations")
        judge()
        page.get_by_role("button", name="1 to 5 after the meal").click()
        page.wait_for_url("**/panel/automations/*")
        cards = page.locator("[data-steps] > [data-step]")
        expect(cards).to_have_count(2)
        # Whoever writes for the first time is asked at once: the wait goes, a word to the team comes and moves up.
        page.locator("select[name=on]").select_option("first_message")
        cards.first.get_by_role("button", name="Remove this step").click()
        expect(cards).to_have_count(1)
        page.get_by_role("button", name="Tell the team").click()
        expect(page.locator("[data-wrong]")).to_contain_text("Step 2: Write what is to be said.")
        cards.nth(1).locator("textarea").fill("{{name}} is new")
        cards.nth(1).get_by_role("button", name="Move up").click()
        expect(cards.first.locator("[data-number]")).to_have_text("1")
        expect(cards.first.locator("textarea").first).to_have_value("{{name}} is new")
        expect(page.locator("[data-wrong]")).to_contain_text("Name a phone of the team")
        page.get_by_text("Team, quiet hours and limits").click()
        page.locator("input[name=phones]").fill(f"+{MANAGER}")
        for name in ("quiet_from", "quiet_until"):
            page.locator(f"input[name={name}]").fill("")
        expect(page.locator("[data-wrong]")).to_contain_text("It can be turned on")
        judge()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("status").first).to_contain_text("Saved")
        # What would happen to somebody real, and nothing does.
        page.locator("input[name=contact]").fill("Kemal")
        page.locator("input[name=contact]").press("Enter")
        expect(page.locator("[data-tried]")).to_contain_text("Kemal Ak is new")
        expect(page.locator("[data-tried]")).to_contain_text("Nothing was sent or given")
        judge()
        page.get_by_role("button", name="Save and turn on").press("Enter")
        expect(page.locator(".flow-head")).to_contain_text("On")
        address = page.url.partition("?")[0]

        desk.write("Hello", GUEST)
        wait_until(lambda: any("Nasıldı?" in str(one) for one in desk.product.on_phone(GUEST)), "the question", 60)
        desk.write("2", GUEST)
        wait_until(lambda: len(desk.product.on_phone(MANAGER)) == 2, "the word to the manager", 60)

        page = desk.person("owner", "Ece Ak", language="tr", width=360, height=800)
        page.goto("/panel/automations")
        expect(page.locator("main")).to_contain_text("1 düşük puan geri aranmayı bekliyor")
        page.goto(f"{address}/report")
        expect(page.locator(".said")).to_contain_text("2/5")
        judge()
        page.get_by_role("button", name="Konuştum").press("Enter")
        expect(page.locator(".said")).to_contain_text("Ece Ak ilgilendi")
        assert found == []
