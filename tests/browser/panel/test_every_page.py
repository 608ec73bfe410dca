"""Every page, filled: readable for everybody, in both languages and themes, and never wider than the screen."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page

from tests.browser.panel.foreign import foreign
from tests.browser.panel.house import House, house  # noqa: F401
from tests.browser.panel.judging import EVERYTHING, LANGUAGES, LOOKS, SCHEMES, barriers, overflow, serious

# Each page is looked at several times.
pytestmark = [pytest.mark.timeout(1200), pytest.mark.looks]

# Beside the places of the navigation: pages that are reached from their lists. The first link that fits is followed.
INNER = {
    "/panel/inbox": r"/panel/inbox/[0-9a-z]{20,}$",
    "/panel/automations": r"/panel/automations/[0-9a-z]{20,}$",
    "/panel/contacts": r"/panel/contacts/[0-9a-z]{20,}$",
    "/panel/lines": r"/panel/lines/\d+$",
    "/panel/loyalty": r"/panel/loyalty/members/[0-9a-z]{20,}$",
    "/panel/loyalty/gifts": r"/panel/loyalty/gifts/[0-9a-z]{20,}$",
    "/panel/webhooks": r"/panel/webhooks/[0-9a-z]{20,}$",
    "/panel/requests": r"/panel/requests/.+",
    "/panel/network": r"/panel/network/.+",
    "/panel/templates": r"/panel/templates/[0-9a-z]{20,}$",
    "/panel/operator": r"/panel/operator/accounts/\d+$",
}
OTHERS = ("/panel/webhooks", "/panel/samples", "/panel/operator/health", "/panel/operator/plans",
          "/panel/usage?by=country", "/panel/inbox/replies", "/panel/inbox/new", "/panel/inbox?show=waiting",
          "/panel/contacts?sort=-value", "/panel/contacts/consents", "/panel/notices/carts", "/panel/notices/log", "/panel/loyalty/coupons", "/panel/loyalty/programme", "/panel/segments/new", "/panel/templates/new", "/panel/campaigns/new",
          "/panel/loyalty/cards", "/panel/loyalty/gifts",
          "/panel/notices/wording/abandoned_cart-1-tr", "/panel/notices/wording/form_alert-1-tr", "/panel/nothing")  # fmt: skip
# The restaurant's pages, with all that is behind them, are looked at in `test_board`, `test_kitchen` and `test_restaurant_looks`.
ELSEWHERE = ("board", "kitchen", "orders", "sales", "menu", "tables", "venue")


@pytest.fixture(scope="module")
def addresses(house: House) -> list[str]:  # noqa: F811
    """Every place of the navigation, and one of each kind behind it."""
    page = house.owner()
    page.goto("/panel/")
    found = page.eval_on_selector_all(".rail li a", "links => links.map(one => one.getAttribute('href'))")
    assert len(found) >= 11, found
    found = [one for one in found if one.removeprefix("/panel/") not in ELSEWHERE]
    wanted = [*found, *[one for one in OTHERS if one not in found]]
    for place, pattern in INNER.items():
        page.goto(place)
        links = page.eval_on_selector_all("main a", "links => links.map(one => one.getAttribute('href'))")
        inner = next((link for link in links if link and re.search(pattern, link.split("?")[0])), None)
        assert inner, f"{place} leads nowhere: {links}"
        wanted.append(inner)
    page.context.close()
    return wanted


def visit(page: Page, address: str) -> None:
    answer = page.goto(address, wait_until="load")
    assert answer is not None
    assert answer.status == (404 if address == "/panel/nothing" else 200), (address, answer.status)


@dataclass
class Inspection:
    """What was found wrong while every page was looked at, once in each language."""

    barriers: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    untranslated: list[str] = field(default_factory=list)
    looked_at: int = 0


@pytest.fixture(scope="module")
def inspection(house: House, addresses: list[str]) -> Inspection:  # noqa: F811
    found = Inspection()
    for language in ("en", "tr"):
        page = house.owner(language, width=1440)
        for number, address in enumerate(addresses):
            visit(page, address)
            found.looked_at += 1
            where = f"{address} ({language})"
            if language == "tr":
                found.untranslated += [f"{where}: {text}" for text in foreign(page)]
            found.wide += [f"{where}: {one}" for width in (360, 1440) for one in overflow(page, width)]
            found.barriers += [f"{where}: {one}" for one in barriers(page, number, language)]
        page.context.close()
    return found


BAD = """<html><body><nav class="rail"><p style="color: #ccc; background: #fff">a place</p></nav>
    <main><p style="color: #ddd; background: #fff">pale</p><button></button></main></body></html>"""


def test_the_judge_sees_what_keeps_somebody_out(house: House) -> None:  # noqa: F811
    page = house.browser.new_page()
    page.set_content(BAD)
    assert {one.partition(":")[0] for one in serious(page, EVERYTHING)} >= {
        "button-name",
        "color-contrast",
        "html-has-lang",
    }
    for number in (0, len(LOOKS)):
        seen = [one for language in LANGUAGES for one in barriers(page, number, language)]
        for scheme in SCHEMES:
            assert any(one.startswith(f"{scheme}: color-contrast") and "pale" in one for one in seen)
        assert any(one.startswith("on a phone: button-name") for one in seen)
        # The places are judged with the first pages.
        assert any("color-contrast" in one and "a place" in one for one in seen) == (number < len(LOOKS))
    page.close()


def test_every_page_can_be_used_by_everybody_in_both_themes_and_languages(inspection: Inspection) -> None:
    assert inspection.looked_at >= 40
    assert not inspection.barriers, "\n".join(inspection.barriers)


def test_no_page_is_wider_than_its_screen(inspection: Inspection) -> None:
    assert not inspection.wide, "\n".join(inspection.wide)


def test_nothing_is_left_untranslated(inspection: Inspection) -> None:
    assert not inspection.untranslated, "\n".join(inspection.untranslated)
