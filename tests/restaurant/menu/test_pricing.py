"""A line costs what the menu says at that moment, or everything that stands in its way is named."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.lines import Choice, DishLine, PricedLine
from tablegram.restaurant.menu.changes import sell_out
from tablegram.restaurant.menu.model import UNTIL_TOLD, Menu
from tablegram.restaurant.menu.obstacles import Obstacle
from tablegram.restaurant.menu.pricing import MenuPrices, price_line
from tests.long import many
from tests.restaurant.menu.small import NOON, at, small_menu

MENU = small_menu()


def priced(item: str, *choices: str | tuple[str, int], quantity: int = 1, menu: Menu = MENU) -> PricedLine:
    found = ask(item, *choices, quantity=quantity, menu=menu)
    assert isinstance(found, PricedLine), found
    return found


def ask(
    item: str, *choices: str | tuple[str, int], quantity: int = 1, menu: Menu = MENU, at_ms: int = NOON,
    order_type: str = "dine_in",
) -> PricedLine | list[Obstacle]:  # fmt: skip
    chosen = [Choice(one) if isinstance(one, str) else Choice(*one) for one in choices]
    return price_line(menu, item, chosen, quantity, at_ms, order_type)


def codes(found: PricedLine | list[Obstacle]) -> list[str]:
    assert isinstance(found, list), found
    return [one.code for one in found]


def test_options_are_added_to_each_portion() -> None:
    line = priced("i-pide", "o-small", ("o-cheese", 2), quantity=3)
    assert (line.unit_price, line.amount) == (24_000, 72_000)
    assert (line.name, line.kitchen_name, line.station) == ("Kaşarlı Pide", "KASARLI", "kitchen")
    assert line.options == ("Küçük", "2 × Kaşar")


def test_a_size_opens_options_and_prices_of_its_own() -> None:
    assert priced("i-pide", "o-large", "o-cheese-large").unit_price == 28_000
    assert codes(ask("i-pide", "o-large", "o-cheese")) == ["option_not_offered"]
    assert codes(ask("i-pide", "o-small", "o-cheese-large")) == ["option_not_offered"]


def test_an_option_named_twice_counts_twice() -> None:
    assert priced("i-pide", "o-small", "o-cheese", "o-cheese") == priced("i-pide", "o-small", ("o-cheese", 2))


def test_the_order_of_choices_changes_nothing() -> None:
    assert priced("i-pide", "o-cheese", "o-small") == priced("i-pide", "o-small", "o-cheese")


@pytest.mark.parametrize(
    ("item", "choices", "wrong"),
    [
        ("i-none", [], ["item_unknown"]),
        ("i-pide", [], ["too_few_options"]),
        ("i-pide", ["o-small", "o-large"], ["too_many_options"]),
        ("i-pide", ["o-small", ("o-cheese", 2), "o-egg"], ["too_many_options"]),
        ("i-pide", ["o-small", ("o-egg", 2)], ["option_too_often"]),
        ("i-pide", ["o-small", ("o-egg", 0)], ["option_too_often"]),
        ("i-pide", ["o-small", ("o-egg", -1)], ["option_too_often"]),
        ("i-pide", ["o-small", "o-none"], ["option_unknown"]),
        ("i-pide", ["o-none"], ["option_unknown", "too_few_options"]),
        ("i-pide", ["o-small", "o-ketchup"], ["option_not_offered"]),
        # Who takes sauces takes two at least; who takes none need not.
        ("i-fries", ["o-ketchup"], ["too_few_options"]),
        ("i-eggs", [], ["not_available_now"]),
    ],
)
def test_every_obstacle_is_named(item: str, choices: list[str | tuple[str, int]], wrong: list[str]) -> None:
    assert codes(ask(item, *choices)) == wrong


def test_optional_groups_need_not_be_touched() -> None:
    assert priced("i-fries").unit_price == 9_000
    assert priced("i-fries", "o-ketchup", "o-hot").unit_price == 8_500


def test_what_has_hours_can_be_had_within_them() -> None:
    assert isinstance(ask("i-eggs", at_ms=at("2027-01-15 10:59")), PricedLine)
    assert codes(ask("i-eggs", at_ms=at("2027-01-15 11:00"))) == ["not_available_now"]


def test_what_is_for_the_table_cannot_be_delivered() -> None:
    assert isinstance(ask("i-tea"), PricedLine)
    assert codes(ask("i-tea", order_type="delivery")) == ["not_for_order_type"]


def test_sold_out_ends_by_itself() -> None:
    menu = sell_out(MENU, ["i-tea", "o-cheese"], at("2027-01-15 18:00"))
    found = ask("i-tea", menu=menu)
    assert isinstance(found, list)
    assert (found[0].code, found[0].until_ms) == ("sold_out", at("2027-01-15 18:00"))
    assert codes(ask("i-pide", "o-small", "o-cheese", menu=menu)) == ["option_sold_out"]
    assert isinstance(ask("i-tea", menu=menu, at_ms=at("2027-01-15 18:00")), PricedLine)


@pytest.mark.parametrize("quantity", [0, -1, 100, 10**9])
def test_quantities_have_bounds(quantity: int) -> None:
    assert codes(ask("i-tea", quantity=quantity)) == ["quantity_invalid"]


def test_hidden_things_cannot_be_ordered() -> None:
    hidden = [msgspec.structs.replace(one, is_hidden=one.id == "c-drinks") for one in MENU.categories]
    assert codes(ask("i-tea", menu=small_menu(categories=hidden))) == ["item_unknown"]


def test_a_guest_reads_his_language_and_the_kitchen_its_own() -> None:
    prices = MenuPrices(MENU, NOON, "dine_in", "en")
    line = prices.price(DishLine("i-pide", 1, (Choice("o-large"),), "well done"))
    assert isinstance(line, PricedLine)
    assert (line.name, line.options, line.note) == ("Cheese Pide", ("Large",), "well done")
    assert (line.kitchen_name, line.kitchen_options) == ("KASARLI", ("Büyük",))


def test_obstacles_are_told_in_the_guests_language() -> None:
    menu = sell_out(MENU, ["i-pide"], UNTIL_TOLD)
    details = {}
    for language in ("tr", "en", "de"):
        problems = MenuPrices(menu, NOON, "dine_in", language).price(DishLine("i-pide", 1, (Choice("o-small"),)))
        assert isinstance(problems, tuple)
        details[language] = problems[0].detail
    assert details["tr"] == "Kaşarlı Pide tükendi."
    assert details["en"] == "Cheese Pide is sold out."
    assert details["de"] == "Kaşarlı Pide is sold out."


@settings(max_examples=many(60, 200), deadline=None)
@given(st.data())
def test_any_choice_is_either_priced_by_the_menu_or_refused(data: st.DataObject) -> None:
    menu = demo_menu()
    item = data.draw(st.sampled_from(menu.items))
    ids = st.sampled_from([option.id for group in menu.groups for option in group.options])
    choices = data.draw(st.lists(st.builds(Choice, ids, st.integers(-1, 3)), max_size=4))
    quantity = data.draw(st.integers(0, 100))
    found = price_line(menu, item.id, choices, quantity, NOON, "dine_in")
    if isinstance(found, PricedLine):
        deltas = sum(menu.options_by_id[one.option_id][1].price_delta * one.quantity for one in choices)
        assert found.unit_price == item.price + deltas >= 0
        assert found.amount == found.unit_price * quantity
        # What was priced is priced the same again from what was kept.
        again = price_line(menu, item.id, found.choices, quantity, NOON, "dine_in")
        assert again == found
    else:
        assert found
        assert all(one.item_id == item.id for one in found)
