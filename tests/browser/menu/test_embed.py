"""The script for other people's websites: a chat button and an order's state, on a page that is not ours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tablegram import menu_page
from tests.browser.menu.restaurant import Restaurant
from tests.browser.panel.judging import violations
from tests.product import fetch

PAGE = """<!doctype html><html lang="{language}"><head><title>A shop</title>
<meta name="color-scheme" content="light dark"></head><body><main><h1>A shop</h1>
<tablegram-order token="{token}"></tablegram-order></main>
<tablegram-chat phone="+90 555 111 22 33" text="Merhaba & selam"></tablegram-chat>
<script src="{script}" async></script></body></html>"""


@contextmanager
def website(text: str) -> Iterator[str]:
    """A page of somebody else's, at another address than ours."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode() if self.path == "/" else b"")

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.looks
@pytest.mark.judged
def test_a_website_shows_an_order_and_a_way_to_write(restaurant: Restaurant) -> None:
    product, key = restaurant.product, {"Authorization": f"Bearer {restaurant.product.key}"}
    _, menu = product.call("GET", f"/restaurant/venues/{restaurant.venue.id}/menu")
    _, tables = product.call("GET", f"/restaurant/venues/{restaurant.venue.id}/tables")
    plain = next(one for one in menu["items"] if one["name"] == "Humus")
    wish = {"venue_id": restaurant.venue.id, "table_id": tables["data"][0]["id"], "lines": [{"item_id": plain["id"]}]}
    status, order = product.call("POST", "/orders", wish)
    assert status == 201, order
    token = order["status_url"].rpartition("/")[2]

    def show(language: str, scheme: str, token: str) -> tuple[str, list[str]]:
        page = restaurant.page(restaurant.context(language=language, scheme=scheme, width=390))
        text = PAGE.format(language=language, token=token, script=f"{restaurant.url}/embed.js")

        with website(text) as address:
            page.goto(address)
            return look(page, language, token)

    def look(page: Page, language: str, token: str) -> tuple[str, list[str]]:
        chat = page.get_by_role("link", name="Bize yazın" if language == "tr" else "Chat with us")
        expect(chat).to_have_attribute("href", "https://wa.me/905551112233?text=Merhaba%20%26%20selam")
        expect(page.get_by_role("status")).not_to_be_empty()
        assert [found for _, found in violations(page)] == []
        if token == order["status_url"].rpartition("/")[2]:
            _, moved = fetch(f"{product.url}/api/v1/orders/{order['order_id']}", headers=key)
            act = next(one for one in ("start", "finish") if one in moved["actions"])
            # Read first: it looks by itself now and then, and may know of the step before it is made to look.
            before = page.get_by_role("status").inner_text()
            assert product.call("POST", f"/orders/{order['order_id']}/{act}", {})[0] == 200
            page.locator("tablegram-order").evaluate("(order) => order.look()")
            expect(page.get_by_role("status")).not_to_have_text(before)
        assert page.context.cookies() == []
        assert page.evaluate("localStorage.length + sessionStorage.length") == 0
        return page.get_by_role("status").inner_text(), page.locator("tablegram-order li").all_inner_texts()

    words, steps = show("en", "light", token)
    assert words.startswith("Being prepared")
    assert len(steps) == 5
    words, _ = show("tr", "dark", token)
    assert words.startswith("Hazır")
    assert show("tr", "light", "made-up")[0] == "Böyle bir sipariş yok."


def test_the_script_is_small_and_says_nothing_of_the_guest(restaurant: Restaurant) -> None:
    script = Path(menu_page.__file__).parent / "static" / "embed.js"
    assert len(script.read_bytes()) < 6 * 1_024
    status, problem = restaurant.call("GET", "/orders/made-up/embed")
    assert (status, problem["code"]) == (404, "order_unknown")
