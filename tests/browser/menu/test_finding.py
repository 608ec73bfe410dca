"""Finding a dish by any of its names, and by what is in it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import CDPSession, Page, expect

from tablegram.restaurant.menu.model import Menu
from tests.browser.menu.phone import item
from tests.browser.menu.restaurant import Restaurant, open_restaurant
from tests.databases import Databases


@pytest.fixture(scope="module")
def open_house(databases: Databases) -> Iterator[Restaurant]:
    """All dishes, and none of their pictures, which nobody here looks at."""
    replace, url = msgspec.structs.replace, databases.migrated()
    with open_restaurant(url) as opened:
        opened.edit_menu(lambda menu: replace(menu, items=[replace(one, image_id=None) for one in menu.items]))
        yield opened
    databases.drop(url)


def _shown(page: Page) -> list[str]:
    names = "[...document.querySelectorAll('.item')].filter((one) => !one.hidden).map((one) => one.querySelector('h3').innerText)"
    return list(page.evaluate(names))


def test_the_whole_menu_can_be_read_without_a_script(restaurant: Restaurant) -> None:
    page = restaurant.page(restaurant.context(java_script_enabled=False))
    page.goto(restaurant.url + "?table=12")
    expect(page.get_by_role("heading", level=1)).to_have_text("Safran Lokantası")
    expect(page.locator(".item")).to_have_count(80)
    hummus = item(page, "Hummus")
    expect(hummus).to_contain_text("₺130")
    expect(hummus.get_by_text("Contains: Sesame")).to_be_visible()
    expect(page.get_by_role("button", name="Add Hummus")).to_be_hidden()


def test_searching_knows_turkish_letters_and_what_must_not_be_in_it(restaurant: Restaurant) -> None:
    page = restaurant.guest(language="tr")
    shown = page.locator(".item:visible")
    for typed in ("köz patlıcan salatası", "KOZ PATLICAN SALATASI", "koz  patlican  salatasi", "KÖZ PATLICAN SALATASI"):
        page.get_by_role("searchbox").fill(typed)
        expect(shown).to_have_count(1)
        expect(shown.first).to_contain_text("Köz Patlıcan Salatası")
    page.get_by_role("searchbox").fill("humus")
    page.get_by_text("Alerjenler").click()
    page.get_by_role("checkbox", name="Susam").check()
    expect(page.get_by_text("Menüde aradığınıza uyan bir şey yok.")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(item(page, "Humus")).to_be_hidden()
    sesame = page.evaluate(_SHOWN_WITH, "sesame")
    assert sesame == []
    assert shown.count() > 40
    page.reload()
    expect(page.get_by_text("İçermesin: Susam")).to_be_visible()
    expect(item(page, "Humus")).to_be_hidden()


_SHOWN_WITH = """(code) => JSON.parse(document.getElementById("menu").textContent).categories
  .flatMap((category) => category.items).filter((item) => item.allergens?.includes(code))
  .filter((item) => !document.getElementById(`i-${item.id}`).hidden)"""


def test_a_dish_is_found_by_its_other_names_and_with_a_letter_wrong(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12")
    expect(page.locator("html")).to_have_attribute("data-kept", "yes")
    page.evaluate("navigator.serviceWorker.ready")
    # It works where no network reaches.
    page.context.set_offline(True)
    box = page.get_by_role("searchbox")
    looked_for = {
        "tavuk": "Chicken", "çorba": "Soup", "CORBA": "Soup", "chiken": "Chicken", "hcicken": "Chicken",
        "chickken": "Chicken", "lentl": "Lentil", "tavuk shish": "Chicken Shish", "icecek": "Ayran",
    }  # fmt: skip
    for typed, meant in looked_for.items():
        box.fill(typed)
        assert any(meant in name for name in _shown(page)), (typed, _shown(page))
    # What is spelt right finds no more than that, and what is no word at all finds nothing.
    box.fill("hummus")
    assert _shown(page) == ["Hummus"]
    for typed in ("qqqq", "xch", "chiiken zzzz"):
        box.fill(typed)
        assert _shown(page) == [], typed
    page.context.set_offline(False)


def test_only_what_somebody_eats_is_shown(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12", language="tr")
    whole = len(_shown(page))
    vegetarian = page.get_by_role("button", name="Vejetaryen")
    vegan = page.get_by_role("button", name="Vegan")
    page.locator(".item").nth(40).scroll_into_view_if_needed()
    vegetarian.click()
    expect(vegetarian).to_have_attribute("aria-pressed", "true")
    meatless = _shown(page)
    # A vegan dish is a vegetarian one.
    assert 0 < len(meatless) < whole
    vegan.click()
    assert 0 < len(_shown(page)) < len(meatless)
    assert set(_shown(page)) <= set(meatless)
    expect(page.locator("#found")).to_contain_text("ürün bulundu")
    page.get_by_role("searchbox").fill("kebap qqqq")
    page.get_by_role("button", name="Menünün tamamını göster").click()
    assert len(_shown(page)) == whole
    expect(vegan).to_have_attribute("aria-pressed", "false")


def test_a_tap_beside_the_allergens_only_closes_them(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12")
    panel = page.locator("#without .panel")
    page.locator("#without summary").click()
    expect(panel).to_be_visible()
    page.locator(".item .open").last.dispatch_event("click", {"detail": 1})
    expect(panel).to_be_hidden()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".item .open").last.click()
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.looks
def test_three_hundred_dishes_are_searched_within_a_frame(restaurant: Restaurant) -> None:
    before: list[Menu] = []

    def many(menu: Menu) -> Menu:
        before.append(menu)
        replace = msgspec.structs.replace
        copies = [replace(one, id=f"{one.id}-{n}", code=f"{one.code}-{n}") for n in range(3) for one in menu.items]
        return replace(menu, items=[*menu.items, *copies])

    restaurant.edit_menu(many)
    try:
        page = restaurant.guest("?table=12")
        assert len(_shown(page)) > 300
        # So much of the processor, however long it had to wait for it; typing a word that nobody knows is the dearest.
        wire = page.context.new_cdp_session(page)
        wire.send("Performance.enable", {"timeDomain": "threadTicks"})
        box = page.get_by_role("searchbox")
        before_s = _script_s(wire)
        for n in range(20):
            box.evaluate(
                "(one, text) => { one.value = text; one.dispatchEvent(new Event('input')) }", "chiknnen"[: 4 + n % 5]
            )
        spent_ms = 1_000 * (_script_s(wire) - before_s) / 20
        assert spent_ms < 50, spent_ms
    finally:
        restaurant.edit_menu(lambda menu: msgspec.structs.replace(menu, items=before[0].items))


def _script_s(wire: CDPSession) -> float:
    return {one["name"]: float(one["value"]) for one in wire.send("Performance.getMetrics")["metrics"]}[
        "ScriptDuration"
    ]
