"""A form is connected, sends something, and is mapped by clicking on what came; each page is for everybody."""

from __future__ import annotations

import re
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel.desk import open_desk
from tests.browser.panel.judging import COLOURS, EVERYTHING, judges, overflow, serious


def send(address: str, **fields: str) -> int:
    """As a form builder does it."""
    body = urllib.parse.urlencode(fields).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data=body), timeout=30) as answer:
        return int(answer.status)


def wrong_with(page: Page, *addresses: str) -> list[str]:
    """What keeps somebody out of these pages, by day and by night, and what is wider than a phone."""
    found: list[str] = []
    for address in addresses:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(address)
        for options in (EVERYTHING, COLOURS):
            page.emulate_media(color_scheme="dark" if options is COLOURS else "light", reduced_motion="reduce")
            found += [f"{address}: {one}" for one in serious(page, {**options, "exclude": [[".rail"]]})]
        found += [f"{address}: {one}" for one in overflow(page, 360)]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 900})
    return found


@pytest.mark.looks
@pytest.mark.judged
def test_a_form_is_connected_and_mapped_by_clicking_on_what_came(database_url: str) -> None:
    with open_desk(database_url) as desk:
        page = desk.person("owner")
        page.goto("/panel/stores")
        page.get_by_role("link", name="Connect a shop or form").first.click()
        page.get_by_role("searchbox").fill("jotform")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Connect Form").click()
        page.locator("input[name=name]").fill("Reservations")
        page.locator("input[name=country]").fill("TR")
        page.get_by_role("button", name="Connect", exact=True).click()
        address = page.locator("[data-copy*='/hooks/form/']").first.get_attribute("data-copy")
        assert address is not None
        address = desk.product.url + urllib.parse.urlsplit(address).path

        page.goto("/panel/stores/log")
        expect(page.locator("html[data-live=on]")).to_be_attached()
        assert send(address, guest="Defne", reach="0532 000 00 01", party="4") == 200
        # It comes into the open page by itself.
        row = page.locator("main tbody tr").first
        expect(row).to_contain_text("No phone number")
        row.get_by_role("link").first.click()
        expect(page.locator("main, #sheet").filter(has_text="As it came").first).to_be_visible()
        expect(page).to_have_url(re.compile(r"/panel/stores/log/\w+"))
        delivery = "/panel/stores/log/" + page.url.rpartition("/")[2].partition("?")[0]

        page.goto("/panel/stores")
        page.get_by_role("link", name="Reservations").click()
        page.wait_for_url("**/panel/stores/sources/*")
        source = "/panel/stores/sources/" + page.url.rpartition("/")[2].partition("?")[0]
        page.get_by_role("link", name="Click on the sample").click()
        page.locator(".sample-row", has_text="0532 000 00 01").locator("select").select_option("phone")
        page.locator(".sample-row", has_text="Defne").locator("select").select_option("name")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".toast")).to_be_visible()
        expect(page.locator(".sample-row", has_text="0532").locator("select")).to_have_value("phone")

        page.goto(f"{delivery}?rehearse=1")
        expect(page.locator("#rehearsal")).to_contain_text(re.compile("532"))
        page.get_by_role("button", name="Replay it now").click()
        expect(page.locator("main")).to_contain_text("To the contact")

        if not judges():
            return
        pages = ("/panel/stores", "/panel/stores/new", "/panel/stores/new?platform=shopify", source, f"{source}/mapping",
                 "/panel/stores/log", delivery, "/panel/stores/orders")  # fmt: skip
        assert wrong_with(page, *pages) == []
        turkish = desk.person("owner", language="tr", width=360)
        wide = []
        for each in pages:
            turkish.goto(each)
            wide += [f"{each}: {one}" for one in overflow(turkish, 360)]
        assert wide == []
