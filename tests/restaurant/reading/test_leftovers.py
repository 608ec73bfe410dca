"""Each word of a text is of a dish, of what is asked, or around it; what is left over is shown, asked about, or left to people."""

from __future__ import annotations

import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.reading import Vocabulary, read
from tablegram.restaurant.reading.dialogue.accounting import checked
from tablegram.restaurant.reading.dialogue.held import HeldChange
from tablegram.restaurant.reading.dialogue.leftovers import is_talk, left_over, may_be_wish
from tablegram.restaurant.reading.whole import read_whole

VOCABULARY = Vocabulary(demo_menu())


def test_words_of_a_question_that_its_answer_has_nothing_of_are_found() -> None:
    cases = {
        "adana ne kadar": (),
        "saat kaça kadar açıksınız": (),
        "do you have künefe today?": (),
        "fıstıklı baklavanın kilosu ne kadar": ("kilosu",),
        "fiyatlarınız çok pahalı olmuş": ("pahali", "olmus"),
        "yarın açık mısınız bayramda": ("bayramda",),
    }
    assert {text: left_over(text, "", VOCABULARY) for text in cases} == cases


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("çok güzel bir akşamdı, adana efsaneydi", True),
        ("we're leaving soon, can you hurry with the dessert", True),
        ("gözlüğümü lavaboda bıraktım sanırım, kahverengi çerçeveli", True),
        ("urfa ile adananın fiyatı aynı mı", True),
        ("2 adana kanka", False),
        ("2 kymali pdie", False),
        ("masa 5 adana gönder hacı", False),
        ("bana bir adana bir de ayran lütfen", False),
    ],
)
def test_a_dish_that_is_only_spoken_of_is_no_order(text: str, is_one: bool) -> None:
    assert is_talk(text, read_whole(text, VOCABULARY), VOCABULARY) is is_one


def test_words_that_may_say_how_an_order_is_to_be_are_kept() -> None:
    texts = ["acısız olsunlar", "acısız mı bunlar", "teşekkürler", "çorba soğuk geldi"]
    assert [may_be_wish(text, read(text, VOCABULARY)) for text in texts] == [True, False, False, False]


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("tabl 4 won adana tow ayran", ("won adana", "tow ayran")),
        ("masa 9 dört su, yo beş", ("su … yo beş",)),
        ("2 adana 1 urfa 3 ayran masa 10... hay aksi adanalar acısız olcaktı", ("hay aksi adanalar acısız olcaktı",)),
    ],
)
def test_what_is_not_understood_is_shown_with_its_dish(text: str, missed: tuple[str, ...]) -> None:
    heard = read_whole(text, VOCABULARY)
    assert (heard.missed, heard.is_sure) == (missed, False)


@pytest.mark.parametrize(
    "text",
    [
        "3 adana 2 urfa masa 1 ay urfayı boşverin sadece adana",
        "paket olsun 2 iskender 1 beyti, ya beytiyi çıkarın iskenderler yeter",
        "I'd like an iskender at table 6, well actually could you do a beyti",
        "3 ayran 2 lahmacun masa 4, ayranlar 2 kalsın",
    ],
)
def test_a_dish_that_may_be_taken_back_is_asked_about(text: str) -> None:
    assert "changed_mind" in {one.kind for one in read_whole(text, VOCABULARY).questions}


@pytest.mark.parametrize(
    ("ordered", "said", "made"),
    [
        ("3 urfa 3 ayran", "one of the urfa should be an adana", "1 urfa 3 ayran 1 adana"),
        ("5 fındık lahmacun", "lahmacunu on tane yapın", "5 fındık lahmacun 10 lahmacun"),
    ],
)
def test_as_many_come_as_go_and_no_namesake_comes_besides(ordered: str, said: str, made: str) -> None:
    before, after = read(ordered, VOCABULARY).lines, read(made, VOCABULARY).lines
    assert checked(said, before, HeldChange(after), VOCABULARY).lines == before


def test_an_address_ends_where_something_else_is_said() -> None:
    street = "Fikirtepe Mah. Mandıra Cad. No 22 Kat 1"
    texts = [
        f"3 lahmacun {street} acele olursa seviniriz",
        f"3 lahmacun {street} adresine",
        f"3 lahmacun, {street}, kartla ödeyeceğim",
    ]
    assert [read_whole(text, VOCABULARY).address for text in texts] == [street] * 3
