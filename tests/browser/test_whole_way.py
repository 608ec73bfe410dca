"""From the code on the table to the kitchen's board, the customer's server and back to the guest's phone."""

from __future__ import annotations

import io
import json
import re
import urllib.request
from typing import Any

import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect
from standardwebhooks.webhooks import Webhook

from tests.browser.panel.customer import Customer, customer
from tests.browser.panel.desk import Desk, open_desk
from tests.product import wait_until

LOOPBACK = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}
# The specification's fields with their types, in its order.
EVENT = {
    "event": str, "order_id": str, "order_type": str, "table_number": str, "waiter_assigned": str, "customer": dict,
    "items": list, "notes": str, "total_amount": float | int, "payment_method": str, "status": str,
}  # fmt: skip
ORDER_LINK = re.compile(r"https?://\S+/api/v1/menu/orders/\S+")
ITEM = {"name": str, "quantity": int, "unit_price": float | int, "options": list, "station": str}


def test_a_guest_scans_chooses_and_sends_and_everybody_hears_of_it(database_url: str) -> None:
    with customer() as server, open_desk(database_url, LOOPBACK) as desk:
        kinds = ["restaurant.order_created", "restaurant.order_updated"]
        status, endpoint = desk.product.call("POST", "/webhooks", {"url": server.url, "events": kinds})
        assert status == 201
        board = desk.person("staff", width=1024, height=768)
        board.goto("/panel/board")
        expect(board.locator("html[data-live=on]")).to_be_attached()
        expect(board.locator(".ticket")).to_have_count(0)

        guest = _scan(desk, "5")
        phone = _send(guest)
        ticket = board.locator(".ticket")
        expect(ticket).to_contain_text("ADANA")
        expect(ticket).to_contain_text("no onion please")
        wait_until(lambda: server.bodies, "the event")
        body = _check_event(server, endpoint["secret"])
        said = phone.locator("body")
        expect(said).to_contain_text(body["order_id"])
        expect(said).to_contain_text(ORDER_LINK)
        link = ORDER_LINK.search(said.inner_text())
        assert link is not None

        ticket.get_by_role("button").first.click()
        expect(board.locator("[data-list=preparing] .ticket")).to_have_count(1)
        wait_until(lambda: len(server.bodies) == 2, "the second event")
        assert (json.loads(server.bodies[1])["event"], json.loads(server.bodies[1])["status"]) == (
            kinds[1],
            "preparing",
        )
        # In a page of its own: the menu closes its cart when it hears of the order, which is a step of its history.
        followed = guest.context.new_page()
        followed.goto(link[0])
        expect(followed.locator("main")).to_contain_text(body["order_id"])
        expect(followed.locator("main")).to_contain_text("Adana")

        # The very same text once more is the very same order.
        desk.product.sandbox_call("POST", "/phones/905551112233/messages", {"text": _heard(desk)[0]})
        wait_until(lambda: len(_heard(desk)) == 2, "the second text")
        assert len(desk.product.call("GET", "/orders")[1]["data"]) == 1
        assert len(server.bodies) == 2


def _scan(desk: Desk, label: str) -> Page:
    """Read the printed code as a phone's camera does, and open what it says."""
    venue = desk.product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    tables = desk.product.call("GET", f"/restaurant/venues/{venue}/tables?limit=100")[1]["data"]
    table = next(one for one in tables if one["label"] == label)
    request = urllib.request.Request(
        f"{desk.product.api}/restaurant/venues/{venue}/tables/{table['id']}/code.png",
        headers={"Authorization": f"Bearer {desk.product.key}"},
    )
    with urllib.request.urlopen(request) as answer:
        (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(answer.read())))
    assert "&t=" in code.text
    context = desk.browser.new_context(viewport={"width": 360, "height": 740}, locale="en-GB", has_touch=True)
    page = context.new_page()
    page.goto(code.text)
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    expect(page.get_by_text(f"Table {label}", exact=True)).to_be_visible()
    return page


def _send(guest: Page) -> Page:
    """Two dishes and a note, and the ready text sent from the phone's app."""
    guest.get_by_role("button", name="Add Hummus", exact=True).click()
    guest.get_by_role("button", name=re.compile("^Add Adana Kebab$")).click()
    sheet = guest.get_by_role("dialog")
    expect(sheet).to_be_visible()
    for box in sheet.locator("fieldset:has([required]), fieldset[data-required]").all():
        box.locator("input").first.check()
    sheet.get_by_label(re.compile("note", re.IGNORECASE)).fill("no onion please")
    sheet.get_by_role("button", name=re.compile("^Add")).click()
    guest.get_by_role("button", name="See cart").click()
    cart = guest.get_by_role("dialog", name="Your cart")
    expect(cart.get_by_text("Saved, with today's prices")).to_be_visible()
    with guest.context.expect_page() as opened:
        cart.get_by_role("link", name=re.compile("^Send order")).click()
    phone = opened.value
    phone.wait_for_load_state()
    expect(phone.get_by_label("Write a message").first).to_have_value(re.compile("Hummus"))
    phone.get_by_role("button", name="Send", exact=True).first.click()
    return phone


def _check_event(server: Customer, secret: str) -> dict[str, Any]:
    """Signed so that the reference library believes it; every field of the specification, first and in its order."""
    body, headers = server.bodies[0], server.headers[0]
    Webhook(secret).verify(body, headers)
    event: dict[str, Any] = json.loads(body)
    assert list(event)[: len(EVENT)] == list(EVENT)
    assert all(isinstance(event[name], kind) for name, kind in EVENT.items())
    assert all(list(item)[: len(ITEM)] == list(ITEM) for item in event["items"])
    assert all(isinstance(item[name], kind) for item in event["items"] for name, kind in ITEM.items())
    told = {name: event[name] for name in ("event", "order_type", "table_number", "payment_method", "status")}
    assert told == {
        "event": "restaurant.order_created", "order_type": "dine_in", "table_number": "5",
        "payment_method": "pos_at_table", "status": "sent_to_kitchen",
    }  # fmt: skip
    assert event["waiter_assigned"] == "Elif"
    assert re.fullmatch(r"ORD-\d{8}-0001", event["order_id"])
    assert event["customer"]["phone"] == "+905551112233"
    assert event["total_amount"] == sum(item["quantity"] * item["unit_price"] for item in event["items"])
    assert {item["station"] for item in event["items"]} <= {"kitchen", "bar"}
    return event


def _heard(desk: Desk) -> list[str]:
    """What guests' phones have sent."""
    page = desk.product.call("GET", "/messages?direction=in")[1]
    return [one["text"] for one in page["data"]]
