"""The inbox in a real browser: what comes in appears by itself, what goes out shows how far it got."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.panel.desk import Desk
from tests.product import wait_until

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018dd8db0"
    "0000000049454e44ae426082"
)


@pytest.fixture(scope="module", autouse=True)
def people_answer(desk: Desk) -> None:
    """What is written here is for people: the demo's venue reads no order into it."""
    for venue in desk.product.call("GET", "/restaurant/venues")[1]["data"]:
        status, told = desk.product.call("PATCH", f"/restaurant/venues/{venue['id']}", {"reads_texts": False})
        assert status == 200, told


def on_phone(desk: Desk, phone: str) -> list[dict[str, Any]]:
    return [one for one in desk.product.on_phone(phone) if one["direction"] == "in"]


def never_reloads(page: Page) -> None:
    """From here on a reload would lose this mark."""
    page.evaluate("window.stayed = true")


def stayed(page: Page) -> bool:
    return bool(page.evaluate("window.stayed === true"))


def open_talk(page: Page, name: str) -> None:
    page.goto("/panel/inbox")
    page.get_by_role("link", name=name).first.click()
    expect(page.get_by_role("heading", name=name).first).to_be_visible()
    # A page is seen before its scripts have run, and what is typed before then is not kept.
    page.wait_for_load_state()


def bubble(page: Page, text: str) -> Locator:
    return page.locator(".messages .bubble", has_text=text).last


def test_a_message_appears_by_itself_and_its_answer_shows_how_far_it_got(desk: Desk, page: Page) -> None:
    page.goto("/panel/inbox")
    expect(page.get_by_text("Nobody has written yet")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    never_reloads(page)
    desk.write("Bu akşam masa var mı?", "905551110001", name="Ayşe Yılmaz")
    talk = page.get_by_role("link", name="Ayşe Yılmaz")
    expect(talk).to_contain_text("Bu akşam masa var mı?")
    expect(talk).to_contain_text("1 unread")
    expect(page.locator('.rail [data-count="inbox"]')).to_contain_text("1")
    assert stayed(page)

    talk.click()
    expect(bubble(page, "Bu akşam masa var mı?")).to_be_visible()
    expect(page.locator(".talk .count")).to_have_count(0)
    expect(page.locator('.rail [data-count="inbox"]')).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    never_reloads(page)
    box = page.get_by_role("textbox", name="Reply to Ayşe Yılmaz")
    box.fill("Evet, saat 20:00'de.")
    box.press("Enter")
    answer = bubble(page, "Evet, saat 20:00'de.")
    expect(answer).to_contain_text("delivered")
    expect(box).to_have_value("")
    wait_until(
        lambda: [one["text"] for one in on_phone(desk, "905551110001")] == ["Evet, saat 20:00'de."], "the answer"
    )
    desk.product.sandbox_call("POST", "/phones/905551110001/read", {})
    expect(answer).to_contain_text("read")
    desk.write("Harika, teşekkürler!", "905551110001")
    expect(bubble(page, "Harika, teşekkürler!")).to_be_visible()
    # It is open on a screen, so it is read: the customer sees that too.
    expect(page.locator(".talk .count")).to_have_count(0)
    assert stayed(page)


def test_a_reply_is_kept_while_it_is_typed_and_sent_once(desk: Desk) -> None:
    desk.write("Merhaba", "905551110002", name="Bora Demir")
    page = desk.person("staff", "Ece")
    open_talk(page, "Bora Demir")
    box = page.get_by_role("textbox", name="Reply to Bora Demir")
    box.fill("Half a thought")
    page.reload()
    expect(box).to_have_value("Half a thought")
    # The same form twice, as a browser sends it when a page is sent again.
    twice = """async () => { const form = document.getElementById("composer"); const send = () => fetch(form.action,
        {method: "POST", body: new FormData(form), headers: {Accept: "application/json"}}).then((one) => one.status);
        return [await send(), await send()]; }"""
    assert page.evaluate(twice) == [200, 200]

    def goes_on(route: Route) -> None:
        """More is typed before the answer is here."""
        box.press_sequentially(" and")
        route.continue_()

    page.route("**/send", goes_on)
    box.press("Enter")
    expect(box).to_have_value("and")
    wait_until(lambda: len(on_phone(desk, "905551110002")) >= 1, "the reply")
    page.reload()
    expect(page.locator(".bubble[data-direction=out]")).to_have_count(1)
    assert [one["text"] for one in on_phone(desk, "905551110002")] == ["Half a thought"]
    page.context.close()


@pytest.mark.looks
def test_files_are_sent_and_shown(desk: Desk, page: Page, tmp_path: Path) -> None:
    desk.write("Menü var mı?", "905551110003", name="Cem")
    open_talk(page, "Cem")
    picture = tmp_path / "menu.png"
    picture.write_bytes(PICTURE)
    page.set_input_files("#composer input[type=file]", picture)
    expect(page.get_by_text("menu.png")).to_be_visible()
    page.get_by_role("textbox", name="Reply to Cem").fill("Buyurun")
    page.get_by_role("button", name="Send", exact=True).click()
    sent = bubble(page, "Buyurun")
    expect(sent.locator("img")).to_be_visible()
    expect(sent).to_contain_text("delivered")
    wait_until(lambda: [one["type"] for one in on_phone(desk, "905551110003")] == ["image"], "the picture")
    source = sent.locator("img").get_attribute("src")
    assert page.evaluate(f"fetch('{source}').then((one) => one.headers.get('content-type'))") == "image/png"
    refused = tmp_path / "game.exe"
    refused.write_bytes(b"MZ\x90\x00 a program")
    page.set_input_files("#composer input[type=file]", refused)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator(".composer-problem")).to_contain_text("Programs and web pages cannot be sent")
    desk.product.sandbox_call("POST", "/phones/905551110003/messages", {"type": "document", "filename": "list.pdf"})
    link = page.locator(".bubble a.file", has_text="list.pdf")
    expect(link).to_be_visible()
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "list.pdf"


