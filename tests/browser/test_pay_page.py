"""The sandbox's pay page on a phone's screen: every way to pay, in both languages, by day and by night, by keyboard too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import browsing
from tests.browser.lone_sandbox import LoneSandbox, eventually, lone_sandbox
from tests.browser.panel.judging import violations

SECRET = "whsec_" + "c2FuZGJveC1zZWNyZXQtb2YtYS1tZXJjaGFudC0x"
ITEMS = [
    {"name": "2 × İskender", "amount": 700.0},
    {"name": "Şalgam suyu, acılı, büyük bardak ve çok uzun bir açıklama", "amount": 84.5},
]


def link(net: LoneSandbox, link_id: str, language: str = "tr") -> str:
    (line,) = net.call("GET", "/numbers")["data"]
    wish = {
        "link_id": link_id, "amount": 784.5, "currency": "TRY", "description": "Lezzet Ocakbaşı · sipariş 42",
        "items": ITEMS, "language": language, "success_url": f"{net.address}/sandbox/?ok", "hook_url": line["callback_url"],
        "cancel_url": f"{net.address}/sandbox/?no", "expires_at": 4_000_000_000_000,
    }  # fmt: skip
    made = net.call("POST", "/payments", wish, SECRET)
    return f"{net.address}/sandbox/pay/{made['reference']}"


def look(page: Page, name: str) -> None:
    """Nothing keeps anybody out, and nothing is wider than the screen."""
    assert [found for _, found in violations(page)] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/pay-{name}.png", full_page=True)


@pytest.mark.looks
@pytest.mark.judged
def test_a_payer_plays_each_way_on_a_phone(tmp_path: Path) -> None:
    with lone_sandbox(tmp_path / "s.db") as net, browsing() as browser:
        troubles: list[str] = []
        context = browser.new_context(viewport={"width": 360, "height": 740}, locale="tr-TR", color_scheme="dark")
        page = context.new_page()
        page.on("console", lambda entry: troubles.append(entry.text) if entry.type == "error" else None)

        def kinds() -> list[str]:
            return [body["type"] for body in net.told]

        # Turkish, by night: a card that is refused, then the 3-D step with a wrong code and the right one.
        page.goto(link(net, "pay_1"))
        expect(page.locator("html")).to_have_attribute("lang", "tr")
        expect(page.locator("h1")).to_contain_text("₺784,50")
        look(page, "open-dark-tr")
        page.get_by_text("Kart reddedilir").click()
        page.get_by_role("button", name="Öde").click()
        expect(page.get_by_role("alert")).to_contain_text("Kart reddedildi")
        eventually(lambda: kinds() == ["payment.failed"])
        look(page, "refused-dark-tr")
        page.get_by_text("Önce 3D doğrulama").click()
        page.get_by_role("button", name="Öde").click()
        code = page.get_by_label("Bankanız kod istiyor")
        code.fill("0000")
        code.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("Kod yanlış")
        look(page, "step-dark-tr")
        code.fill("1234")
        code.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Ödendi")
        eventually(lambda: kinds() == ["payment.failed", "payment.succeeded"])
        look(page, "paid-dark-tr")
        page.get_by_role("link", name="Geri dön").click()
        expect(page).to_have_url(f"{net.address}/sandbox/?ok")
        context.close()

        # English, by day, with the keyboard alone: a doubled signal; then one that nobody pays.
        context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en-GB", color_scheme="light")
        page = context.new_page()
        page.on("console", lambda entry: troubles.append(entry.text) if entry.type == "error" else None)
        page.goto(link(net, "pay_2", "en"))
        look(page, "open-light-en")
        page.get_by_text("More ways it can go").focus()
        page.keyboard.press("Enter")
        look(page, "more-light-en")
        page.get_by_role("radio", name="It works, and the signal comes twice").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Paid")
        eventually(lambda: kinds()[2:] == ["payment.succeeded"] * 2)
        assert net.told[2] == net.told[3]
        page.goto(link(net, "pay_3", "en"))
        page.get_by_text("More ways it can go").click()
        page.get_by_text("Nobody pays in time").click()
        page.get_by_role("button", name="Pay").click()
        expect(page.get_by_role("status")).to_contain_text("This link has expired")
        look(page, "expired-light-en")
        page.get_by_role("link", name="Türkçe").click()
        expect(page.get_by_role("status")).to_contain_text("süresi doldu")
        context.close()
        assert troubles == []
