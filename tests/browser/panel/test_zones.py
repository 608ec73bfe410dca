"""Zones in a real browser: drawn with a pointer and with keys, on a wide screen and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import asinh, pi, radians, tan

import pytest
from playwright.sync_api import Page, expect

from tablegram.values.qr import png
from tests.browser.panel.desk import Desk, open_desk
from tests.browser.panel.judging import EVERYTHING, overflow, serious
from tests.databases import Databases

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def desk(databases: Databases) -> Iterator[Desk]:
    url = databases.migrated()
    with open_desk(url) as opened:
        yield opened
    databases.drop(url)


def begin(page: Page) -> None:
    """The venue is somewhere, and a new outline is begun."""
    page.goto("/panel/venue/zones")
    page.locator("input[name=latitude]").fill("40.9876")
    page.locator("input[name=longitude]").fill("29.0287")
    page.locator("form[action$='/point'] button[type=submit]").click()
    expect(page.locator(".toast").filter(has_text=re.compile("place is saved|Konum kaydedildi"))).to_be_visible()
    page.goto("/panel/venue/zones/new")
    page.locator("input[name=kind][value=polygon]").check()
    expect(page.locator("textarea[name=corners]")).to_be_visible()


def corners(page: Page) -> list[tuple[float, float]]:
    lines = page.locator("textarea[name=corners]").input_value().splitlines()
    return [(float(one), float(other)) for one, other in (line.split(", ") for line in lines)]


def finish(page: Page, name: str) -> None:
    page.locator("input[name=name]").fill(name)
    page.locator(".save-bar button.primary").click()
    page.wait_for_url("**/panel/venue/zones?venue=*")
    expect(page.locator(".zones")).to_contain_text(name)


@pytest.mark.looks
@pytest.mark.judged
@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.looks)])
def test_a_zone_is_drawn_with_the_pointer(desk: Desk, width: int) -> None:
    page = desk.person()
    page.set_viewport_size({"width": width, "height": 844})
    begin(page)
    drawing = page.locator(".map svg")
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    assert box is not None
    for x, y in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)):
        page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
    drawn = corners(page)
    assert len(drawn) == 4
    # North is up and east is to the right.
    assert drawn[0][0] > drawn[3][0]
    assert drawn[1][1] > drawn[0][1]
    # A corner is dragged; the map is not.
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.8)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.9, steps=4)
    page.mouse.up()
    moved = corners(page)
    assert moved[:2] == drawn[:2]
    assert moved[2][0] < drawn[2][0]
    page.locator("[data-undo]").click()
    assert len(corners(page)) == 3
    assert list(serious(page, EVERYTHING)) == []
    finish(page, f"Pointer {width}")
    expect(page.locator(".map .zone")).not_to_have_count(0)
    assert list(serious(page, EVERYTHING)) == []


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.looks), 390])
def test_a_zone_is_drawn_with_keys_alone(desk: Desk, width: int) -> None:
    page = desk.person(language="tr")
    page.set_viewport_size({"width": width, "height": 844})
    begin(page)
    drawing = page.locator(".map svg")
    drawing.focus()
    said = page.locator("[data-said]")
    for way, times in (("ArrowUp", 5), ("ArrowRight", 6), ("ArrowDown", 7)):
        for _ in range(times):
            drawing.press(way)
        drawing.press("Enter")
    assert len(corners(page)) == 3
    expect(said).to_have_text(re.compile(r"^3\. köşe: 40\.\d{6}, 29\.\d{6}$"))
    drawing.press("Backspace")
    expect(said).to_have_text("Köşe silindi; 2 kaldı")
    drawing.press("Enter")
    drawing.press("+")
    drawing.press("Shift+ArrowLeft")
    finish(page, f"Tuşlar {width}")
    # A circle is set by where the cross is.
    page.goto("/panel/venue/zones/new")
    expect(page.locator("input[name=kind][value=circle]")).to_be_checked()
    drawing = page.locator(".map svg")
    drawing.focus()
    drawing.press("ArrowUp")
    drawing.press("Enter")
    radius = int(page.locator("input[name=radius_m]").input_value())
    assert 50 <= radius < 3_000
    finish(page, f"Daire {width}")


@pytest.mark.looks
@pytest.mark.judged
def test_addresses_of_a_contact_can_be_used_by_everybody_and_fit_a_phone(desk: Desk) -> None:
    fields = {"phone": "905551112299", "name": "Ayşe"}
    contact = desk.product.call("POST", "/contacts", fields)[1]["id"]
    home = {"label": "Ev", "address": "Moda Caddesi 12", "latitude": 40.9876, "longitude": 29.0287}
    assert desk.product.call("POST", f"/contacts/{contact}/addresses", home)[0] == 201
    page = desk.person(language="tr", width=360)
    page.goto(f"/panel/contacts/{contact}")
    page.get_by_role("link", name="Adresleri gör").click()
    expect(page.get_by_role("link", name="Yol tarifi")).to_be_visible()
    assert list(serious(page, EVERYTHING)) == []
    assert list(overflow(page, 360)) == []


@pytest.mark.looks
def test_pictures_of_a_map_lie_below_the_zones_where_the_installation_names_whose(databases: Databases) -> None:
    url = databases.migrated()
    named = {
        "TABLEGRAM_MAP_TILES_URL": "https://tiles.example.com/{z}/{x}/{y}.png",
        "TABLEGRAM_MAP_TILES_CREDIT": "© Somebody's map",
    }
    with open_desk(url, named) as desk:
        page = desk.person()
        page.route(
            "https://tiles.example.com/**", lambda route: route.fulfill(body=png("x", 4), content_type="image/png")
        )
        begin(page)
        expect(page.locator(".map-credit")).to_have_text("© Somebody's map")
        expect(page.locator(".map svg .grid")).to_have_count(0)
        # Around the venue, by their place among all pictures of the level.
        pictures = page.locator(".map svg image")
        shown = pictures.evaluate_all("all => all.map((one) => one.getAttribute('href'))")
        for address in shown:
            level, column, row = (int(part) for part in address.removesuffix(".png").split("/")[-3:])
            assert abs(column - (29.0287 + 180) / 360 * 2**level) < 8
            assert abs(row - (1 - asinh(tan(radians(40.9876))) / pi) / 2 * 2**level) < 8
        assert len(shown) == len(set(shown)) > 1
        # What is drawn again is the same picture, and another level is asked for.
        pictures.first.evaluate("one => (one.known = true)")
        page.locator(".map svg").focus()
        page.keyboard.press("ArrowLeft")
        assert pictures.first.evaluate("one => one.known === true")
        with page.expect_request("https://tiles.example.com/**"):
            for _ in range(2):
                page.locator("[data-zoom=in]").click()
        # Only pages with a map may ask that host.
        policies = [
            page.request.get(path).headers["content-security-policy"] for path in ("/panel/venue/zones", "/panel/venue")
        ]
        assert ["https://tiles.example.com" in one for one in policies] == [True, False]
    databases.drop(url)
