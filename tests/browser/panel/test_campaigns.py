"""A campaign on a phone: a segment is built, words are written, seen and tried, sent, watched, paused, resumed and read about."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import open_desk
from tests.browser.panel.judging import COLOURS, EVERYTHING, overflow, serious
from tests.product import wait_until

pytestmark = pytest.mark.timeout(240)
# At twelve a minute it takes five minutes; nobody waits for its end.
GUESTS, A_MINUTE = 60, "12"
OWN = "905551119999"


@pytest.mark.looks
@pytest.mark.judged
def test_an_owner_sends_a_first_campaign_from_a_phone(database_url: str) -> None:
    with open_desk(database_url) as desk:
        for number in range(GUESTS):
            guest = {"phone": f"9055520000{number:02}", "name": f"Defne {number:02}", "tags": ["vip"]}
            status, answer = desk.product.call("POST", "/contacts", {**guest, "consent": {"state": "granted"}})
            assert status == 201, answer
        desk.product.call("POST", "/contacts", {"phone": "905552000099", "name": "Kemal", "tags": []})
        page = desk.person("owner", width=360, height=800)
        found: list[str] = []

        def judge() -> None:
            # While it follows what was typed, the phone shows what it was.
            expect(page.locator("[data-phone][data-stale]")).to_have_count(0)
            for options, scheme in ((EVERYTHING, "light"), (COLOURS, "dark")):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
                found.extend(f"{page.url} {scheme}: {one}" for one in serious(page, options))
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            found.extend(f"{page.url}: {one}" for one in overflow(page, 360))

        # Whom.
        page.goto("/panel/segments/new?start=never")
        expect(page.locator("[data-count-of]")).to_have_text(str(GUESTS + 1))
        page.locator("select[name=sentence-1]").select_option("tag.0")
        page.locator("[name=gap-1-is]").fill("vip")
        expect(page.locator("[data-count-of]")).to_have_text(str(GUESTS))
        page.locator("input[name=name]").fill("Friends")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status")).to_contain_text("Friends")

        # What: the phone follows what is typed, and says what is wrong.
        page.goto("/panel/campaigns")
        judge()
        page.get_by_role("link", name=re.compile("^Weekend")).click()
        # A hand as quick as a test's finds a button before the page's scripts have.
        page.wait_for_url(re.compile("/panel/campaigns/new"))
        phone, text = page.locator("[data-phone] .phone"), page.locator("textarea[name=text]")
        expect(phone).to_contain_text("this weekend every order has 10% off")
        page.locator("select[name=segment_id]").select_option(label=f"Friends ({GUESTS})")
        text.fill("Hi ")
        page.get_by_role("button", name="First name").click()
        text.press_sequentially(", {{nobody}}")
        expect(phone).to_contain_text("Use {{name}}, {{first_name}}")
        for _ in "{{nobody}}":
            text.press("Backspace")
        text.press_sequentially("brunch <b> is on us: https://e.example/brunch")
        page.get_by_text("Picture, second text, language").click()
        page.locator("select[name=language]").select_option("en")
        expect(phone).to_contain_text("Hi Alex, brunch <b> is on us")
        expect(phone).to_contain_text("Reply STOP")
        page.get_by_text("Times and limits").click()
        for name, value in (("quiet_from", ""), ("quiet_until", ""), ("pace_per_min", A_MINUTE)):
            page.locator(f"input[name={name}]").fill(value)
        judge()
        page.get_by_role("button", name="Look at it").click()

        # A look, for a customer of one's own, and a test.
        expect(page.locator("dl.stats")).to_contain_text(f"Will get it{GUESTS}of {GUESTS} contacts · Friends")
        page.get_by_role("searchbox", name="See it as a customer").fill("Kemal")
        page.keyboard.press("Enter")
        expect(page.locator(".preview")).to_contain_text("Hi Kemal, brunch")
        expect(page.locator(".preview")).to_contain_text("They get none: Did not agree to marketing")
        judge()
        # Who reads on meets the test before the start.
        headings = page.locator("main h2").all_inner_texts()
        assert headings.index("Try it") < headings.index("When")
        page.locator("input[name=phone]").fill(OWN)
        page.get_by_role("button", name="Send me a test").click()
        expect(page.get_by_role("status").first).to_contain_text("on its way")
        wait_until(lambda: desk.product.on_phone(OWN), "the test on the owner's phone", 60)

        # Off it goes, and the page follows by itself.
        page.get_by_role("button", name="Start").click()
        box = page.locator(".progress-box")
        expect(box).to_contain_text("Running")
        sent = page.locator(".steps li").first.locator(".step-figure")
        expect(sent).not_to_have_text(re.compile("^0 "), timeout=60_000)
        expect(box).to_contain_text(re.compile("minutes? left"), timeout=60_000)
        page.get_by_role("button", name="Pause").click()
        expect(box).to_contain_text("Paused")
        judge()
        page.get_by_role("button", name="Resume").click()
        expect(box).to_contain_text("Running")
        before = sent.inner_text()
        expect(sent).not_to_have_text(before, timeout=60_000)
        page.get_by_role("link", name="End for good").click()
        page.get_by_role("dialog").get_by_role("button", name="End for good").click()
        expect(box).to_contain_text("Ended")

        # The report, in the other language.
        address = page.url
        page = desk.person("owner", "Ece Ak", language="tr", width=360, height=800)
        page.goto(address)
        expect(page.locator("main")).to_contain_text("Siz önce bitirdiniz")
        expect(page.locator("main")).to_contain_text("https://e.example/brunch")
        expect(page.get_by_role("link", name="CSV olarak kaydet")).to_be_visible()
        judge()
        got = {number for number in range(GUESTS) if desk.product.on_phone(f"9055520000{number:02}")}
        assert 2 <= len(got) < GUESTS
        assert all(len(desk.product.on_phone(f"9055520000{number:02}")) == 1 for number in got)
        assert found == []
