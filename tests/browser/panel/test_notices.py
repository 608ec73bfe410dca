"""Notifications in a real browser: the phone follows what is typed, and an order of a shop becomes its message."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
import urllib.request
from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import Desk, open_desk
from tests.databases import Databases
from tests.product import wait_until
from tests.stores.shops import PHONE, order

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def desk(databases: Databases) -> Iterator[Desk]:
    url = databases.migrated()
    with open_desk(url) as opened:
        yield opened
    databases.drop(url)


@pytest.mark.looks
def test_a_text_is_edited_beside_its_phone_and_an_order_of_a_shop_arrives_so(desk: Desk) -> None:
    page = desk.person(language="tr", width=390, height=844)
    page.goto("/panel/notices/wording/order_confirmation-1-tr")
    phone, text = page.locator("[data-phone] .phone"), page.locator("textarea[name=text]")
    expect(phone).to_contain_text("Merhaba Ayşe, Pamuk Ev")
    text.fill("Sevgili ")
    page.locator("[data-variable='{full_name}']").click()
    text.press_sequentially(", {number} bizde: {total} <b>")
    expect(phone).to_contain_text("Sevgili Ayşe Yılmaz, #1001 bizde: ₺1.250,50 <b>")
    text.press_sequentially(" {olmayan}")
    expect(phone).to_contain_text("Burada {olmayan} yok.")
    for _ in " {olmayan}":
        text.press("Backspace")
    page.locator("input[name=enabled]").check()
    page.locator("form[data-preview] button.primary").click()
    expect(page.get_by_role("status")).to_contain_text("Artık gönderilecek")

    wish = {"platform": "woocommerce", "name": "Cezveci", "country": "TR", "currency": "TRY"}
    status, source = desk.product.call("POST", "/stores/sources", wish)
    assert status == 201, source
    now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    body = msgspec.json.encode(order(at=now, date_created_gmt=now))
    proof = base64.b64encode(hmac.digest(source["secret"].encode(), body, hashlib.sha256)).decode()
    headers = {
        "Content-Type": "application/json", "X-WC-Webhook-Topic": "order.created", "X-WC-Webhook-Signature": proof,
    }  # fmt: skip
    path = source["hook_url"].partition("/hooks/")[2]
    for _ in range(3):
        call = urllib.request.Request(f"{desk.product.url}/hooks/{path}", data=body, headers=headers)
        urllib.request.urlopen(call, timeout=30).close()
    wait_until(lambda: desk.product.on_phone(PHONE), "the message on the phone", 60)
    page.goto("/panel/notices/log?q=41")
    expect(page.locator("main tbody tr")).to_have_count(1)
    expect(page.locator("main tbody tr")).to_contain_text("Gönderildi")
    # The contact shows the order, which leads to what was said about it.
    (contact,) = desk.product.call("GET", f"/contacts?q={PHONE}")[1]["data"]
    page.goto(f"/panel/contacts/{contact['id']}")
    page.locator("a[href='/panel/notices/log?q=41']").first.click()
    expect(page.locator("main tbody tr")).to_contain_text("Sipariş onayı")
    (said,) = desk.product.on_phone(PHONE)
    assert "Sevgili Defne Aksoy, #41 bizde: ₺129,90 <b>" in str(said)
