"""A change does all that was written, or nothing: what is not found in it is shown."""

from __future__ import annotations

import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.reading import Vocabulary, read
from tablegram.restaurant.reading.dialogue.accounting import accounts_for, checked, still_open
from tablegram.restaurant.reading.dialogue.changing.changes import amend, change
from tablegram.restaurant.reading.whole import read_whole

MENU = demo_menu()
VOCABULARY = Vocabulary(MENU)


@pytest.mark.parametrize(
    ("ordered", "said", "becomes", "missed"),
    [
        ("2 adana 1 ayran", "ayran olmasın", "2 Adana Kebap", ()),
        ("2 adana 1 ayran", "ayran olmasın hava serin", "2 Adana Kebap", ("hava", "serin")),
        # The dish in its place is not to be lost, nor three counted as one.
        (
            "1 ıspanaklı pide",
            "yok ya vazgeçtim ıspanaklıdan kıymalı olsun büyük",
            "1 Ispanaklı Pide",
            ("yok ya vazgeçtim ıspanaklıdan kıymalı olsun büyük",),
        ),
        ("3 lahmacun 3 ayran", "birer tane daha", "3 Lahmacun, 3 Ayran", ("birer tane daha",)),
    ],
)
def test_a_change_that_does_something_else_changes_nothing(
    ordered: str, said: str, becomes: str, missed: tuple[str, ...]
) -> None:
    before = read(ordered, VOCABULARY).lines
    made = change(said, before, VOCABULARY)
    assert made is not None
    proven = checked(said, before, made, VOCABULARY)
    assert _shown(proven.lines) == becomes
    assert proven.missed == missed


def test_an_order_that_stands_is_changed_by_words_that_say_nothing_else() -> None:
    before = read("2 adana 1 ayran", VOCABULARY).lines
    plain, more = "ayranı iptal edin", "ayranı iptal edin garson gelmeden"
    after = amend(plain, before, VOCABULARY)
    assert after is not None
    assert accounts_for(plain, before, after, VOCABULARY)
    assert not accounts_for(more, before, after, VOCABULARY)


def test_what_was_missed_of_a_dish_is_shown_until_something_is_said_of_it() -> None:
    missed = ("şişlerin ikisi bulgurlu gelsin", "oh be")
    assert still_open(missed, "salata soğansız", VOCABULARY) == missed[:1]
    assert still_open(missed, "2 şiş bulgurlu", VOCABULARY) == ()


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("1 mantı 1 iskender masa 2, ay iskenderi karıştırdım ali nazik diyecektim", "ay iskenderi karıştırdım"),
        ("2 adana 1 urfa 3 ayran masa 10... hay aksi adanalar acısız olcaktı", "hay aksi adanalar acısız"),
        ("masa 9 dört su, yo beş", "su … yo beş"),
        ("2 lahmacun olacaktı ama 3 yapalım masa 8", "2 lahmacun"),
        ("masa 2 dört fındık lahmacun, az olur o altı yapalım", "fındık lahmacun … az olur o altı yapalım"),
    ],
)
def test_a_clause_of_which_an_order_holds_nothing_is_shown(text: str, missed: str) -> None:
    heard = read_whole(text, VOCABULARY)
    assert not heard.is_sure
    assert any(one.startswith(missed) for one in heard.missed)


@pytest.mark.parametrize(
    "text",
    [
        "table 9: four teas. My bad, one of them should be a linden tea",
        "masa 4 iki adana bir urfa, urfa da adana olsun",
        "masa 2 1 adana 1 urfa 2 ayran ayranın yerine kola da olur",
        "masa 1'e bir türk kahvesi sade, pardon orta olacaktı",
    ],
)
def test_a_correction_that_does_not_come_out_is_asked_about(text: str) -> None:
    assert [one.kind for one in read_whole(text, VOCABULARY).questions] == ["changed_mind"]


def _shown(lines: tuple[DishLine, ...]) -> str:
    return ", ".join(f"{line.quantity} {MENU.items_by_id[line.item_id].name}" for line in lines)
