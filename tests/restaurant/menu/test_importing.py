"""Menus come in from files whole or not at all, and go out so that they come in again unchanged."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.errors import Invalid
from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.menu.importing.documents import FORMAT
from tablegram.restaurant.menu.importing.files import read_file
from tablegram.restaurant.menu.importing.merging import ImportOutcome
from tablegram.restaurant.menu.importing.sheets import write_items, write_options
from tablegram.restaurant.menu.importing.spans import read_spans, write_spans
from tablegram.restaurant.menu.importing.written import ExportedMenu, write_document
from tablegram.restaurant.menu.model import Availability, Menu
from tablegram.values.opening_hours import DAYS, WeekSpan
from tests.long import many
from tests.restaurant.menu.small import small_menu

MENU = small_menu()


def table(*lines: str, menu: Menu = MENU, mode: str = "merge", letters: str = "utf-8") -> ImportOutcome:
    return read_file("\n".join(lines).encode(letters), menu, mode)  # type: ignore[arg-type]


def made(outcome: ImportOutcome) -> Menu:
    assert outcome.errors == []
    assert outcome.menu is not None
    return outcome.menu


def told(outcome: ImportOutcome) -> list[tuple[int | None, str, str]]:
    assert outcome.menu is None
    return [(one.row, one.field, one.code) for one in outcome.errors]


@pytest.mark.parametrize("write", [write_items, write_options, write_document])
@pytest.mark.parametrize("menu", [MENU, demo_menu()], ids=["small", "demo"])
def test_what_goes_out_comes_in_again_unchanged(write: object, menu: Menu) -> None:
    outcome = read_file(write(menu), menu, "replace")  # type: ignore[operator]
    assert made(outcome) == menu
    assert (outcome.added, outcome.changed, outcome.removed) == (0, 0, 0)


def test_a_document_fills_an_empty_menu_with_the_same() -> None:
    empty = small_menu(categories=[], items=[], groups=[])
    menu = made(read_file(write_document(MENU), empty))
    assert write_document(menu) == write_document(MENU)


def test_what_goes_out_is_what_the_interface_draws_to_the_last_field() -> None:
    for menu in (MENU, demo_menu()):
        written = write_document(menu)
        assert msgspec.to_builtins(msgspec.json.decode(written, type=ExportedMenu)) == msgspec.json.decode(written)


def test_a_table_changes_what_it_names_and_leaves_the_rest() -> None:
    outcome = table("kod;fiyat;ürün", "pide;210,50;Kaşarlı Pide", "tea;27;Demli Çay")
    menu = made(outcome)
    assert (outcome.added, outcome.changed, outcome.removed) == (0, 2, 0)
    pide = menu.items_by_id["i-pide"]
    assert (pide.price, pide.kitchen_name, pide.group_ids) == (21_050, "KASARLI", ["g-size"])
    assert menu.items_by_id["i-tea"].name == "Demli Çay"
    assert menu.items_by_id["i-fries"] == MENU.items_by_id["i-fries"]


def test_new_items_make_their_category_and_their_code() -> None:
    menu = made(
        table(
            "kategori,ürün,fiyat,name en", "Tatlılar,Fırın Sütlaç,130,Rice Pudding", "Tatlılar,Fırın  Sütlaç 2,1.250,"
        )
    )
    sweets = menu.categories[-1]
    first, second = menu.items_of(sweets.id)
    assert sweets.name == "Tatlılar"
    assert (first.code, first.price, first.translations) == ("firin-sutlac", 13_000, {"en": {"name": "Rice Pudding"}})
    assert (second.code, second.name, second.price) == ("firin-sutlac-2", "Fırın Sütlaç 2", 125_000)


def test_without_a_code_an_item_is_known_by_its_name_in_either_language() -> None:
    menu = made(table("category,name,price", "Mains,CHEESE PIDE,1"))
    assert [one.price for one in menu.items_of("c-main")] == [100, 9_000]


def test_replacing_takes_away_what_the_table_does_not_name() -> None:
    outcome = table("code,name,price", "tea,Çay,25", mode="replace")
    menu = made(outcome)
    assert [one.id for one in menu.items] == ["i-tea"]
    assert [one.id for one in menu.categories] == ["c-drinks"]
    assert outcome.removed == 3
    # A table of items says nothing about options.
    assert menu.groups == MENU.groups


def test_every_wrong_cell_is_told_with_its_row_and_nothing_comes_in() -> None:
    outcome = table(
        "category,code,name,price,allergens,station,option_groups,available,hidden,order_types",
        "Ana,ok,Fine,10,gluten,kitchen,size,mon-fri 10:00-12:00,no,dine in",
        "Ana,bad price,Second,ten,,,,,,",
        "Ana,c3,,10,,,,,,",
        "Ana,c4,Fourth,10,moon,roof,none,always,perhaps,by boat",
        ",c5,Fifth,10,,,,,,",
        "Ana,c6,Sixth,,,,,,,",
        "Ana,ok,Again,10,,,,,,",
        "Ana,c8,Eighth,-1,,,,,,",
    )
    assert sorted(told(outcome), key=str) == sorted(
        [
            (3, "price", "price_invalid"),
            (4, "name", "blank"),
            (5, "allergens", "allergen_unknown"), (5, "station", "station_unknown"),
            (5, "option_groups", "group_unknown"), (5, "available", "time_invalid"), (5, "hidden", "answer_invalid"),
            (5, "order_types", "order_type_unknown"),
            (6, "category", "category_missing"), (7, "price", "price_missing"), (8, "code", "code_taken"),
            (9, "price", "price_invalid"),
        ],
        key=str,
    )  # fmt: skip


def test_a_table_of_options_makes_groups_that_open_each_other() -> None:
    menu = made(
        table(
            "grup,grup adı,zorunlu,en çok,seçenek,fiyat,option en,açar",
            "cup,Bardak,evet,1,Küçük,,Small,",
            "cup,Bardak,evet,1,Büyük,20,Large,milk",
            "milk,Süt,,,Sütlü,5,,",
        )
    )
    cup, milk = menu.groups[-2:]
    assert (cup.code, cup.name, cup.required, cup.most) == ("cup", "Bardak", True, 1)
    assert [(one.name, one.price_delta, one.opens) for one in cup.options] == [
        ("Küçük", 0, []), ("Büyük", 2_000, [milk.id]),
    ]  # fmt: skip
    assert cup.options[1].translations == {"en": {"name": "Large"}}
    assert milk.most is None


def test_options_keep_their_ids_so_that_open_carts_still_find_them() -> None:
    menu = made(
        table(
            "group,group_name,required,group_most,option,price",
            "extra,Ekstra,,2,Yumurta,12",
            "extra,Ekstra,,2,Sucuk,30",
        )
    )
    egg, sausage = menu.groups_by_id["g-extra"].options
    assert (egg.id, egg.price_delta) == ("o-egg", 1_200)
    assert sausage.id not in MENU.options_by_id


def test_columns_that_a_table_of_options_does_not_have_leave_what_is_kept() -> None:
    menu = made(table("group,option", "size,Küçük", "size,Büyük"))
    assert menu == MENU


def test_columns_that_a_table_of_items_does_not_have_leave_what_is_kept() -> None:
    seasonal = Availability([WeekSpan("monday", "10:00", "12:00")], ["dine_in"], "2027-01-01", "2027-02-01")
    old = small_menu(items=[msgspec.structs.replace(MENU.items_by_id["i-tea"], availability=seasonal)])
    menu = made(table("code,name,available", "tea,Çay,tue 10:00-12:00", menu=old))
    spans = [WeekSpan("tuesday", "10:00", "12:00")]
    assert menu.items[0].availability == msgspec.structs.replace(seasonal, hours=spans)


def test_an_option_that_stands_twice_in_its_group_is_told() -> None:
    outcome = table("group,option", "extra,Yumurta", "extra,YUMURTA")
    assert told(outcome) == [(2, "options", "option_twice")]


def test_replacing_puts_things_into_the_order_of_the_file() -> None:
    menu = made(table("code,name,price", "tea,Çay,25", "fries,Patates,90", "pide,Kaşarlı Pide,200", mode="replace"))
    assert [one.id for one in menu.items] == ["i-tea", "i-fries", "i-pide"]


def test_a_name_that_went_to_another_item_is_free_again() -> None:
    menu = made(table("category,code,name,price", "İçecek,tea,Demli Çay,25", "İçecek,,Çay,30"))
    assert [(one.name, one.price) for one in menu.items_of("c-drinks")] == [("Demli Çay", 2_500), ("Çay", 3_000)]


def test_a_long_table_is_read_in_a_reasonable_number_of_steps() -> None:
    rows = [f"Ana,Yemek {number},10" for number in range(2_100)]
    outcome = table("category,name,price", *rows)
    assert told(outcome) == [(None, "items", "too_many")]
    with pytest.raises(Invalid, match="5,000 rows"):
        table("category,name,price", *rows, *rows, *rows)


def test_a_formula_in_a_name_goes_out_harmless_and_comes_back() -> None:
    item = msgspec.structs.replace(MENU.items_by_id["i-tea"], name='=HYPERLINK("http://x")', description="-1+1")
    menu = small_menu(items=[item])
    raw = write_items(menu)
    assert b"\"'=HYPERLINK" in raw
    assert made(read_file(raw, menu)) == menu


@pytest.mark.parametrize("letters", ["utf-8", "utf-8-sig", "utf-16", "windows-1254"])
def test_tables_of_every_program_are_read(letters: str) -> None:
    menu = made(table("kod\tfiyat\türün", "tea\t30\tÇay (ıhlamur)", letters=letters))
    assert menu.items_by_id["i-tea"].name == "Çay (ıhlamur)"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "file_empty"),
        (b"PK\x03\x04 a workbook", "file_unreadable"),
        (b"price\n12", "name_column_missing"),
        (b"{", "file_unreadable"),
        (b'{"format": "other"}', "format_unknown"),
        (b'{"currency": "EUR"}', "currency_differs"),
        (b'{"dishes": []}', "file_unreadable"),
    ],
)
def test_a_file_that_is_no_menu_is_refused_with_a_reason(raw: bytes, code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read_file(raw, MENU)
    assert refusal.value.code == code
    assert refusal.value.errors[0].field == "file"


def test_faults_are_told_row_by_row_whatever_found_them() -> None:
    outcome = table(
        "category,code,name,price,station,allergens", "A,x1,One,10,kitchen,", "A,x1,Twice,10,kitchen,",
        "A,x2,Two,abc,kitchen,", "A,x3,Three,10,grill,foo", ",x4,Four,5,kitchen,",
    )  # fmt: skip
    assert [row for row, _, _ in told(outcome)] == [3, 4, 5, 5, 6]


def test_faults_of_a_document_have_places() -> None:
    document = {
        "format": FORMAT,
        "categories": [
            {"name": "Ana", "items": [{"name": "A", "price": 1.005}, {"name": {"fr": "B"}, "price": 1}, {"nome": "C"}]},
            {"name": "Ana 2", "items": [{"name": "D", "price": 5, "option_groups": ["none"]}]},
        ],
        "option_groups": [{"name": "G", "code": "g", "options": []}],
    }
    outcome = read_file(msgspec.json.encode(document), MENU)
    assert outcome.menu is None
    assert {(one.place, one.code) for one in outcome.errors} == {
        ("categories[0].items[0]", "price_invalid"),
        ("categories[0].items[1]", "language_unknown"),
        ("categories[0].items[2]", "shape_wrong"),
        ("categories[1].items[0]", "group_unknown"),
        ("option_groups[0]", "options_missing"),
    }


@settings(max_examples=many(50, 150), deadline=None)
@given(st.lists(st.lists(st.text(max_size=12), max_size=4), max_size=5))
def test_no_table_breaks_the_reading(rows: list[list[str]]) -> None:
    text = "\n".join(["category,name,price,available", *(",".join(row) for row in rows)])
    try:
        outcome = read_file(text.encode("utf-8", "surrogatepass"), MENU)
    except Invalid:
        return
    assert (outcome.menu is None) is bool(outcome.errors)


@pytest.mark.parametrize(
    ("cell", "spans"),
    [
        ("", []),
        ("mon-wed 11:00-15:00", [(day, "11:00", "15:00") for day in DAYS[:3]]),
        ("sat-mon 9:00-02:00", [(day, "09:00", "02:00") for day in ("saturday", "sunday", "monday")]),
        ("Pzt,Çar 10:00 - 12:00; cuma 18:00-23:00", [
            ("monday", "10:00", "12:00"), ("wednesday", "10:00", "12:00"), ("friday", "18:00", "23:00"),
        ]),
        ("08:00-14:00", [(day, "08:00", "14:00") for day in DAYS]),
    ],
)  # fmt: skip
def test_days_and_times_stand_in_one_cell(cell: str, spans: list[tuple[str, str, str]]) -> None:
    wanted = [WeekSpan(*one) for one in spans]  # type: ignore[arg-type]
    assert read_spans(cell) == wanted
    assert read_spans(write_spans(wanted)) == wanted


def test_rates_of_vat_go_out_and_come_in_and_an_empty_cell_is_the_usual_one() -> None:
    menu = made(table("kod;ürün;KDV", "pide;Kaşarlı Pide;%10", "tea;Çay;8,5"))
    assert [menu.items_by_id[one].vat for one in ("i-pide", "i-tea", "i-fries")] == [1_000, 850, None]
    for write in (write_items, write_document):
        assert made(read_file(write(menu), menu, "replace")) == menu
    again = read_file(b"code,name,vat\npide,Pide,\n", menu)
    assert made(again).items_by_id["i-pide"].vat is None
    assert told(table("kod;ürün;KDV", "pide;Pide;viel")) == [(2, "vat", "number_invalid")]
    assert told(table("kod;ürün;KDV", "tea;Çay;101")) == [(2, "vat", "out_of_range")]
