"""Which language guests are answered in."""

from __future__ import annotations

import pytest

from tablegram.restaurant.texts.tongues import guess
from tablegram.restaurant.texts.words import speak


def test_who_speaks_another_language_is_answered_in_english() -> None:
    assert speak("tr-TR") is speak("tr")
    assert speak("de") is speak("en")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("iki lahmacun lütfen", "tr"), ("two lahmacun please", "en"), ("lahmacun", "tr"), ("", "tr"), ("👍", "tr"),
        ("BİR AYRAN VE BİR ADANA", "tr"), ("can we get the bill and 2 ayran", "en"),
        ("Excusez-moi, y a-t-il des noix dans le baklava ?", "en"), ("tbl 8 pls, 2 adana", "en"), ("on lahmacun masa 3", "tr"),
    ],
)  # fmt: skip
def test_the_language_of_a_text_is_told_by_its_small_words(text: str, language: str) -> None:
    assert guess(text, ["tr", "en"]) == language
