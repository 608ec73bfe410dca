"""The phone page in a real browser: a person writes as a customer and sees what a line does, live."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tablegram.sandbox.store import Number
from tests.browser.lone_sandbox import LINE, TOKEN, LoneSandbox, eventually
from tests.browser.panel.judging import serious
from tests.browser.phone.hall import ANNA, ASK, MENU, TOM, handset

WHERE = {"type": "location_request_message", "body": {"text": "Where to?"}, "action": {"name": "send_location"}}


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
    phone.get_by_role("button", name="Linked devices").click()
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
        eventually(partial(lambda number: len(net.inbound()) == number, number))
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


def test_a_text_that_was_not_sent_is_not_lost(net: LoneSandbox, visit: Any) -> None:
    page = visit()
    page.route("**/messages", lambda route: route.fulfill(status=422, json={"detail": "The line is closed."}))
    phone = handset(page, "Ayşe")
    phone.get_by_label("Write a message").fill("Keep me")
    phone.get_by_label("Write a message").press("Enter")
    expect(phone.get_by_role("alert")).to_contain_text("The line is closed.")
    expect(phone.get_by_label("Write a message")).to_have_value("Keep me")


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