@pytest.mark.looks
def test_canned_replies_come_by_a_slash(desk: Desk, page: Page) -> None:
    desk.product.call("POST", "/canned-replies", {"shortcut": "saat", "text": "Merhaba {name}, 9-23 açığız."})
    desk.write("Kaçta açılıyorsunuz?", "905551110004", name="Derya Ak")
    open_talk(page, "Derya Ak")
    box = page.get_by_role("textbox", name="Reply to Derya Ak")
    box.press_sequentially("/sa")
    expect(page.get_by_role("option", name="/saat")).to_be_visible()
    box.press("Enter")
    expect(box).to_have_value("Merhaba Derya, 9-23 açığız.")
    box.press("Enter")
    expect(bubble(page, "Merhaba Derya, 9-23 açığız.")).to_be_visible()
    page.goto("/panel/inbox/replies")
    page.get_by_role("link", name="Add a reply").click()
    page.get_by_label("Shortcut").fill("adres")
    page.get_by_label("Text").fill("İstiklal Caddesi 12")
    page.get_by_role("button", name="Add a reply").click()
    expect(page.get_by_text("/adres is ready to use.")).to_be_visible()


def test_a_conversation_is_taken_closed_and_opens_again_by_itself(desk: Desk) -> None:
    desk.write("Rezervasyon", "905551110005", name="Elif Su")
    page = desk.person("manager", "Aylin")
    open_talk(page, "Elif Su")
    page.get_by_label("Who looks after it").select_option(label="Aylin")
    expect(page.get_by_text("Saved who looks after it.")).to_be_visible()
    page.goto("/panel/inbox?show=mine")
    expect(page.locator(".talk")).to_have_count(1)
    page.get_by_role("link", name="Elif Su").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Closed. It reopens")).to_be_visible()
    expect(page.get_by_role("link", name="Elif Su")).to_have_count(0)
    page.goto("/panel/inbox?show=closed")
    expect(page.get_by_role("link", name="Elif Su")).to_be_visible()
    page.goto("/panel/inbox")
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    desk.write("Bir şey daha", "905551110005")
    expect(page.get_by_role("link", name="Elif Su")).to_be_visible()
    page.context.close()


@pytest.mark.looks
def test_who_has_not_written_gets_a_template(desk: Desk, page: Page) -> None:
    status, made = desk.product.call("POST", "/contacts", {"phone": "905551110006", "name": "Fatma"})
    assert status == 201
    page.goto(f"/panel/inbox/{made['id']}")
    expect(page.get_by_text("The first message must be a template")).to_be_visible()
    page.get_by_role("link", name="Send a template").click()
    page.get_by_role("link", name="order_confirmation tr").click()
    for place, words in (("1", "Fatma"), ("2", "ORD-7"), ("3", "120 TL")):
        page.get_by_label(f"Text for {place}").fill(words)
    page.get_by_role("button", name="Send this template").click()
    expect(bubble(page, "Merhaba Fatma, ORD-7 numaralı siparişinizi aldık.")).to_be_visible()
    wait_until(lambda: len(on_phone(desk, "905551110006")) == 1, "the template")
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    desk.write("Teşekkürler", "905551110006")
    # Now she may be answered freely, and the page offers it.
    expect(page.get_by_role("textbox", name="Reply to Fatma")).to_be_visible()


def test_hands_stay_on_the_keys(desk: Desk, page: Page) -> None:
    page.goto("/panel/inbox")
    talks = page.locator(".talk")
    # One after the other: only then is it known who stands on top.
    for text, phone, name in (("Bir", "905551110007", "Gül"), ("İki", "905551110008", "Hakan")):
        desk.write(text, phone, name=name)
        expect(talks.first).to_contain_text(name)
    first = talks.first.get_attribute("href")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{first}")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("gul")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=gul*")
    expect(page.locator(".talk")).to_have_count(1)


def test_on_a_phone_the_list_and_the_conversation_take_turns(desk: Desk) -> None:
    desk.write("Selam", "905551110009", name="Işıl")
    page = desk.person(width=360, height=740, language="tr")
    page.goto("/panel/inbox")
    page.locator(".talk", has_text="Işıl").click()
    expect(page.locator(".talks")).to_be_hidden()
    expect(page.get_by_role("textbox")).to_be_in_viewport()
    page.get_by_role("link", name="Listeye dön").click()
    expect(page.locator(".talk", has_text="Işıl")).to_be_visible()
    page.context.close()


def test_a_refused_message_says_why(desk: Desk, page: Page) -> None:
    desk.write("Oradasınız?", "905551110010", name="Jale")
    open_talk(page, "Jale")
    desk.product.sandbox_call("POST", "/faults", {"kind": "undeliverable", "phone": "905551110010"})
    box = page.get_by_role("textbox", name="Reply to Jale")
    box.fill("Buradayız")
    box.press("Enter")
    failed = bubble(page, "Buradayız")
    expect(failed).to_contain_text("failed")
    expect(failed).to_contain_text("This number is not on the messaging network.")
    # What was typed is still there.
    expect(box).to_have_value("Buradayız")
