"""What a guest changes in dishes that were read back, by a table of what they say."""

from __future__ import annotations

import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.reading import Vocabulary, read
from tablegram.restaurant.reading.dialogue.changes import change

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
    ],
)
def test_a_change_is_taken_as_it_is_meant_or_shown_as_not_understood(ordered: str, said: str, becomes: str) -> None:
    made = change(said, read(ordered, VOCABULARY).lines, VOCABULARY)
    assert made is not None
    lines = ", ".join(f"{line.quantity} {MENU.items_by_id[line.item_id].name}" for line in made.lines)
    assert lines + (" ?" if made.missed else "") == becomes
