"""A restaurant that somebody set up by hand, page by page, and what they do on its pages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.panel.desk import Desk, open_desk
from tests.browser.sizes import measured
from tests.databases import Databases


@pytest.fixture(scope="module")
def restaurant(databases: Databases) -> Iterator[Desk]:
    """A product with one restaurant that somebody set up by hand, page by page."""
    url = databases.migrated()
    with open_desk(url) as desk:
        set_up(desk)
        yield desk
    databases.drop(url)


def photo(folder: Path) -> Path:
    path = folder / "adana.jpg"
    made = io.BytesIO()
    Image.new("RGB", (800, 600), "#b3541e").save(made, "JPEG")
    path.write_bytes(made.getvalue())
    return path


def set_up(desk: Desk) -> None:
    # The demo's own restaurant makes room for one that is set up by hand.
    for venue in desk.product.call("GET", "/restaurant/venues")[1]["data"]:
        desk.product.call("DELETE", f"/restaurant/venues/{venue['id']}")
    page = desk.person()
    page.goto("/panel/menu")
    # Without a venue every page of the restaurant begins with making one.
    expect(page.get_by_role("heading", name="Set up your restaurant")).to_be_visible()
    field(page, "name").fill("Çınaraltı Ocakbaşı")
    field(page, "language").select_option("tr")
    field(page, "currency").select_option("TRY")
    field(page, "opens").fill("00:00")
    field(page, "closes").fill("00:00")
    expect(field(page, "time_zone")).to_have_value("Europe/Istanbul")
    page.get_by_role("button", name="Create venue").click()
    expect(page.get_by_role("heading", name="Çınaraltı Ocakbaşı")).to_be_visible()
    expect(page.get_by_text("Before the first guest")).to_be_visible()
    page.get_by_role("group", name="Languages of the menu").get_by_label("English").check()
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator(".toast")).to_contain_text("saved")
    page.goto("/panel/menu")
    page.get_by_role("link", name="Add category").click()
    field(page, "name").fill("Izgaralar")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Izgaralar")).to_be_visible()
    page.get_by_role("link", name="Add a dish to Izgaralar").click()
    add_dish(page, "Urfa kebap", "310,50")
    page.context.close()
    # The rest is more of the same.
    [venue] = desk.product.call("GET", "/restaurant/venues")[1]["data"]
    place = f"/restaurant/venues/{venue['id']}/menu"
    [grills] = desk.product.call("GET", place)[1]["categories"]
    drinks = desk.product.call("POST", f"{place}/categories", {"name": "İçecekler"})[1]
    for category, name, price in ((grills, "Adana kebap", 320), (grills, "Beyti sarma", 380), (drinks, "Ayran", 40)):
        dish = {"category_id": category["id"], "name": name, "price": price}
        status, made = desk.product.call("POST", f"{place}/items", dish)
        assert status == 201, made


def field(page: Page, name: str) -> Locator:
    """A field by its name: of several dialogs' the one that is open."""
    return page.locator(f'main [name="{name}"]:visible').first


def add_dish(page: Page, name: str, price: str) -> None:
    field(page, "name").fill(name)
    field(page, "price").fill(price)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def dishes(page: Page, category: str) -> Locator:
    """The names of a category's dishes, from top to bottom."""
    return page.locator(".category", has=page.get_by_role("heading", name=category)).locator(".dish .row-link")


def drag(page: Page, thing: str, onto: str) -> None:
    """By its dots, onto the middle of another and a little further."""
    grip = page.get_by_role("button", name=f"Move {thing}")
    target = page.get_by_role("button", name=f"Move {onto}")
    start, end = measured(grip), measured(target)
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, (start["y"] + end["y"]) / 2, steps=4)
    page.mouse.move(end["x"] + 10, end["y"] + (4 if end["y"] < start["y"] else end["height"] - 4), steps=6)
    with page.expect_response(re.compile("/order$")):
        page.mouse.up()
