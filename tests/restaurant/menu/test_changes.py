"""A change makes a new menu and leaves the old one alone; what would not hold is refused."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.restaurant.hours import VenueHours
from tablegram.restaurant.menu import changes
from tablegram.restaurant.menu.changes import PriceChange, change_prices
from tablegram.restaurant.menu.checks import check_menu
from tablegram.restaurant.menu.model import Availability, Item, Menu, clean_line
from tablegram.values.opening_hours import DAYS, WeekSpan
from tests.restaurant.menu.small import NOON, ZONE, at, small_menu

MENU = small_menu()
replace = msgspec.structs.replace


def faults(menu: Menu) -> list[tuple[str, str]]:
    return [(one.field, one.code) for one in check_menu(menu)]


def with_item(**fields: object) -> Menu:
    return changes.put_item(MENU, replace(MENU.items_by_id["i-pide"], **fields))


def test_a_sound_menu_has_no_faults() -> None:
    assert check_menu(MENU) == []


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": ""}, ("items[i-pide].name", "blank")),
        ({"name": "x" * 121}, ("items[i-pide].name", "too_long")),
        ({"price": -1}, ("items[i-pide].price", "price_invalid")),
        ({"code": "a b"}, ("items[i-pide].code", "code_invalid")),
        ({"code": "tea"}, ("items.code", "code_taken")),
        ({"category_id": "none"}, ("items[i-pide].category", "category_unknown")),
        ({"station": "roof"}, ("items[i-pide].station", "station_unknown")),
        ({"allergens": ["moon"]}, ("items[i-pide].allergens", "allergen_unknown")),
        ({"tags": [""]}, ("items[i-pide].tags", "tags_invalid")),
        ({"group_ids": ["none"]}, ("items[i-pide].option_groups", "group_unknown")),
        ({"group_ids": ["g-size", "g-size"]}, ("items[i-pide].option_groups", "group_twice")),
        ({"availability": Availability([WeekSpan("monday", "8", "9")])}, ("items[i-pide].availability", "time_invalid")),
        ({"availability": Availability(from_day="2027-02-01", until_day="2027-01-01")}, ("items[i-pide].availability", "date_invalid")),
        ({"translations": {"en": {"name": "x" * 121}}}, ("items[i-pide].name_en", "too_long")),
    ],
)  # fmt: skip
def test_what_an_item_may_not_be_is_named_with_its_place(fields: dict[str, object], fault: tuple[str, str]) -> None:
    assert fault in faults(with_item(**fields))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"options": []}, "options_missing"),
        ({"most": 0}, "counts_invalid"),
        ({"least": 3, "most": 2}, "counts_invalid"),
        ({"least": 9, "most": None}, "counts_invalid"),
    ],
)
def test_a_group_that_nobody_could_choose_from_is_refused(fields: dict[str, object], code: str) -> None:
    menu = changes.put_group(MENU, replace(MENU.groups_by_id["g-extra"], **fields))
    assert code in {one[1] for one in faults(menu)}


def test_groups_that_open_each_other_in_a_ring_are_refused() -> None:
    extra = MENU.groups_by_id["g-extra"]
    ring = replace(extra, options=[replace(extra.options[0], opens=["g-size"])])
    assert "nested_too_deep" in {one[1] for one in faults(changes.put_group(MENU, ring))}


def test_things_are_put_into_an_order_only_when_each_is_named_once() -> None:
    turned = changes.reorder_categories(MENU, ["c-drinks", "c-morning", "c-main"])
    assert [one.id for one in turned.categories] == ["c-drinks", "c-morning", "c-main"]
    inside = changes.reorder_items(MENU, "c-main", ["i-fries", "i-pide"])
    assert [one.id for one in inside.items_of("c-main")] == ["i-fries", "i-pide"]
    assert inside.items_of("c-drinks") == MENU.items_of("c-drinks")
    for wrong in (["i-fries"], ["i-fries", "i-fries"], ["i-fries", "i-pide", "i-tea"]):
        with pytest.raises(Invalid):
            changes.reorder_items(MENU, "c-main", wrong)


def test_an_item_that_moves_comes_last_in_its_new_category() -> None:
    moved = changes.put_item(MENU, replace(MENU.items_by_id["i-pide"], category_id="c-drinks"))
    assert [one.id for one in moved.items_of("c-drinks")] == ["i-tea", "i-pide"]
    changed = changes.put_item(MENU, replace(MENU.items_by_id["i-pide"], price=1))
    assert [one.id for one in changed.items_of("c-main")] == ["i-pide", "i-fries"]


def test_a_category_with_items_stays_and_a_group_leaves_without_a_trace() -> None:
    with pytest.raises(Conflict):
        changes.remove_category(MENU, "c-main")
    without = changes.remove_group(changes.remove_group(MENU, "g-extra"), "g-sauce")
    assert check_menu(without) == []
    assert without.items_by_id["i-fries"].group_ids == []
    assert without.groups_by_id["g-size"].options[0].opens == []
    with pytest.raises(NotFound):
        changes.remove_item(MENU, "i-none")


@pytest.mark.parametrize(
    ("change", "prices"),
    [
        (PriceChange(percent_bp=1_000), [22_000, 9_900, 16_500, 2_750]),
        (PriceChange(percent_bp=1_000, step=500), [22_000, 10_000, 16_500, 3_000]),
        (PriceChange(percent_bp=1_000, step=500, rounding="down"), [22_000, 9_500, 16_500, 2_500]),
        (PriceChange(percent_bp=1_200, step=500, rounding="up"), [22_500, 10_500, 17_000, 3_000]),
        (PriceChange(amount=500), [20_500, 9_500, 15_500, 3_000]),
        (PriceChange(amount=-3_000), [17_000, 6_000, 12_000, 0]),
        (PriceChange(percent_bp=1_000, category_ids=["c-drinks"]), [20_000, 9_000, 15_000, 2_750]),
        (PriceChange(amount=500, item_ids=["i-fries"]), [20_000, 9_500, 15_000, 2_500]),
    ],
)
def test_prices_change_together_by_one_rule(change: PriceChange, prices: list[int]) -> None:
    menu, moved = change_prices(MENU, change)
    assert [one.price for one in menu.items] == prices
    before = [one.price for one in MENU.items]
    assert [(one.before, one.after) for one in moved] == [
        pair for pair in zip(before, prices, strict=True) if pair[0] != pair[1]
    ]


def test_prices_of_options_follow_when_asked() -> None:
    menu, _ = change_prices(MENU, PriceChange(percent_bp=1_000, options=True))
    assert [one.price_delta for one in menu.groups_by_id["g-extra"].options] == [2_200, 1_100]
    assert [one.price_delta for one in menu.groups_by_id["g-sauce"].options] == [0, 0, -550]


@given(st.integers(-5_000, 10_000), st.sampled_from([1, 5, 25, 100, 500]), st.sampled_from(["nearest", "up", "down"]))
def test_new_prices_are_round_and_close(percent_bp: int, step: int, rounding: str) -> None:
    change = PriceChange(percent_bp=percent_bp, step=step, rounding=rounding)  # type: ignore[arg-type]
    if percent_bp == 0 and step == 1:
        return
    menu, _ = change_prices(MENU, change)
    for before, after in zip(MENU.items, menu.items, strict=True):
        exact = before.price * (10_000 + percent_bp) / 10_000
        assert after.price % step == 0
        assert abs(after.price - exact) < step if rounding != "nearest" else abs(after.price - exact) <= step / 2


@pytest.mark.parametrize("change", [PriceChange(), PriceChange(percent_bp=20_000), PriceChange(percent_bp=1, step=0)])
def test_a_change_that_cannot_be_meant_is_refused(change: PriceChange) -> None:
    with pytest.raises(Invalid):
        change_prices(MENU, change)


def test_sold_out_for_today_ends_when_the_doors_open_again() -> None:
    hours = VenueHours(ZONE, [WeekSpan(day, "10:00", "02:00") for day in DAYS])
    assert changes.until_next_day(hours, NOON) == at("2027-01-16 10:00")
    assert changes.until_next_day(hours, at("2027-01-16 01:00")) == at("2027-01-16 10:00")
    assert changes.until_next_day(hours, at("2027-01-16 05:00")) == at("2027-01-16 10:00")
    assert changes.until_next_day(VenueHours(ZONE, []), NOON) == NOON + 24 * 3_600_000


def test_in_a_house_that_never_closes_sold_out_for_today_ends_in_the_morning() -> None:
    always = VenueHours(ZONE, [WeekSpan(day, "00:00", "00:00") for day in DAYS])
    assert changes.until_next_day(always, NOON) == at("2027-01-16 06:00")
    assert changes.until_next_day(always, at("2027-01-16 01:00")) == at("2027-01-16 06:00")


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("  Adana \n Kebap ", "Adana Kebap"),
        ("abc\u202etxt.exe\u202c", "abctxt.exe"),
        ("\u0000nul\u200b", "nul"),
        ("كباب أضنة", "كباب أضنة"),
        ("👨\u200d🍳 şef", "👨\u200d🍳 şef"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ],
)
def test_names_keep_every_script_and_lose_what_nobody_sees(given_: str, kept: str) -> None:
    assert clean_line(given_) == kept


def test_a_new_item_comes_at_the_end() -> None:
    menu = changes.put_item(MENU, Item("i-new", "c-main", "new", "Yeni", 100))
    assert [one.id for one in menu.items_of("c-main")] == ["i-pide", "i-fries", "i-new"]
