"""What only says more of an address, and what is another one or none."""

from __future__ import annotations

import pytest

from tablegram.restaurant.reading.sentences.details import detail_in, joined


def test_a_flat_a_floor_and_a_bell_say_more_of_an_address() -> None:
    details = [
        "flat 5, ring the top bell", "daire 5 kat 3, zil çalışmıyor", "Daire: 7", "D blok daire 12", "3. kat", "3. kattayız",
        "2nd floor", "apartment 4B", "flat b", "zil çalışmıyor", "top floor", "giriş katı", "no: 12", "Şeker apartmanı",
        "kapı kodu 1234", "kapı no 4", "room 204", "the bell does not work, please use the door code 1234",
    ]  # fmt: skip
    assert [text for text in details if detail_in(text) != text.strip(" .,;")] == []


def test_a_street_a_payment_a_count_and_a_question_are_no_detail() -> None:
    others = [
        "Moda Caddesi 25 daire 5", "Bahariye Sokak no: 4 kat 2", "12 High Street flat 5", "kapıda nakit ödeyeceğim",
        "no 2 please", "no bell peppers", "iki tane", "hangi kat?", "masa 5", "evet", "zil çalmadı", "room for one more", "daire 5 nerede",
    ]  # fmt: skip
    assert [text for text in others if detail_in(text)] == []


@pytest.mark.parametrize(
    ("address", "detail", "whole"),
    [
        ("Moda Caddesi 25", "daire 5", "Moda Caddesi 25, daire 5"),
        ("", "flat 5", "flat 5"),
        ("Moda Caddesi 25, Daire 5", "daire 5", "Moda Caddesi 25, Daire 5"),
        # Said again with another number, it is another flat of the same house.
        ("Moda Caddesi 25, daire 5, kat 2", "daire 7", "Moda Caddesi 25, daire 7, kat 2"),
        ("Moda Caddesi 25, 2. kat", "3. kat", "Moda Caddesi 25, 3. kat"),
        ("Moda Caddesi 25, daire 5", "zil çalışmıyor", "Moda Caddesi 25, daire 5, zil çalışmıyor"),
    ],
)
def test_a_detail_comes_to_the_address_that_is_known(address: str, detail: str, whole: str) -> None:
    assert joined(address, detail) == whole
