"""Contacts in a real browser: found, changed, imported, merged, erased."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel.desk import Desk


def add(desk: Desk, phone: str, name: str, **more: object) -> str:
    status, made = desk.product.call("POST", "/contacts", {"phone": phone, "name": name, **more})
    assert status == 201, made
    return str(made["id"])


def choose(page: Page, folder: Path, name: str, raw: bytes) -> None:
    file = folder / name
    file.write_bytes(raw)
    page.goto("/panel/contacts")
    page.get_by_role("link", name="Import").first.click()
    page.set_input_files("main input[type=file]", file)
    page.get_by_role("button", name="Check the file").click()


@pytest.mark.looks
def test_a_list_is_checked_agreed_to_and_comes_in(desk: Desk, page: Page, tmp_path: Path) -> None:
    rows = "".join(f"+90 55{number:08d};Misafir {number};liste;evet;form {number}\r\n" for number in range(300))
    wrong = "0555 11;Yerel;;\r\n9,05551E+11;Bozuk;;\r\n;Adsız;;\r\n+90 5500000000;Yine;;\r\n"
    table = f"Telefon;Ad Soyad;Etiketler;İzin;proof\r\n{rows}{wrong}".encode("windows-1254")
    choose(page, tmp_path, "misafirler.csv", table)
    expect(page.get_by_text("Nothing has been imported yet")).to_be_visible()
    errors = page.get_by_role("region", name="4 rows have errors")
    expect(errors).to_contain_text("302")
    expect(errors).to_contain_text("This is not a phone number")
    expect(errors).to_contain_text("Your table program has shortened the number")
    expect(errors).to_contain_text("There is no phone number")
    expect(errors).to_contain_text("The same number is in line 2.")
    status, found = desk.product.call("GET", "/contacts?q=misafir")
    assert (status, found["data"]) == (200, [])
    page.get_by_role("button", name="Import 300 contacts").click()
    expect(page.locator("progress")).to_be_visible()
    # It moves by itself to its end.
    expect(page.get_by_text("300 of 300 rows are in")).to_be_visible()
    page.get_by_role("link", name="See the contacts").click()
    page.get_by_role("searchbox").fill("misafir 299")
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("row", name="Misafir 299")).to_be_visible()


@pytest.mark.looks
def test_a_file_that_is_no_table_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    choose(page, tmp_path, "table.xlsx", b"PK\x03\x04 a spreadsheet")
    expect(page.get_by_text("This is not a CSV file.")).to_be_visible()
    choose(page, tmp_path, "names.csv", b"name\nAli\n")
    expect(page.get_by_text("No column is called phone.")).to_be_visible()
    choose(page, tmp_path, "one.csv", b"phone\n905552220000\n")
    page.get_by_role("button", name="Do not import").click()
    expect(page.get_by_text("Discarded. Nothing was imported.")).to_be_visible()


@pytest.mark.looks
def test_a_contact_is_added_found_by_tag_and_changed(page: Page) -> None:
    page.goto("/panel/contacts")
    page.get_by_role("link", name="Add a contact").click()
    page.get_by_label("Phone number").fill("0555")
    page.get_by_label("Name").fill("Nazlı Er")
    page.get_by_label("Tags").fill("bahçe, vip")
    page.get_by_role("button", name="Add a contact").click()
    expect(page.get_by_text("This is not a phone number.")).to_be_visible()
    # What was typed is still there.
    expect(page.get_by_label("Name")).to_have_value("Nazlı Er")
    page.get_by_label("Phone number").fill("+90 555 333 44 55")
    page.get_by_role("button", name="Add a contact").click()
    expect(page.get_by_text("Nazlı Er was added.")).to_be_visible()
    page.get_by_label("Notes").fill("Allergic to nuts")
    page.get_by_label("Marketing consent").select_option("granted")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto("/panel/contacts?tag=bahce")
    page.get_by_role("link", name="Nazlı Er").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("Allergic to nuts")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


@pytest.mark.looks
def test_two_contacts_become_one_after_a_look(desk: Desk, page: Page) -> None:
    first = add(desk, "905554440001", "Okan Tan", tags=["old"])
    add(desk, "905554440002", "Okan T.", tags=["new"])
    page.goto(f"/panel/contacts/{first}")
    page.get_by_role("link", name="Find the other one").click()
    page.get_by_role("searchbox").fill("okan")
    page.get_by_role("searchbox").press("Enter")
    page.get_by_role("link", name="Choose: Okan T.").click()
    expect(page.get_by_role("region", name="After merging")).to_contain_text("old, new")
    page.get_by_role("button", name="Merge for good").click()
    expect(page.get_by_text("The two are one now: Okan Tan.")).to_be_visible()
    expect(page.locator("main")).to_contain_text("+905554440002")


def test_erasing_asks_for_the_name(desk: Desk, page: Page) -> None:
    contact = add(desk, "905555550001", "Pelin Gök")
    page.goto(f"/panel/contacts/{contact}")
    page.get_by_role("link", name="Erase…").click()
    page.get_by_label("to confirm").fill("Pelin")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("What you typed differs from the name.")).to_be_visible()
    page.get_by_label("to confirm").fill("Pelin Gök")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("Erased:")).to_be_visible()
    assert desk.product.call("GET", f"/contacts/{contact}")[0] == 404


def test_everybody_goes_out_as_a_file(desk: Desk, page: Page) -> None:
    add(desk, "905556660001", "Rana")
    page.goto("/panel/contacts")
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "Rana" in Path(download.value.path()).read_text("utf-8-sig")


def test_who_may_only_read_changes_nothing(desk: Desk) -> None:
    contact = add(desk, "905557770001", "Sema")
    page = desk.person("developer", "Tarık")
    page.goto(f"/panel/contacts/{contact}")
    expect(page.get_by_role("heading", name="Sema").first).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    answer = page.goto("/panel/contacts/import")
    assert answer is not None
    assert answer.status == 403
    page.context.close()
