"""A text as a whole: what is likely meant is taken and never sure, and what is told or asked is no order."""

from __future__ import annotations

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.reading import Vocabulary
from tablegram.restaurant.reading.whole import read_whole
from tests.cases import cases

TAKEN = {
    "2 kıymalı 1 kaşarlı pide masa 4": (["2 Kıymalı Pide", "1 Kaşarlı Pide"], "4"),
    "1 kıymalı 1 kaşarlı pide masa 11\n*kaşarlı değil ıspanaklı": (["1 Kıymalı Pide", "1 Ispanaklı Pide"], "11"),
    "masa 2 ay yanlış masa 12, 3 çay": (["3 Çay"], "12"),
    "2 iskender masa 3 pardon masa 4": (["2 İskender"], "4"),
    "3 ayran 1 kola masa 8, ayran 2 olsun": (["2 Ayran", "1 Kola"], "8"),
    "one adana one urfa table 2, actually make the urfa a chicken shish": (["1 Adana Kebap", "1 Tavuk Şiş"], "2"),
    "1 künefe msa 10": (["1 Künefe"], "10"),
    "biz dokuz numaradayız bize bi dört çay yolla ya": (["4 Çay"], "9"),
    "tabble 9 thre lahmajun": (["3 Lahmacun"], "9"),
    "an Tisch 4 bitte zweimal Künefe und einen Tee": (["2 Künefe", "1 Çay"], "4"),
    "table 5: three urfa. Correction: one urfa should be a chicken shish": (["2 Urfa Kebap", "1 Tavuk Şiş"], "5"),
    "iki ayran masa beşteyiz": (["2 Ayran"], "5"),
    "zwei Lahmacun und zwei Ayran bitte, Tisch 9": (["2 Lahmacun", "2 Ayran"], "9"),
    "geçen haftaki adana efsaneydi, yine 2 adana 2 şalgam alalım masa 3": (["2 Adana Kebap", "2 Şalgam"], "3"),
    "çok açız 2 karışık pide masa 12 bekliyoruz": (["2 Karışık Pide"], "12"),
    "1 simit tabağı; çay 6. Dokuzuncu masadayız": (["1 Simit Tabağı", "6 Çay"], "9"),
    "2 kola masa 8 yok pardon 9": (["2 Kola"], "9"),
    "3 çay masa 4, bi dakika masa 4 değil 5miş": (["3 Çay"], "5"),
    "on iki numaraya iki çay": (["2 Çay"], "12"),
    "dayı selam 8deyiz, 2 beyti 1 haydari": (["2 Beyti Sarma", "1 Haydari"], "8"),
    "table 12, two of us: one sea bream, one hummus": (["1 Çipura Izgara", "1 Humus"], "12"),
    "one white beans with bulgur and two ayrans no wait one ayran, table 10": (["1 Kuru Fasulye", "1 Ayran"], "10"),
    "masa 9'a iki kola bir ayran. pardon ters söyledim, iki ayran bir kola": (["2 Ayran", "1 Kola"], "9"),
    "doğum günümüz var masa 9'a 5 çay yollar mısınız": (["5 Çay"], "9"),
}
NO_ORDERS = (
    "iskender ne kadar", "mercimek ne kadar", "2 lahmacun istemiştik hala gelmedi masa 4", "1 baklava fıstık alerjim var masa 4",
    "2 lahmacun geldi biri soğuktu masa 4", "we ordered 2 adana and got 1, table 4", "one rice table 3", "2 pide var mı masa 4",
    # What is taken back, or exchanged, is not what is read.
    "masa 9a 2 kola 1 fanta pardon 1 gazoz", "masa 9, iki sütlaç bir kazandibi... şey kazandibi değil revani diyecektim",
    "3 karışık pide masa 2, yalnız bi tanesi kaşarlı olsun ya", "four teas to table 4, no hang on, one of those should be a salep",
)  # fmt: skip


def test_what_is_likely_meant_is_taken_and_the_rest_is_not() -> None:
    vocabulary, names = Vocabulary(demo_menu()), {item.id: item.name for item in demo_menu().items}
    with cases() as found:
        for text, (wanted, table) in TAKEN.items():
            with found.case(text):
                heard = read_whole(text, vocabulary)
                assert (sorted(f"{one.quantity} {names[one.item_id]}" for one in heard.lines), heard.table) == (
                    sorted(wanted),
                    table,
                )
                assert heard.is_order
        for text in NO_ORDERS:
            with found.case(text):
                assert not read_whole(text, vocabulary).is_order


def test_tables_by_spoken_numbers_are_two_places() -> None:
    heard = read_whole("dokuz numaraya üç türk kahvesi orta, on numaraya iki sütlaç", Vocabulary(demo_menu()))
    assert [part.table for part in heard.parts] == ["9", "10"]


def test_what_was_guessed_never_goes_straight_through() -> None:
    vocabulary = Vocabulary(demo_menu())
    with cases() as found:
        for text in (
            "2 kıymalı masa 4",
            "geçen haftaki adana efsaneydi, yine 2 adana masa 3",
            "çok açız 2 karışık pide masa 12 bekliyoruz",
        ):
            with found.case(text):
                heard = read_whole(text, vocabulary)
                assert heard.is_order
                assert not heard.is_sure


def test_each_of_two_numbers_with_its_dishes_is_a_table() -> None:
    parts = read_whole("7 ye 2 çay 8 e 3 çay", Vocabulary(demo_menu())).parts
    assert [(part.table, [line.quantity for line in part.lines]) for part in parts] == [("7", [2]), ("8", [3])]


def test_an_allergy_beside_an_order_goes_to_the_kitchen_with_it_and_never_straight_through() -> None:
    heard = read_whole("2 adana masa 4, fıstık alerjim var", Vocabulary(demo_menu()))
    assert heard.is_order
    assert not heard.is_sure
    assert (heard.table, heard.notes) == ("4", "fıstık alerjim var")
