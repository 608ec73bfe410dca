"""The phone page in a real browser: a person writes as a customer and sees what a line does, live."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from tablegram.sandbox.store import Number
from tests.browser.chromium import browsing, leave
from tests.browser.lone_sandbox import LINE, TOKEN, LoneSandbox, eventually, lone_sandbox
from tests.browser.panel.judging import serious

ANNA, TOM = "905551112233", "447700900123"
ASK = {
    "type": "button",
    "header": {"type": "text", "text": "Your order"},
    "body": {"text": "Is it right?"},
    "action": {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Confirm"}}]},
}
MENU = {
    "type": "list",
    "body": {"text": "What would you like?"},
    "action": {
        "button": "See the menu",
        "sections": [{"title": "Soups", "rows": [{"id": "r1", "title": "Lentil soup", "description": "With lemon"}]}],
    },
}
WHERE = {"type": "location_request_message", "body": {"text": "Where to?"}, "action": {"name": "send_location"}}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as opened:
        yield opened


@pytest.fixture
def net(tmp_path: Path) -> Iterator[LoneSandbox]:
    with lone_sandbox(tmp_path / "s.db") as running:
        yield running


@dataclass
class Hall:
    """Where visitors sit. The first of each test has the seat that stays; its network, and what it keeps, are another test's."""

    browser: Browser
    troubles: list[str] = field(default_factory=list)
    seat: Page | None = None

    def sit(self, width: int = 1440, locale: str = "en-GB", scheme: Any = "light") -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, locale=locale, color_scheme=scheme, reduced_motion="reduce"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._hear)
        return page

    def _hear(self, entry: ConsoleMessage) -> None:
        # A refusal is an answer like others, though browsers write it into the console.
        if entry.type == "error" and "422" not in entry.text:
            self.troubles.append(entry.text)


@pytest.fixture(scope="module")
def hall(browser: Browser) -> Hall:
    made = Hall(browser)
    made.seat = made.sit()
    return made


@pytest.fixture
def visit(hall: Hall, net: LoneSandbox) -> Iterator[Any]:
    """Opens the page as some visitor, and lets no error in its console pass."""
    seats, others = [hall.seat], []
    hall.troubles.clear()

    def open_page(query: str = "", **look: Any) -> Page:
        page = seats.pop() if seats and not look else None
        if page is None:
            page = hall.sit(**look)
            others.append(page.context)
        page.goto(net.page + query)
        expect(page.locator("#live")).to_have_attribute("data-state", "live")
        return page

    yield open_page
    for context in others:
        context.close()
    assert hall.seat is not None
    leave(hall.seat)
    # They know no ports.
    hall.seat.context.clear_cookies()
    assert hall.troubles == []


def handset(page: Page, name: str) -> Any:
    return page.get_by_role("article", name=f"Phone of {name}")


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


def test_a_person_writes_as_a_customer_and_the_line_is_told(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    phone = handset(page, "Ayşe")
    phone.get_by_label("Write a message").fill("Two teas, please")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.get_by_role("log")).to_contain_text("Two teas, please")
    eventually(net.inbound)
    [message] = net.inbound()
    assert (message["from"], message["text"]["body"]) == (ANNA, "Two teas, please")
    bubble = phone.locator(".bubble.mine")
    expect(bubble.locator(".tick")).to_have_text("delivered")
    net.call(
        "POST",
        "/graph/v25.0/1065403522/messages",
        {"messaging_product": "whatsapp", "status": "read", "message_id": message["id"]},
        "token",
    )
    expect(bubble.locator(".tick")).to_have_text("read")
    expect(phone.get_by_label("Write a message")).to_be_focused()


def test_a_message_arrives_live_and_is_read_by_being_looked_at(net: LoneSandbox, visit: Any) -> None:
    page = visit(f"?phone={TOM}")
    wamid = net.send(TOM, "Your *order* is ready")
    bubble = handset(page, "Tom").locator(".bubble.theirs")
    expect(bubble.locator("strong")).to_have_text("order")
    expect(bubble.locator(".tick")).to_have_text("read")
    eventually(lambda: list(dict.fromkeys(net.statuses(wamid))) == ["sent", "delivered", "read"])

    def late(route: Route) -> None:
        """What the page asked for is on its way while another message arrives."""
        answer = route.fetch()
        net.send(TOM, "And your coffee")
        route.fulfill(response=answer)

    page.route(re.compile(f"/phones/{TOM}/messages"), late, times=1)
    page.reload()
    expect(bubble).to_have_count(2)
    expect(bubble.last).to_contain_text("And your coffee")


