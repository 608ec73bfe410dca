from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.restaurant.carts.codes import ALPHABET, LENGTH, CodesFound, find_codes, is_code, new_code, show

codes = st.builds(lambda _: new_code(), st.integers())


def test_codes_are_short_unambiguous_and_different() -> None:
    made = {new_code() for _ in range(2_000)}
    assert len(made) == 2_000
    assert all(len(code) == LENGTH and is_code(code) and set(code) <= set(ALPHABET) for code in made)
    assert not set(ALPHABET) & set("AEIOU0O1IL5S8BZ")


@given(codes, st.integers(0, LENGTH - 1), st.sampled_from(ALPHABET))
def test_one_wrong_letter_is_always_noticed(code: str, place: int, letter: str) -> None:
    wrong = code[:place] + letter + code[place + 1 :]
    assert is_code(wrong) == (wrong == code)


@given(codes, st.integers(0, LENGTH - 2))
def test_two_letters_that_changed_places_are_always_noticed(code: str, place: int) -> None:
    turned = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
    assert is_code(turned) == (turned == code)


CODE = "K7MD4XQ" + next(letter for letter in ALPHABET if is_code("K7MD4XQ" + letter))
SHOWN = show(CODE)


@pytest.mark.parametrize(
    "text",
    [
        f"Code: #{SHOWN}",
        f"Kod: #{SHOWN}",
        f"kod {SHOWN.lower()} lütfen",
        f"2 × Adana\nToplam: ₺560,00\nKod: *#{SHOWN}*",
        f"Forwarded\n> *Order: table 3*\n> 1 × Tea\n> Code: #{SHOWN[:5]}\n> {SHOWN[5:]}",
        f"code: {CODE}",
        f"#{' '.join(CODE)}",
        f"Kod:\u202a #{SHOWN}\u202c 🙏🏽",
        SHOWN.replace("-", "\u2011") + " thanks",
        f"\u202bالطلب: {SHOWN}\u202c",
        f"call me 0532 346 7799, code {SHOWN}",
        f"#{SHOWN[:2]}\u200b{SHOWN[2:]}",
        f"Kod: #{SHOWN.translate(str.maketrans('0123456789', '０１２３４５６７８９'))}",
        f"code: #{SHOWN.translate(str.maketrans('0123456789', '٠١٢٣٤٥٦٧٨٩'))}",
        f"Kod: #{SHOWN}\nKod: #{SHOWN}",
        f"masa 3🙏{CODE}",
    ],
)
def test_a_code_is_found_however_the_text_was_changed(text: str) -> None:
    assert find_codes(text) == CodesFound((CODE,))


@given(codes, st.text(max_size=40), st.text(max_size=40))
def test_a_code_is_found_between_any_words(code: str, before: str, after: str) -> None:
    assert code in find_codes(f"{before}\nCode: #{show(code)}\n{after}").codes


@pytest.mark.parametrize(
    "text", [f"Code: #{SHOWN[:-1]}{'C' if SHOWN[-1] != 'C' else 'D'}", f"kod: #{SHOWN[:-1]}", "K7MD-4XQ0"]
)
def test_a_misspelt_code_is_told_from_none(text: str) -> None:
    found = find_codes(text)
    assert found.codes == ()
    assert len(found.misspelt) == 1


def test_a_misspelt_code_ends_where_other_words_begin() -> None:
    for text, meant in ((f"kod: #{CODE[:-1]} 1 ayran", CODE[:-1]), (f"kod: #{SHOWN[:-1]} 1 ayran", SHOWN[:-1])):
        assert find_codes(text).misspelt == (meant,)


@pytest.mark.parametrize(
    "text",
    [
        "2 lahmacun 1 ayran",
        "coca-cola 2",
        "+90 532 346 77 99",
        "3467 7799",
        "",
        "kodu var mı",
        "code please",
        "#1 fan",
        "Menü 1",
    ],
)
def test_ordinary_words_hold_no_code(text: str) -> None:
    assert find_codes(text).codes == ()


def test_two_carts_in_one_text_are_both_told() -> None:
    other = new_code()
    assert find_codes(f"Code: #{SHOWN}\nCode: #{show(other)}").codes == (CODE, other)
