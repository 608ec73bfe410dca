"""What people type finds what others wrote, whatever their keyboard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.values.folding import MAX_WORD, fold, words


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("IŞIK", "isik"), ("ışık", "isik"), ("Işık", "isik"), ("İstanbul", "istanbul"), ("ISTANBUL", "istanbul"),
        ("ıstanbul", "istanbul"), ("Çağrı Öztürk Şükrü", "cagri ozturk sukru"), ("GÜNEŞ", "gunes"), ("ĞÜŞİÖÇ", "gusioc"),
        ("i\u0307", "i"), ("Ｆｕｌｌ", "full"), ("Straße", "strasse"), ("Łódź", "lodz"), ("Ærø", "aero"), ("ﬁn", "fin"),
        ("naïve café", "naive cafe"), ("Nguyễn", "nguyen"), ("Ёлка", "елка"), ("Ὀδυσσεύς", "οδυσσευσ"), ("中文", "中文"),
        ("हिन्दी", "हिन्दी"), ("", ""),
    ],
)  # fmt: skip
def test_what_looks_alike_has_one_key(written: str, key: str) -> None:
    assert fold(written) == key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ayşe'nin masası, 12!", ["ayse", "nin", "masasi", "12"]), ("  ", []), ("🍜🍜", []), ("a_b-c", ["a", "b", "c"]),
        ("हिन्दी है", ["हिन्दी", "है"]), ("e-posta: x@y.com", ["e", "posta", "x", "y", "com"]), ("x" * 90, ["x" * MAX_WORD]),
    ],
)  # fmt: skip
def test_words_are_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet="abcçdefgğhıiİIjklmnoöpqrsştuüvwxyzABCÇDEFGĞHJKLMNOÖPQRSŞTUÜVWXYZ 0123456789"))
def test_turkish_text_has_one_key_in_every_case(text: str) -> None:
    assert fold(text) == fold(text.upper()) == fold(text.lower()) == fold(text.swapcase())
    assert fold(text).isascii()


@given(st.text())
def test_words_are_folded_and_hold_no_separators(text: str) -> None:
    found = words(text)
    assert all(0 < len(word) <= MAX_WORD and word == fold(word) and not any(map(str.isspace, word)) for word in found)
    # What was cut into words stays those words.
    assert words(" ".join(found)) == found