def test_whoever_looks_at_their_chats_goes_on_looking_at_them(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    phone = handset(page, "Ayşe")
    phone.get_by_role("button", name="All chats").click()
    # A line that comes to the network makes the page load all of it once more.
    net.call("PUT", "/numbers/2065403522", {"access_token": "other", "name": "Second line"})
    expect(phone.get_by_role("button", name="Second line")).to_be_visible()
    phone.get_by_role("button", name="Linked devices").click(timeout=5_000)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_what_people_write_never_becomes_part_of_the_page(net: LoneSandbox, visit: Any) -> None:
    page = visit(f"?phone={TOM}")
    hostile = "<img src=x onerror=alert(1)> *<b>x</b>* 2*3*4 snake_case_word"
    net.send(TOM, hostile)
    words = handset(page, "Tom").locator(".bubble .words")
    expect(words).to_have_text("<img src=x onerror=alert(1)> <b>x</b> 2*3*4 snake_case_word")
    expect(words.locator("img, b, em")).to_have_count(0)
    expect(words.locator("strong")).to_have_text("<b>x</b>")


def test_buttons_and_lists_can_be_tapped(net: LoneSandbox, visit: Any) -> None:
    page = visit(f"?phone={TOM}")
    phone = handset(page, "Tom")
    net.send_as(TOM, "interactive", ASK)
    phone.get_by_role("button", name="Confirm").click()
    eventually(lambda: len(net.inbound()) == 1)
    assert net.inbound()[0]["interactive"]["button_reply"] == {"id": "yes", "title": "Confirm"}
    net.send_as(TOM, "interactive", MENU)
    phone.get_by_role("button", name="See the menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Lentil soup").click()
    eventually(lambda: len(net.inbound()) == 2)
    assert net.inbound()[1]["interactive"]["list_reply"]["id"] == "r1"
    asked = net.send_as(TOM, "interactive", WHERE)
    phone.get_by_role("button", name="Send location").click()
    eventually(lambda: len(net.inbound()) == 3)
    assert net.inbound()[2]["location"]["latitude"] == 40.990278
    assert net.inbound()[2]["context"]["id"] == asked


def test_photo_location_and_contact_can_be_attached(net: LoneSandbox, visit: Any) -> None:
    page = visit(f"?phone={TOM}")
    phone = handset(page, "Tom")
    things = (("Sample photo", None), ("Location", "Send this location"), ("Contact", "Send this contact"))
    for number, (name, confirm) in enumerate(things, start=1):
        phone.get_by_role("button", name="Attach").click()
        phone.get_by_role("button", name=name, exact=True).click()
        if confirm:
            page.get_by_role("button", name=confirm).click()
        # Sent one after the other, they arrive so.
        eventually(lambda number=number: len(net.inbound()) == number)
    assert [message["type"] for message in net.inbound()] == ["image", "location", "contacts"]
    expect(phone.locator("img.photo")).to_have_js_property("naturalWidth", 320)


def test_a_bubble_opens_to_its_wire_and_is_answered_reacted_to_and_told_again(net: LoneSandbox, visit: Any) -> None:
    page = visit(f"?phone={TOM}")
    phone = handset(page, "Tom")
    wamid = net.send(TOM, "Your order is <b>ready</b>")
    bubble = phone.locator(".bubble.theirs")
    expect(bubble.locator(".tick")).to_have_text("read")
    # A tap anywhere on it.
    bubble.locator(".words").click()
    drawer = page.get_by_role("dialog", name="Behind this message")
    expect(drawer.locator("[data-part=wire] code")).to_contain_text('"body": "Your order is <b>ready</b>"')
    expect(drawer.locator("[data-part=ids]")).to_contain_text(wamid)
    told = drawer.locator("[data-part=callbacks] > li")
    expect(told).to_have_count(3)
    expect(told.last).to_contain_text(re.compile(r"answered · \d attempt"))
    told.last.locator("summary").click()
    expect(told.last.locator(".attempts")).to_contain_text("HTTP 200")
    read = net.statuses(wamid).count("read")
    told.last.get_by_role("button", name="Post it again").click()
    expect(told).to_have_count(4)
    # On a busy machine an attempt may have been given up and made again.
    eventually(lambda: net.statuses(wamid).count("read") > read)
    # The same face twice takes it back.
    face = drawer.get_by_role("button", name="React with ❤️")
    face.click()
    expect(face).to_have_attribute("aria-pressed", "true")
    expect(bubble.locator(".reactions")).to_contain_text("❤️")
    face.click()
    expect(face).to_have_attribute("aria-pressed", "false")
    eventually(lambda: len(net.inbound()) == 2)
    assert [message["reaction"] for message in net.inbound()] == [
        {"message_id": wamid, "emoji": "❤️"},
        {"message_id": wamid},
    ]
    drawer.get_by_role("button", name="Reply").click()
    expect(phone.locator(".quote")).to_contain_text("Your order is <b>ready</b>")
    expect(phone.get_by_label("Write a message")).to_be_focused()
    page.keyboard.type("On my way")
    page.keyboard.press("Enter")
    eventually(lambda: len(net.inbound()) == 3)
    assert net.inbound()[2]["context"]["id"] == wamid
    expect(phone.locator(".quote")).to_be_hidden()
    expect(phone.locator(".bubble.mine .quoted")).to_contain_text("Your order is <b>ready</b>")


@pytest.mark.looks
@pytest.mark.judged
def test_a_bubble_opens_by_keyboard_and_the_chat_is_cleared(net: LoneSandbox, visit: Any) -> None:
    net.call("POST", f"/phones/{TOM}/messages", {"text": "By keyboard"})
    page = visit(f"?phone={TOM}", width=360)
    phone = handset(page, "Tom")
    details = phone.get_by_role("button", name="Details")
    details.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Behind this message")
    expect(drawer.locator("[data-part=callbacks] summary")).to_contain_text("answered")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert list(serious(page)) == []
    page.keyboard.press("Escape")
    expect(details).to_be_focused()
    phone.get_by_role("button", name="Clear this chat").click()
    page.get_by_role("button", name="Clear it").click()
    expect(phone.locator(".log .empty")).to_be_visible()
    assert net.call("GET", f"/phones/{TOM}/messages")["data"] == []


def test_a_fault_is_added_acts_and_is_removed_in_the_drawer(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    page.get_by_role("button", name="Faults").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_label("What goes wrong").select_option("undeliverable")
    drawer.get_by_label("How many times").fill("2")
    drawer.get_by_role("button", name="Add this fault").click()
    expect(drawer.get_by_role("listitem")).to_contain_text("2 left")
    [fault] = net.call("GET", "/faults")["data"]
    assert (fault["kind"], fault["times"]) == ("undeliverable", 2)
    drawer.get_by_role("button", name="Remove Phone cannot be reached").click()
    expect(drawer.get_by_text("the network behaves")).to_be_visible()
    assert net.call("GET", "/faults")["data"] == []
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("button", name="Faults")).to_be_focused()


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


def test_a_text_that_was_not_sent_is_not_lost(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    page.route("**/messages", lambda route: route.fulfill(status=422, json={"detail": "The line is closed."}))
    phone = handset(page, "Ayşe")
    phone.get_by_label("Write a message").fill("Keep me")
    phone.get_by_label("Write a message").press("Enter")
    expect(phone.get_by_role("alert")).to_contain_text("The line is closed.")
    expect(phone.get_by_label("Write a message")).to_have_value("Keep me")


def test_an_empty_chat_teaches_the_first_command(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    empty = handset(page, "Ayşe").locator(".log .empty")
    expect(empty).to_contain_text("No messages yet")
    expect(empty.locator("code")).to_contain_text("/api/v1/messages/send")


def test_the_whole_way_works_by_keyboard(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the phones")).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "TEXTAREA":
            break
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    eventually(net.inbound)
    assert net.inbound()[0]["text"]["body"] == "By keyboard"


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


def test_a_template_that_waits_is_approved_or_rejected_by_a_tap(visit: Any, net: LoneSandbox) -> None:
    page = visit()
    expect(page.locator("#templates-part")).to_be_hidden()
    waba = Number(id=LINE, access_token=TOKEN).waba_id
    body = [{"type": "BODY", "text": "Your table is ready."}]
    asked = {"name": "pending_table", "language": "en", "category": "UTILITY", "components": body}
    net.call("POST", f"/graph/v25.0/{waba}/message_templates", asked, token=TOKEN)
    # A name with "pending" in it waits for somebody; the open page hears of it.
    row = page.locator('[data-template="pending_table"]')
    expect(row).to_contain_text("waits for review")
    row.get_by_role("button", name="Reject").click()
    expect(row).to_contain_text("rejected")
    row.get_by_role("button", name="Approve").click()
    expect(row).to_contain_text("approved")
    kept = [one for one in net.call("GET", "/templates")["data"] if one["submitted"]]
    assert [(one["name"], one["status"]) for one in kept] == [("pending_table", "APPROVED")]
    assert list(serious(page)) == []
