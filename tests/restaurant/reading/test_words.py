from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.restaurant.reading.letters.spelling import distance, slip
from tablegram.restaurant.reading.letters.suffixes import is_form_of, pointing, with_, without
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.words.manners import is_past, is_polite
from tablegram.restaurant.reading.words.tokens import take_apart, words_of

words = st.text("abcdefgh", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("lahmacunlardan", "lahmacun"), ("lahmacunu", "lahmacun"), ("kebabi", "kebap"), ("kebaplar", "kebap"),
        ("kebap", "kebabi"), ("corba", "corbasi"), ("corbasindan", "corbasi"), ("corbalar", "corbasi"), ("suyu", "su"),
        ("sular", "su"), ("caya", "cay"), ("boregi", "borek"), ("burgers", "burger"), ("fries", "fry"), ("fry", "fries"),
        ("salatasini", "salata"), ("kahveler", "kahvesi"), ("pideden", "pide"), ("ayranlarimiz", "ayran"),
    ],
)  # fmt: skip
def test_endings_do_not_make_another_word(typed: str, name: str) -> None:
    assert is_form_of(typed, name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("sogansiz", "sogan"),
        ("pilavli", "pilav"),
        ("kola", "kolay"),
        ("su", "sut"),
        ("dana", "adana"),
        ("cayir", "cay"),
    ],
)
def test_other_words_are_no_forms(typed: str, name: str) -> None:
    assert not is_form_of(typed, name)


@pytest.mark.parametrize(
    ("typed", "name", "how"),
    [
        ("ayranlar", "ayran", "plural"), ("ayranlardan", "ayran", "plural"), ("ayrans", "ayran", "plural"),
        ("ayranim", "ayran", "owned"), ("ayranimi", "ayran", "owned"), ("lahmacunlarimiz", "lahmacun", "owned"),
        ("pidem", "pide", "owned"), ("ayranin", "ayran", "of"), ("lahmacundan", "lahmacun", "of"), ("ayran", "ayran", ""),
        ("ayrani", "ayran", ""), ("nuggets", "nuggets", ""), ("kebabi", "kebap", ""), ("kola", "ayran", ""),
    ],
)  # fmt: skip
def test_endings_tell_whether_a_dish_is_pointed_at(typed: str, name: str, how: str) -> None:
    assert pointing(typed, [name]) == how


def test_a_name_of_two_letters_has_few_forms() -> None:
    assert all(is_form_of(form, "su") for form in ("su", "suyu", "sular", "sudan", "suya"))
    assert not any(is_form_of(other, "su") for other in ("suite", "sunu", "sundan", "sum", "sun"))


def test_what_was_so_is_no_dish_misspelt_and_one_m_more_is_the_opposite() -> None:
    assert all(is_past(word) for word in ("gelmedi", "guzeldi", "soylemistik", "kapandi", "gecikti"))
    assert not any(is_past(word) for word in ("hindi", "karti", "azaltin", "ayran", "yedi"))
    assert is_polite("istiyorm")
    assert not is_polite("almiyorum")


@pytest.mark.parametrize(
    ("text", "adds"),
    [
        ("bir de ayran", True), ("ve 1 ayran", True), ("also a coke please", True), ("1 ayran daha", True),
        ("1 ayran ekler misiniz", True), ("1 ayran", False), ("2 lahmacun ve 1 ayran", False), ("", False),
    ],
)  # fmt: skip
def test_what_adds_to_an_earlier_text_says_so(text: str, adds: bool) -> None:
    assert is_addition(text) == adds


def test_with_and_without() -> None:
    assert (without("sogansiz"), without("limonsuz"), without("deniz"), without("siz")) == (
        "sogan",
        "limon",
        None,
        None,
    )
    assert (with_("acili"), with_("sutlu"), with_("adana")) == ("aci", "sut", None)


@pytest.mark.parametrize(
    ("typed", "meant", "errors"),
    [
        ("lahmcun", "lahmacun", 1), ("lahamcun", "lahmacun", 1), ("aryan", "ayran", 1), ("lamacum", "lahmacun", 2),
        ("dana", "adana", None), ("cay", "cam", None), ("kola", "kolo", None), ("sosis", "susis", 1),
    ],
)  # fmt: skip
def test_typing_errors(typed: str, meant: str, errors: int | None) -> None:
    assert slip(typed, meant) == errors


@given(words, words, st.integers(0, 4))
def test_the_distance_is_one(one: str, other: str, most: int) -> None:
    found = distance(one, other, most)
    assert 0 <= found <= most + 1
    assert found == distance(other, one, most)
    assert (found == 0) == (one == other)
    assert found >= min(abs(len(one) - len(other)), most + 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("iki", "number 2"), ("on iki", "number 12"), ("yirmibeş", "number 25"), ("bir buçuk", "number 1.5"),
        ("1,5", "number 1.5"), ("2'si", "number 2"), ("2-3", "doubt"), ("a couple", "number 2"), ("a few", "doubt"),
        ("2x", "number 2"), ("x3", "number 3"), ("5×", "number 5"), ("1½", "number 1.5"), ("120 TL", ""), ("₺1.250,50", ""),
        ("3şer", "doubt"), ("7 2", "number 7 number 2"), ("kola,su", "word kola break , word su"),
        ("coca-cola", "word coca word cola"), ("Ali'nin", "word alinin"), ("half a dozen", "number 6"), ("2 düzine", "number 24"),
        ("we'll", "word we"), ("şu", "word bu"), ("su", "word su"), ("birinde", "number 1"), ("on the side", "word on word the word side"),
    ],
)  # fmt: skip
def test_a_text_is_taken_apart(text: str, told: str) -> None:
    shown = " ".join(f"{token.kind} {token.key if token.kind != 'doubt' else ''}".strip() for token in take_apart(text))
    assert shown == told


def test_names_keep_their_numbers() -> None:
    assert words_of("7 Up") == ["7", "up"]
    assert words_of("Dört Peynirli Pizza") == ["4", "peynirli", "pizza"]
    assert words_of("1,5 porsiyon") == ["1.5", "porsiyon"]
