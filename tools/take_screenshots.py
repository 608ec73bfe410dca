"""Pictures of the main pages, for the README and the docs: starts the product, fills it, and looks at it."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from PIL import Image
from playwright.sync_api import Browser, expect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tablegram.printing.paper.dots.drawing import draw_png  # noqa: E402
from tablegram.printing.paper.dots.jobs import Order  # noqa: E402
from tablegram.printing.paper.layouts.laying_out import lay_out  # noqa: E402
from tests.browser.chromium import browsing, close_browser  # noqa: E402
from tests.browser.panel.house import House, open_house  # noqa: E402
from tests.databases import open_databases  # noqa: E402
from tests.printing.paper.samples import KINDS  # noqa: E402
from tests.product import Product, running_product, wait_until  # noqa: E402

IMAGES = ROOT / "docs" / "images"
AYSE, TOM = "905551112233", "447700900123"
# A day begins with empty figures: the pictures are taken where it is evening, first of all at home.
EVENING = range(16, 22)
ZONES = (
    "Europe/Istanbul",
    "America/Sao_Paulo",
    "America/Los_Angeles",
    "Pacific/Auckland",
    "Asia/Tokyo",
    "Asia/Karachi",
)


def fill(product: Product) -> None:
    """A short conversation on two phones, as a first visitor would have it."""
    product.send(AYSE, "Hello Ayşe! Your order *1042* is on its way.")
    product.sandbox_call(
        "POST", f"/phones/{AYSE}/messages", {"type": "text", "text": "Great, thank you! When will it arrive?"}
    )
    product.send(AYSE, "In about *25 minutes*. The courier calls at your door.")
    buttons = [{"id": "yes", "title": "Confirm"}, {"id": "no", "title": "Cancel"}]
    body = {"phone": TOM, "body": "A table for *4* tonight at 20:00?", "footer": "Lezzet Ocakbaşı", "buttons": buttons}
    status, answer = product.call("POST", "/messages/send-buttons", body)
    assert status == 200, answer
    place = {
        "phone": TOM,
        "latitude": 41.0256,
        "longitude": 28.9744,
        "name": "Lezzet Ocakbaşı",
        "address": "Galata, İstanbul",
    }
    status, answer = product.call("POST", "/messages/send-location", place)
    assert status == 200, answer
    wait_until(lambda: len(product.on_phone(AYSE)) == 3 and len(product.on_phone(TOM)) == 2)


def where_it_is_evening() -> str:
    return next((one for one in ZONES if datetime.now(ZoneInfo(one)).hour in EVENING), ZONES[0])


def shoot(browser: Browser, url: str, name: str, width: int, height: int, scheme: Literal["light", "dark"]) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale="en-GB",
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(url)
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / name)
    context.close()
    print(f"docs/images/{name}")


# Name of the picture and address.
PANEL = {
    "home": "/panel/",
    "inbox": "/panel/inbox",
    "contacts": "/panel/contacts",
    "board": "/panel/board",
    "orders": "/panel/orders",
    "sales": "/panel/sales",
    "menu": "/panel/menu",
    "tables": "/panel/tables",
    "venue": "/panel/venue",
    "layouts": "/panel/venue/layouts",
    "take": "/panel/take",
    "lines": "/panel/lines",
    "keys": "/panel/keys",
    "webhooks": "/panel/webhooks",
    "samples": "/panel/samples",
    "usage": "/panel/usage",
    "requests": "/panel/requests",
    "audit": "/panel/audit",
    "operator": "/panel/operator",
}


def shoot_panel(house: House, wanted: list[str]) -> None:
    """Each place of the panel on a desk, and those that a waiter uses on a phone."""
    for width, height, ending, names in (
        (1440, 900, "", list(PANEL)),
        (360, 760, "-small", ["home", "inbox", "contacts", "board"]),
    ):
        names = [name for name in names if not wanted or name in wanted]
        page = house.owner("en", "light", width, height)
        # The first page of all finds out where they are.
        page.goto(PANEL["home"])
        for name in names:
            page.goto(PANEL[name])
            if name == "inbox":
                page.locator("main a[href^='/panel/inbox/']", has_text="Tom").first.click()
                expect(page.locator("#reply, .window-shut").first).to_be_visible()
            if name == "take":
                page.locator("#tables").get_by_role("button", name=re.compile(r"^5\b")).click()
                for dish in ("Hummus", "Haydari", "Cacık"):
                    page.locator(".take-item", has_text=dish).click()
            page.wait_for_timeout(400)
            page.screenshot(path=IMAGES / f"panel-{name}{ending}.png")
            print(f"docs/images/panel-{name}{ending}.png")
        page.context.close()


def shoot_menu(house: House) -> None:
    """What a guest sees who scanned the code of table 12."""
    [venue] = house.product.call("GET", "/restaurant/venues")[1]["data"]
    tables = house.product.call("GET", f"/restaurant/venues/{venue['id']}/tables")[1]["data"]
    link = next(one["link"] for one in tables if one["label"] == "12")
    schemes: tuple[tuple[Literal["light", "dark"], str], ...] = (("light", ""), ("dark", "-dark"))
    for scheme, ending in schemes:
        context = house.browser.new_context(
            viewport={"width": 390, "height": 780}, locale="en-GB", color_scheme=scheme, reduced_motion="reduce"
        )
        page = context.new_page()
        page.goto(f"{link}&lang=en")
        page.get_by_text("Red Lentil Soup").first.scroll_into_view_if_needed()
        page.wait_for_timeout(1_200)
        page.screenshot(path=IMAGES / f"menu-small{ending}.png")
        print(f"docs/images/menu-small{ending}.png")
        context.close()


# Kind of ticket and dots of its paper.
TICKETS = (("order", 576), ("change", 384), ("receipt", 576))
# Millimetres of paper, and the dots that are printed on it.
WIDTHS = {58: 384, 80: 576}


def draw_tickets() -> None:
    """Tickets as they come out of a printer that prints pictures."""
    for kind, dots in TICKETS:
        content, marks = KINDS[kind]
        (IMAGES / f"ticket-{kind}.png").write_bytes(draw_png(Order(lay_out(content, marks=marks), dots)))
        print(f"docs/images/ticket-{kind}.png")
    for width_mm, dots in WIDTHS.items():
        papers = [
            Image.open(io.BytesIO(draw_png(Order(lay_out(one, marks=marks), dots)))) for one, marks in KINDS.values()
        ]
        side_by_side(papers).save(IMAGES / f"tickets-{width_mm}.png", optimize=True)
        print(f"docs/images/tickets-{width_mm}.png")


def side_by_side(papers: Sequence[Image.Image], gap: int = 24) -> Image.Image:
    """Papers on a grey table, at half their size."""
    width = gap + sum(one.width + gap for one in papers)
    table = Image.new("L", (width, 2 * gap + max(one.height for one in papers)), 200)
    left = gap
    for one in papers:
        table.paste(one, (left, gap))
        left += one.width + gap
    return table.resize((table.width // 2, table.height // 2), Image.Resampling.LANCZOS).quantize(16)


def main() -> None:
    """Everything, or what is named: `menu-page`, `phone`, `tickets`, and the panel's pages by name."""
    wanted = sys.argv[1:]
    IMAGES.mkdir(parents=True, exist_ok=True)
    if not wanted or "tickets" in wanted:
        draw_tickets()
    if wanted == ["tickets"]:
        return
    databases = open_databases("sqlite")
    with open_house(databases.migrated()) as house:
        house.zone = where_it_is_evening()
        shoot_panel(house, wanted)
        if not wanted or "menu-page" in wanted:
            shoot_menu(house)
    if wanted and "phone" not in wanted:
        close_browser()
        databases.close()
        return
    url = databases.migrated()
    with running_product(url) as product, browsing() as browser:
        fill(product)
        page = f"{product.url}/sandbox/?phone={AYSE}"
        shoot(browser, page, "phone.png", 1200, 820, "light")
        shoot(browser, page, "phone-dark.png", 1200, 820, "dark")
        shoot(browser, page, "phone-small.png", 360, 760, "light")
    close_browser()
    databases.close()


if __name__ == "__main__":
    main()
