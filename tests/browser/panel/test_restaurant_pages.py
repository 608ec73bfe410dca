"""A restaurant set up in a real browser: venue, menu with photos, dragging, prices, a file with mistakes, tables."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.panel.desk import Desk, open_desk
from tests.browser.panel.judging import LOOKS, barriers, overflow
from tests.browser.panel.test_every_page import foreign
from tests.browser.sizes import measured
from tests.databases import Databases

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def restaurant(databases: Databases) -> Iterator[Desk]:
    """A product with one restaurant that somebody set up by hand, page by page."""
    url = databases.migrated()
    with open_desk(url) as desk:
        set_up(desk)
        yield desk
    databases.drop(url)


@pytest.fixture(scope="module")
def seat(restaurant: Desk) -> Page:
    return restaurant.person()


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


def test_a_dish_gets_a_photo_that_is_shown_before_it_is_sent(page: Page, tmp_path: Path) -> None:
    page.goto("/panel/menu")
    page.get_by_role("link", name="Adana kebap").click()
    expect(page.get_by_text("No photo yet")).to_be_visible()
    # A page is seen before its scripts have run, and what was chosen before then is not shown.
    page.wait_for_load_state()
    field(page, "photo").set_input_files(photo(tmp_path))
    expect(page.locator("[data-preview] img")).to_have_attribute("src", re.compile("^blob:"))
    page.get_by_label("Milk").check()
    field(page, "name.en").fill("Adana kebab")
    page.get_by_role("button", name="Save", exact=True).click()
    picture = page.locator(".dish", has_text="Adana kebap").locator("img")
    expect(picture).to_have_attribute("src", re.compile(r"-320\.webp$"))
    page.wait_for_function("() => document.querySelector('.dish img')?.naturalWidth === 320")
    page.get_by_role("link", name="Adana kebap").click()
    expect(page.get_by_label("Milk")).to_be_checked()
    expect(field(page, "name.en")).to_have_value("Adana kebab")


@pytest.mark.looks
def test_dishes_and_categories_change_places_by_pointer_and_by_keys(page: Page) -> None:
    page.goto("/panel/menu")
    grills = dishes(page, "Izgaralar")
    expect(grills).to_have_count(3)
    before = grills.all_inner_texts()
    drag(page, before[2], before[0])
    moved = [before[2], before[0], before[1]]
    expect(grills).to_have_text(moved)
    page.reload()
    expect(grills).to_have_text(moved)
    # By the keyboard alone, and the focus stays on what moves.
    grip = page.get_by_role("button", name=f"Move {moved[0]}")
    grip.focus()
    with page.expect_response(re.compile("/order$")):
        page.keyboard.press("ArrowDown")
    expect(grip).to_be_focused()
    page.reload()
    expect(grills).to_have_text([moved[1], moved[0], moved[2]])
    # Into another category.
    drag(page, moved[2], "Ayran")
    page.reload()
    expect(dishes(page, "İçecekler").filter(has_text=moved[2])).to_have_count(1)
    drag(page, moved[2], moved[0])
    page.reload()
    expect(grills.filter(has_text=moved[2])).to_have_count(1)


def test_sold_out_is_one_tap_on_a_phone_and_seen_by_everybody_at_once(restaurant: Desk) -> None:
    cook = restaurant.person("kitchen", "Usta", width=360, height=780)
    manager = restaurant.person("manager", "Müdür")
    for page in (cook, manager):
        page.goto("/panel/menu")
        expect(page.locator("html[data-live=on]")).to_be_attached()
    sale, seen = (page.get_by_role("switch", name="On sale: Ayran") for page in (cook, manager))
    expect(sale).to_be_checked()

    def notice_first(route: Route) -> None:
        """The notice of the change brings the list anew before the answer to the tap is here."""
        answer = route.fetch()
        expect(sale).not_to_be_checked()
        route.fulfill(response=answer)

    cook.route("**/sell-out", notice_first)
    sale.tap()
    expect(sale).not_to_be_checked()
    expect(sale).to_be_focused()
    cook.unroute("**/sell-out")
    expect(cook.locator(".toast")).to_contain_text("Ayran is sold out.")
    expect(seen).not_to_be_checked()
    expect(manager.get_by_label("Which dishes")).to_contain_text("Sold out (1)")
    seen.click()
    expect(sale).to_be_checked()
    expect(cook.get_by_label("Which dishes")).to_contain_text("Sold out (0)")
    # On a phone, too, a dish can be deleted.
    manager.set_viewport_size({"width": 360, "height": 780})
    manager.get_by_role("link", name="Ayran", exact=True).click()
    expect(manager.get_by_role("link", name="Cancel").first).to_be_hidden()
    manager.get_by_role("link", name="Delete").click()
    expect(manager.get_by_role("button", name="Delete Ayran")).to_be_visible()


def test_many_prices_change_after_a_look(page: Page) -> None:
    page.goto("/panel/menu")
    page.get_by_role("link", name="Change prices").click()
    field(page, "percent").fill("10")
    field(page, "step").select_option("5")
    page.get_by_label("İçecekler").check()
    page.get_by_role("button", name="Show what changes").click()
    row = page.locator(".preview tr", has_text="Ayran")
    expect(row).to_contain_text("₺40.00")
    expect(row).to_contain_text("₺45.00")
    page.get_by_role("button", name="Change 1 price").click()
    expect(page.locator(".dish", has_text="Ayran")).to_contain_text("₺45.00")


@pytest.mark.looks
def test_a_file_with_mistakes_names_each_and_the_right_one_comes_in(page: Page, tmp_path: Path) -> None:
    page.goto("/panel/menu")
    page.get_by_role("link", name="Import and export").click()
    file = tmp_path / "menu.csv"
    file.write_text("category,name,price,allergens\nTatlılar,Künefe,cheap,stone\nTatlılar,Sütlaç,90,milk\n")
    field(page, "file").set_input_files(file)
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("2 mistakes, so nothing was changed")).to_be_visible()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("2")
    expect(rows.first).to_contain_text("price")
    file.write_text("category,name,price,allergens\nTatlılar,Künefe,150,nuts\nTatlılar,Sütlaç,90,milk\n")
    field(page, "file").set_input_files(file)
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("Nothing has changed yet.")).to_be_visible()
    page.get_by_role("button", name="Change the menu").click()
    expect(dishes(page, "Tatlılar")).to_have_text(["Künefe", "Sütlaç"])
    with page.expect_download() as saving:
        page.goto("/panel/menu")
        page.get_by_role("link", name="Import and export").click()
        page.get_by_role("link", name="Excel").click()
    assert saving.value.suggested_filename.endswith(".xlsx")


@pytest.mark.looks
def test_an_option_group_is_written_line_by_line_and_asked_with_a_dish(page: Page) -> None:
    page.goto("/panel/menu")
    page.get_by_role("navigation", name="Menu").get_by_role("link", name="Options").click()
    page.get_by_role("link", name="Add option group").first.click()
    field(page, "name").fill("Porsiyon")
    page.get_by_role("switch", name=re.compile("^Guests must choose")).check()
    rows = page.locator(".option-row")
    rows.nth(0).get_by_label("Name", exact=True).fill("Tek")
    rows.nth(1).get_by_label("Name", exact=True).fill("Bir buçuk")
    rows.nth(1).get_by_label("Costs more (TRY)").fill("140")
    page.get_by_role("button", name="One more answer").click()
    rows.nth(2).get_by_label("Name", exact=True).fill("Çift")
    rows.nth(1).get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".option-list li")).to_have_count(2)
    page.goto("/panel/menu")
    page.get_by_role("link", name="Adana kebap").click()
    page.get_by_label("Porsiyon").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("navigation", name="Menu").get_by_role("link", name="Options").click()
    expect(page.get_by_text("used by 1 dish")).to_be_visible()


def test_orders_stop_and_go_on_with_a_switch_that_is_found_in_a_rush(restaurant: Desk) -> None:
    page = restaurant.person(width=360, height=780)
    page.goto("/panel/venue")
    button = page.get_by_role("button", name="30 minutes")
    box = measured(button)
    # In sight without scrolling, and large enough for a hurried thumb.
    assert box["y"] + box["height"] < 780
    assert box["height"] >= 48
    button.tap()
    expect(page.get_by_role("heading", name="Orders are paused")).to_be_visible()
    page.get_by_role("button", name="Take orders again").tap()
    expect(page.get_by_role("button", name="30 minutes")).to_be_visible()
    page.goto("/panel/venue/hours")
    monday = page.get_by_role("group", name="Monday")
    monday.get_by_label("Monday, opens").first.fill("11:00")
    monday.get_by_label("Monday, closes").first.fill("02:00")
    monday.get_by_role("button", name="To all days").click()
    page.get_by_role("group", name="Friday").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Save opening hours").click()
    expect(page.locator(".toast")).to_contain_text("saved")
    expect(page.get_by_label("Sunday, closes").first).to_have_value("02:00")


@pytest.mark.looks
def test_tables_are_added_by_number_with_a_code_to_scan_to_save_and_to_print(page: Page) -> None:
    page.goto("/panel/tables")
    page.get_by_role("link", name="Add by number").first.click()
    expect(field(page, "last")).to_have_value("12")
    page.get_by_role("button", name="Add tables").click()
    expect(page.locator(".table-card")).to_have_count(12)
    page.locator(".table-card", has_text=re.compile(r"^12")).click()
    picture = page.get_by_role("img", name="QR code of table 12")
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('img.qr')?.naturalWidth > 0")
    link = page.locator("[data-copy]").get_attribute("data-copy")
    assert link is not None
    assert "table=12" in link
    page.get_by_text("The code leaked").click()
    page.get_by_role("button", name="New code for table 12").click()
    expect(page.locator("[data-copy]")).not_to_have_attribute("data-copy", link)
    page.goto("/panel/tables")
    page.get_by_role("link", name="Print codes").click()
    page.get_by_label("Small").check()
    page.wait_for_load_state()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Get the PDF").click()
    assert Path(saving.value.path()).read_bytes().startswith(b"%PDF")
    page.goto("/panel/tables/staff")
    page.get_by_role("link", name="Add waiter").click()
    field(page, "name").fill("Ayşe")
    field(page, "phone").fill("+90 555 111 22 33")
    page.get_by_role("button", name="Add waiter").click()
    expect(page.get_by_text("+905551112233")).to_be_visible()


def furnish(desk: Desk) -> None:
    """One of each kind that has a page; other tests of this file may have made theirs, or not."""
    [venue] = desk.product.call("GET", "/restaurant/venues")[1]["data"]
    place = f"/restaurant/venues/{venue['id']}"
    if not desk.product.call("GET", f"{place}/tables")[1]["data"]:
        assert desk.product.call("POST", f"{place}/tables", {"label": "12"})[0] == 201
    if not desk.product.call("GET", f"{place}/menu")[1]["option_groups"]:
        group = {"name": "Porsiyon", "options": [{"name": "Büyük", "price": 10}]}
        assert desk.product.call("POST", f"{place}/menu/option-groups", group)[0] == 201
    if not desk.product.call("GET", "/restaurant/couriers")[1]["data"]:
        _deliver(desk, venue["id"], place)


def _deliver(desk: Desk, venue: str, place: str) -> None:
    """A courier with an order, and an order that waits for one."""
    desk.product.call("PATCH", place, {"order_types": ["dine_in", "delivery"]})
    courier = desk.product.call("POST", "/restaurant/couriers", {"name": "Mert Aydın", "phone": "905550000001"})[1][
        "id"
    ]
    group = desk.product.call("POST", f"{place}/menu/categories", {"name": "Paket"})[1]["id"]
    dish = {"category_id": group, "name": "Lahmacun", "price": 90}
    item = desk.product.call("POST", f"{place}/menu/items", dish)[1]["id"]
    guest = {"address": "Moda Cad. 12, Kadıköy", "customer_phone": "905551112233", "customer_name": "Ayşe"}
    for given in (True, False):
        order = {"venue_id": venue, "order_type": "delivery", "lines": [{"item_id": item}], **guest}
        status, made = desk.product.call("POST", "/orders", order)
        assert status == 201, made
        if given:
            body = {"order_id": made["order_id"], "courier_id": courier}
            assert desk.product.call("POST", "/restaurant/deliveries", body)[0] == 201


def handed_out(desk: Desk) -> str:
    """The page of a courier's link."""
    courier = desk.product.call("GET", "/restaurant/couriers")[1]["data"][0]["id"]
    assert desk.product.call("POST", f"/restaurant/couriers/{courier}/page", {})[0] == 200
    return f"/panel/couriers/people/{courier}/page"


