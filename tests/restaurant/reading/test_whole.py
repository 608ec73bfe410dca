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
    # Some of those that were counted, and what follows them.
    "3 lahmacun, biri acısız olsun, 1 ayran, masa 4": (["1 Lahmacun", "2 Lahmacun", "1 Ayran"], "4"),
    "table 8 2 adana 3 cola, one of the colas sugar free": (["2 Adana Kebap", "1 Kola", "2 Kola"], "8"),
    # Words of every day that look like a dish.
    "2 çay masa 5, şimdiden teşekkürler": (["2 Çay"], "5"),
    "masa 5 kardeşimin 2 çayı": (["2 Çay"], "5"),
    "2 çay masa 5, salonun sonunda": (["2 Çay"], "5"),
    # Numbers that count no dish.
    "2 adana 10 numara, pardon pardon 11 numaraydı biz": (["2 Adana Kebap"], "11"),
    "3 çay, 7 numara değil 8 numaradayız": (["3 Çay"], "8"),
    "on iki numara iki çay": (["2 Çay"], "12"),
    "masa on birdeyiz iki çay": (["2 Çay"], "11"),
    "yirmi üçteyiz iki çay": (["2 Çay"], "23"),
    "masa on ikiye üç çay": (["3 Çay"], "12"),
    "3üncü masa 2 çay": (["2 Çay"], "3"),
    "adana:2 ayran:3 masa:4": (["2 Adana Kebap", "3 Ayran"], "4"),
    "adana 2 ayran 3 masa no 4": (["2 Adana Kebap", "3 Ayran"], "4"),
    "7 yaşındaki oğlum için mercimek, masa 3": (["1 Mercimek Çorbası"], "3"),
    "2. kattayız, masa 7, 3 çay": (["3 Çay"], "7"),
    "masa 5ten 6ya geçtik 2 çay": (["2 Çay"], "6"),
    "2 adana, table 8 by the door": (["2 Adana Kebap"], "8"),
    "somos cuatro, tres lahmacun, mesa 4": (["3 Lahmacun"], "4"),
    "wir sind vier, drei lahmacun, tisch 4": (["3 Lahmacun"], "4"),
    # What somebody had before, or does not want, is not ordered.
    "dün 2 adana yemiştik çok güzeldi, bugün 1 urfa masa 5": (["1 Urfa Kebap"], "5"),
    "last time we had 3 adana, today just one urfa please, table 2": (["1 Urfa Kebap"], "2"),
    "çayım bitti, 1 çay daha masa 5": (["1 Çay"], "5"),
    "ayran istemiyoruz, 2 adana masa 4": (["2 Adana Kebap"], "4"),
    "2 adana and an ayran, scratch the ayran, table 6": (["2 Adana Kebap"], "6"),
    "masa 9a 2 cağ kebabı 1 ezogelin": (["1 Ezogelin Çorbası"], "9"),
    # Of some of them, and of each.
    "3 adana, no onions in one of them, table 4": (["1 Adana Kebap", "2 Adana Kebap"], "4"),
    "table 10, three ayran and three tea. sorry, there's four of us, so four of each": (["4 Ayran", "4 Çay"], "10"),
    "1 manti no garlic table 3": (["1 Kayseri Mantısı"], "3"),
}
NO_ORDERS = (
    "iskender ne kadar", "mercimek ne kadar", "2 lahmacun istemiştik hala gelmedi masa 4", "1 baklava fıstık alerjim var masa 4",
    "2 lahmacun geldi biri soğuktu masa 4", "10 dakikadır bekliyoruz 2 çay masa 4", "we ordered 2 adana and got 1, table 4", "one rice table 3", "2 pide var mı masa 4",
    # What is taken back, or exchanged, is not what is read.
    "masa 9a 2 kola 1 fanta pardon 1 gazoz", "masa 9, iki sütlaç bir kazandibi... şey kazandibi değil revani diyecektim",
    # It depends on something, or is for later.
    "künefe kalmadıysa baklava olsun 1 tane masa 5", "2 adana 20:30'da alırım", "cumartesi 10 lahmacun lazım",
    "table 11, could we do three menemen (one with cheese) and two teas", "masa 4'e 2 çay, yan masaya 3 ayran", "ne adana ne urfa, 2 beyti masa 3",
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
            "2 somom masa 4",
            "masa on iki adana",
            "2 adana 10 numara, pardon pardon 11 numaraydı biz",
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


def test_a_street_may_be_called_as_a_dish_is() -> None:
    vocabulary, names = Vocabulary(demo_menu()), {item.id: item.name for item in demo_menu().items}
    with cases() as found:
        for text, address in {
            "2 lahmacun, Adana Sokak no 4 daire 2, Kadıköy": "Adana Sokak no 4 daire 2, Kadıköy",
            "2 lahmacun Ayran Sokak no 4 daire 2": "Ayran Sokak no 4 daire 2",
            "2 lahmacun, moda cad. no 5, 3. kat, daire 12": "moda cad. no 5, 3. kat, daire 12",
            "2 lahmacun, flat 5, 12 moda street, 3rd floor": "flat 5, 12 moda street, 3rd floor",
        }.items():
            with found.case(text):
                heard = read_whole(text, vocabulary)
                assert [f"{one.quantity} {names[one.item_id]}" for one in heard.lines] == ["2 Lahmacun"]
                assert (heard.address, heard.missed) == (address, ())


def test_a_name_behind_the_last_comma_is_of_who_comes_for_it() -> None:
    vocabulary = Vocabulary(demo_menu())
    assert read_whole("2 adana and an ayran, collecting it myself, Aisha", vocabulary).notes == "Aisha"
    # What nobody knows may be something that they want.
    assert read_whole("2 adana takeaway, Fanta", vocabulary).missed == ("Fanta",)


def test_a_table_next_door_that_has_a_number_is_another_place() -> None:
    heard = read_whole("masa 3e 2 adana, yan masamız 4e de 3 çay lütfen", Vocabulary(demo_menu()))
    assert [part.table for part in heard.parts] == ["3", "4"]


def test_words_of_every_day_are_no_dish() -> None:
    vocabulary, names = Vocabulary(demo_menu()), {item.id: item.name for item in demo_menu().items}
    with cases() as found:
        for text in (
            "2 çay masa 5, kasada öderiz",
            "2 teas at table 5, we live nearby",
            "2 teas, table 5, while we choose",
        ):
            with found.case(text):
                heard = read_whole(text, vocabulary)
                assert [(one.quantity, names[one.item_id]) for one in heard.lines] == [(2, "Çay")]
