"""A restaurant kept in a real browser: menu with photos, dragging, prices, a file with mistakes, tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.panel.desk import Desk
from tests.browser.panel.restaurants import dishes, drag, field, photo
from tests.browser.sizes import measured

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def seat(restaurant: Desk) -> Page:
    return restaurant.person()


@pytest.mark.looks
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