def addresses(page: Page) -> list[str]:
    """Every page of the restaurant, one of each kind."""
    page.goto("/panel/menu")
    found: Any = page.evaluate(
        """() => [...document.querySelectorAll('main a')].map(one => one.getAttribute('href'))
            .filter(one => one && one.startsWith('/panel/menu/'))"""
    )
    kinds = {re.sub(r"/[0-9a-z]{20,}", "/x", address.partition("?")[0]): address for address in found}
    venue = found[0].split("/")[3]
    page.goto("/panel/tables")
    table = page.locator(".table-card").first.get_attribute("href")
    page.goto(f"/panel/menu/{venue}/options")
    group = page.locator("main .row-link").first.get_attribute("href")
    page.goto("/panel/printers/new")
    field(page, "name").fill("Mutfak")
    page.locator(".save-bar button.primary").click()
    page.wait_for_url("**/panel/printers/prn_*")
    printer = page.url.partition("?")[0]
    page.locator("form[action$='/test'] button").click()
    keys = {"secret": "whsec_" + "c2VjcmV0LW9mLW9uZXMtb3duLXByb3ZpZGVyLTE=", "pay_url": "https://pay.example/{link_id}"}
    page.goto("/panel/payments/providers/new?provider=generic")
    for name, value in keys.items():
        field(page, f"keys.{name}").fill(value)
    page.locator("form[action='/panel/payments/providers'] button.primary").click()
    page.wait_for_url("**/panel/payments/providers/ppr_*")
    provider = page.url.partition("?")[0]
    page.goto("/panel/payments/new")
    field(page, "amount").fill("450")
    field(page, "description").fill("Masa 12")
    page.locator("form[action='/panel/payments'] button.primary").click()
    page.wait_for_url("**/panel/payments/links/pay_*")
    payment = page.url.partition("?")[0]
    paying = ["/panel/payments", "/panel/payments/new", payment, "/panel/payments/decisions", "/panel/payments/providers",
              "/panel/payments/providers/new", "/panel/payments/providers/new?provider=stripe", provider]  # fmt: skip
    fixed = ["/panel/printers", "/panel/printers/new", printer, f"{printer}/edit", "/panel/printing",
             "/panel/venue", "/panel/venue/new", "/panel/venue/hours", "/panel/venue/layouts", "/panel/venue/zones", "/panel/venue/zones/new", "/panel/menu", "/panel/menu?arrange=1",
             "/panel/tables", "/panel/tables/staff", "/panel/print", "/panel/couriers", "/panel/couriers/people"]  # fmt: skip
    return [*paying, *fixed, *kinds.values(), *[one for one in (table, group) if one]]


@pytest.mark.looks
@pytest.mark.parametrize("language", ["en", "tr"])
def test_every_page_can_be_used_by_everybody_and_fits_its_screen(restaurant: Desk, language: str) -> None:
    page = restaurant.person(language=language)
    wrong: list[str] = []
    furnish(restaurant)
    looked_at = [*addresses(page), handed_out(restaurant)]
    assert len(looked_at) >= 13, looked_at
    for number, address in enumerate(looked_at):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        found = [one for width in (768, 360, 1440) for one in overflow(page, width)]
        # The places beside them are judged with other pages.
        found += barriers(page, number + len(LOOKS), language)
        if language == "tr":
            found += foreign(page)
        wrong += [f"{address}: {one}" for one in found]
    page.context.close()
    assert not wrong, "\n".join(wrong)
