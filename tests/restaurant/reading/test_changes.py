"""What a guest changes in dishes that were read back, by a table of what they say."""

from __future__ import annotations

import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.reading import Vocabulary, read
from tablegram.restaurant.reading.dialogue.changing.changes import change
from tablegram.restaurant.reading.dialogue.joining import Asked, join

MENU = demo_menu()
VOCABULARY = Vocabulary(MENU)


@pytest.mark.parametrize(
    ("ordered", "said", "becomes"),
    [
        ("2 mercimek", "birini ezogelin yapalım", "1 Mercimek Çorbası, 1 Ezogelin Çorbası"),
        ("2 mercimek 1 ayran", "biri ezogelin olsun", "1 Mercimek Çorbası, 1 Ayran, 1 Ezogelin Çorbası"),
        ("two adana", "make one of them urfa please", "1 Adana Kebap, 1 Urfa Kebap"),
        ("2 adana", "biri acısız olsun", "1 Adana Kebap, 1 Adana Kebap"),
        # Of which of the soups, and how three of two, nobody knows.
        ("1 mercimek 1 ezogelin", "birini yayla yapalım", "1 Mercimek Çorbası, 1 Ezogelin Çorbası ?"),
        ("1 kola", "ikisini ayran yapın", "1 Kola ?"),
        ("1 humus 1 fava", "no fava please, and two teas", "1 Humus, 2 Çay"),
        ("1 humus 1 fava", "fava olmasın, 2 çay", "1 Humus, 2 Çay"),
        ("1 çipura", "kılçıksız olsun bir de roka salata", "1 Çipura Izgara, 1 Roka Salatası"),
        ("1 menemen 2 çay", "çayların biri fincanda olsun", "1 Menemen, 1 Çay, 1 Çay"),
        ("3 çay", "2 olsun", "2 Çay"),
        # What is said of a dish takes none back.
        ("2 adana 1 ayran", "adanalar çok acı olmasın", "2 Adana Kebap, 1 Ayran"),
        ("2 adana 1 ayran", "no onions on the adana", "2 Adana Kebap, 1 Ayran"),
        ("1 mantı 1 çay", "no garlic on the manti please", "1 Kayseri Mantısı, 1 Çay"),
        ("2 adana 1 ayran", "no ice in the ayran", "2 Adana Kebap, 1 Ayran"),
        ("2 adana 1 kola", "no onions on the adana and two colas please", "2 Adana Kebap, 2 Kola"),
        ("4 lahmacun 2 kola", "lahmacunun 1i acılı gerisi acısız", "1 Lahmacun, 3 Lahmacun, 2 Kola"),
        ("3 kıymalı pide", "birini karışık yapalım", "2 Kıymalı Pide, 1 Karışık Pide"),
        ("2 adana 1 ayran", "sadece adana kalsın", "2 Adana Kebap"),
        ("2 adana 2 ayran", "adanaları boşverin ayranlar kalsın", "2 Ayran"),
        ("2 adana 1 ayran", "ayran kalsın adana iptal", "1 Ayran"),
        ("5 lahmacun 5 ayran", "bir kişi daha geldi 6 şar olsun", "6 Lahmacun, 6 Ayran"),
        ("3 lahmacun", "3 değil 4 olsun", "4 Lahmacun"),
        ("2 kola", "swap a cola for an ayran", "1 Kola, 1 Ayran"),
        ("2 adana 1 ayran", "baştan alalım, 1 iskender 1 kola", "1 İskender, 1 Kola"),
        ("2 çay", "çayı boşver kola getir", "2 Kola"),
        # Several changes in one sentence: each is done in turn.
        ("3 beyti 3 şalgam", "beytiyi ikiye düşür, yerine bir urfa ekle", "2 Beyti Sarma, 3 Şalgam, 1 Urfa Kebap"),
        (
            "3 çay 1 filtre kahve 2 baklava",
            "put oat milk in the coffee and make it three baklava",
            "3 Çay, 1 Filtre Kahve, 3 Fıstıklı Baklava",
        ),
        (
            "1 iskender 1 urfa 2 ayran",
            "can you make the iskender a beyti and drop one ayran",
            "1 Urfa Kebap, 1 Ayran, 1 Beyti Sarma",
        ),
        ("2 adana 1 kola", "iki kola, adana acısız", "2 Adana Kebap, 2 Kola"),
        (
            "1 katmer 1 kazandibi 3 çay",
            "çay ikiye insin, katmer yerine de fıstıklı baklava",
            "1 Kazandibi, 2 Çay, 1 Fıstıklı Baklava",
        ),
        ("2 kola 1 adana", "kolalar ayran olsun", "1 Adana Kebap, 2 Ayran"),
        (
            "1 mantı 2 ayran",
            "no garlic on the manti please, and make the ayrans large",
            "1 Kayseri Mantısı, 2 Ayran",
        ),
        (
            "2 adana 1 urfa 1 çoban salata",
            "leave the onion out of the salad",
            "2 Adana Kebap, 1 Urfa Kebap, 1 Çoban Salata",
        ),
        ("5 lahmacun 5 ayran", "three of each", "3 Lahmacun, 3 Ayran"),
        ("3 sütlaç 2 çay", "sütlaç üç olmasın iki olsun", "2 Fırın Sütlaç, 2 Çay"),
        ("1 karışık ızgara 2 ayran", "ızgara iki olsun ama ayranlar aynı kalsın", "2 Karışık Izgara, 2 Ayran"),
        ("1 mercimek 1 adana 1 kola", "çorba kalsın gerisi iptal", "1 Mercimek Çorbası"),
        ("3 lahmacun 2 ayran", "bir lahmacun daha ekleyin, ayran da dört olsun", "4 Lahmacun, 4 Ayran"),
        ("1 künefe 2 çay", "make it two künefe, one of them with ice cream", "1 Künefe, 1 Künefe, 2 Çay"),
        (
            "4 çay 2 baklava",
            "just one baklava, and can one of the teas be a turkish coffee, medium",
            "3 Çay, 1 Fıstıklı Baklava, 1 Türk Kahvesi",
        ),
        ("1 mantı 2 çay", "mantıda sarımsak istemiyoruz", "1 Kayseri Mantısı, 2 Çay"),
        ("3 türk kahvesi sade", "kahvelerin birini orta yapın", "2 Türk Kahvesi, 1 Türk Kahvesi"),
        # What one of them means nobody knows: it is named, and so is what may be about it.
        ("2 adana 1 kola", "adanaları şöyle yapın, kola iki olsun", "2 Adana Kebap, 2 Kola ?"),
    ],
)
def test_a_change_is_taken_as_it_is_meant_or_shown_as_not_understood(ordered: str, said: str, becomes: str) -> None:
    made = change(said, read(ordered, VOCABULARY).lines, VOCABULARY)
    assert made is not None
    lines = ", ".join(f"{line.quantity} {MENU.items_by_id[line.item_id].name}" for line in made.lines)
    assert lines + (" ?" if made.missed else "") == becomes


def test_words_that_nobody_understands_hide_no_dish() -> None:
    heard = read("xyz yemeği: 3 ezogelin, 1 yayla", VOCABULARY)
    assert any("ezogelin" in question.fragment for question in heard.questions)


def test_an_answer_that_splits_what_was_asked_about_leaves_the_rest() -> None:
    text = "masa 7'ye 2 kahve 1 çay"
    joined = join(Asked(text, read(text, VOCABULARY).questions), "türk kahvesi olsun, biri sade biri orta", VOCABULARY)
    names = [f"{line.quantity} {MENU.items_by_id[line.item_id].name}" for line in joined.reading.lines]
    assert sorted(names) == ["1 Türk Kahvesi", "1 Türk Kahvesi", "1 Çay"]
    assert joined.reading.table == "7"


def test_who_comes_for_it_by_their_name_has_said_all() -> None:
    lines = read("2 adana", VOCABULARY).lines
    made = change("collecting it myself, Aisha", lines, VOCABULARY)
    assert made is not None
    assert (made.order_type, made.notes, made.missed) == ("takeaway", "Aisha", ())
