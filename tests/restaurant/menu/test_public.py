"""What the guest's page gets: little, in their language, and nothing that is not for them."""

from __future__ import annotations

import gzip

import msgspec
import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.menu.allergens import ALLERGENS, allergen, allergen_name
from tablegram.restaurant.menu.changes import sell_out
from tablegram.restaurant.menu.checks import check_menu
from tablegram.restaurant.menu.model import UNTIL_TOLD
from tablegram.restaurant.menu.public import Closed, closed_now, public_menu
from tablegram.values.words import LANGUAGES
from tests.restaurant.menu.small import NOON, at, small_menu

MENU = small_menu()


def test_the_page_reads_one_language_and_falls_back_to_the_menus_own() -> None:
    english = public_menu(MENU, "en-GB")
    assert [one.name for one in english.categories] == ["Mains", "Kahvaltı", "İçecek"]
    assert english.categories[0].items[0].name == "Cheese Pide"
    assert english.groups["g-size"].options[1].name == "Large"
    assert public_menu(MENU, "fr").language == "tr"
    # What the same thing is called elsewhere comes along, for who looks for it by that name.
    turkish = public_menu(MENU, "tr")
    for one, other in zip(english.categories, turkish.categories, strict=True):
        assert other.name in [one.name, *one.also]
        for item, same in zip(one.items, other.items, strict=True):
            assert item.name not in item.also
            assert same.name in [item.name, *item.also]


def test_hidden_things_and_groups_that_nobody_asks_for_are_left_out() -> None:
    items = [msgspec.structs.replace(one, is_hidden=one.id in ("i-pide", "i-eggs")) for one in MENU.items]
    shown = public_menu(small_menu(items=items), "tr")
    assert [one.id for one in shown.categories] == ["c-main", "c-drinks"]
    assert set(shown.groups) == {"g-sauce"}


def test_groups_that_a_size_opens_come_along() -> None:
    assert set(public_menu(MENU, "tr").groups) == {"g-size", "g-extra", "g-extra-large", "g-sauce"}


def test_what_cannot_be_had_now_is_told_apart() -> None:
    menu = sell_out(sell_out(MENU, ["i-fries"], at("2027-01-15 18:00")), ["o-egg"], UNTIL_TOLD)
    assert closed_now(menu, NOON, "delivery") == {
        "i-fries": Closed("sold_out", at("2027-01-15 18:00")),
        "i-eggs": Closed("not_available_now"),
        "i-tea": Closed("not_for_order_type"),
        "o-egg": Closed("sold_out"),
    }
    assert public_menu(menu, "tr") == public_menu(MENU, "tr")


@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_demos_menu_is_small_on_the_way(language: str) -> None:
    raw = msgspec.json.encode(public_menu(demo_menu(), language))
    assert len(gzip.compress(raw)) < 10_000


def test_the_demos_menu_is_whole_in_both_languages() -> None:
    menu = demo_menu()
    assert check_menu(menu) == []
    assert len(menu.items) == 80
    assert {one.station for one in menu.items} == {"kitchen", "bar"}
    options = [option for group in menu.groups for option in group.options]
    for parts in (menu.categories, menu.items, menu.groups, options):
        assert all(part.translations["en"]["name"] for part in parts)
    for item in menu.items:
        # In capitals and short, with the letters that the language has.
        assert item.kitchen_name
        assert not any(letter.islower() for letter in item.kitchen_name)
        assert item.description
        assert item.translations["en"]["description"]
    assert any(option.opens for group in menu.groups for option in group.options)


def test_allergens_are_the_fourteen_and_known_in_both_languages() -> None:
    assert len(ALLERGENS) == 14
    assert all(allergen(code) == code for code in ALLERGENS)
    assert all(allergen(allergen_name(code, language)) == code for code in ALLERGENS for language in LANGUAGES)
    assert [allergen(text) for text in ("SÜT", " laktoz", "Egg", "moon")] == ["milk", "milk", "eggs", None]
