"""How the phone page is opened: whose phone it shows, what is typed in, in which language and look."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.lone_sandbox import LINE, LoneSandbox, eventually
from tests.browser.panel.judging import serious
from tests.browser.phone.hall import ANNA, ASK, MENU, TOM, handset


def fill_with_everything(net: LoneSandbox) -> None:
    net.call("POST", f"/phones/{ANNA}/messages", {"text": "Merhaba, masa 12"})
    net.call("POST", f"/phones/{ANNA}/messages", {"type": "image", "caption": "Bu mu?"})
    net.send(ANNA, "*Bold* _italic_ ~gone~ ```mono``` https://shop.example/menu?table=12")
    net.send(ANNA, "w" * 300)
    net.send_as(ANNA, "interactive", ASK)
    net.send_as(ANNA, "document", {"link": "https://shop.example/" + "long" * 30, "filename": "bill.pdf"})
    net.send_as(TOM, "interactive", MENU)
    net.send_as(TOM, "contacts", [{"name": {"formatted_name": "محمد عبد الرحمن"}, "phones": [{"phone": "+90 555"}]}])
    net.send_as(TOM, "location", {"latitude": 40.99, "longitude": 29.02, "name": "Kadıköy"})


def test_a_phone_can_be_added_and_a_wrong_number_is_explained(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    page.locator(".handset").first.get_by_label("Phone", exact=True).select_option("")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Phone number").fill("12")
    dialog.get_by_label("Owner's name").fill("نور")
    dialog.get_by_role("button", name="Add this phone").click()
    expect(dialog.get_by_role("alert")).to_contain_text("7 to 15 digits")
    dialog.get_by_label("Phone number").fill("+49 151 2345678")
    dialog.get_by_role("button", name="Add this phone").click()
    expect(handset(page, "نور")).to_be_visible()


def test_a_text_in_the_address_is_typed_in_but_not_sent(net: LoneSandbox, visit: Any) -> None:
    page = visit("?phone=905550001122&text=Masa%2012%0A2%20x%20%C3%87ay")
    box = page.locator(".handset").first.get_by_label("Write a message")
    expect(box).to_have_value("Masa 12\n2 x Çay")
    assert net.inbound() == []
    box.press("Enter")
    eventually(net.inbound)
    assert net.inbound()[0]["text"]["body"] == "Masa 12\n2 x Çay"


def test_a_link_without_a_phone_finds_the_one_that_was_used_last(net: LoneSandbox, visit: Any) -> None:
    page = visit("?phone=447700900123")
    page.goto(f"{net.page}?to={LINE}&text=Masa%2012")
    box = page.locator(".handset").first.get_by_label("Write a message")
    expect(box).to_have_value("Masa 12")
    assert net.inbound() == []
    box.press("Enter")
    eventually(net.inbound)
    assert (net.inbound()[-1]["from"], net.inbound()[-1]["text"]["body"]) == ("447700900123", "Masa 12")
    # What was sent is not typed in again.
    expect(page).to_have_url(re.compile(r"/sandbox/\?to=[0-9]+$"))
    page.reload()
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    expect(box).to_have_value("")


def test_a_first_link_opens_a_guests_phone_and_not_the_first_that_was_written_to(net: LoneSandbox, visit: Any) -> None:
    for waiter in ("905550002001", "905550002002"):
        net.send(waiter, "Masa 4 hesap istiyor")
    page = visit(f"?to={LINE}&text=Bir%20%C3%A7ay")
    first = page.locator(".handset").first
    expect(first).to_have_attribute("aria-label", re.compile("Ayşe"))
    expect(first.get_by_label("Write a message")).to_have_value("Bir çay")
    expect(first.get_by_label("Write a message")).to_be_focused()


def test_an_empty_chat_teaches_the_first_command(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    empty = handset(page, "Ayşe").locator(".log .empty")
    expect(empty).to_contain_text("No messages yet")
    expect(empty.locator("code")).to_contain_text("/api/v1/messages/send")


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("locale", "heading"), [("en-GB", "A network to practise on"), ("tr-TR", "Deneme yapmak için bir ağ")]
)
def test_everyone_can_use_it_in_both_themes_and_languages(
    net: LoneSandbox, visit: Any, scheme: str, locale: str, heading: str
) -> None:
    fill_with_everything(net)
    page = visit(locale=locale, scheme=scheme)
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator(".bubble").first).to_be_visible()
    assert list(serious(page)) == []
    page.locator("#open-faults").click()
    expect(page.locator("#faults")).to_be_visible()
    assert list(serious(page)) == []


@pytest.mark.looks
@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("locale", ["en-GB", "tr-TR"])
def test_nothing_runs_out_of_the_page(net: LoneSandbox, visit: Any, width: int, locale: str) -> None:
    fill_with_everything(net)
    page = visit(width=width, locale=locale)
    expect(page.locator(".bubble").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator(".handset:visible")).to_have_count(1 if width < 760 else 2)
    page.locator("#open-faults").click()
    expect(page.locator("#faults")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_language_can_be_switched(net: LoneSandbox, visit: Any) -> None:
    page = visit(locale="de-DE")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="Türkçe").click()
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    expect(page.get_by_role("button", name="Arızalar")).to_be_visible()
