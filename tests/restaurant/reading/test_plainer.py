"""What is looked for only where one of its words stands is found as if it were always looked for."""

from __future__ import annotations

import re

import pytest

from tablegram.restaurant.reading.sentences import plainer
from tablegram.values.folding import fold_in_place
from tests.restaurant.classes.measuring import cases

LOOKED_FOR = (
    *((rule.pattern, rule.words) for rule in plainer.RULES),
    (plainer.ASIDE, plainer.ASIDE_WORDS),
    (plainer.GOES_WITH, plainer.GOES_WITH_WORDS),
)
# One text for each way that a pattern begins, where the guests of the tests wrote none such.
MORE = (
    "i'll be there in half an hour",
    "islak mendil, two straws and a fork",
    "kapıyı lütfen çalmayın",
    "please don't use the bell, knock on the door",
    "ana yemek olarak 2 adana, for dessert one künefe",
    "we'll see later",
    "8deyiz, 4 tanesi",
    "the family of four at table 3",
)


@pytest.fixture(scope="module")
def said() -> list[str]:
    texts = {text for case in cases() for text in (case.ordered, *case.talk)}
    return [fold_in_place(text)[1] for text in (*texts, *MORE)]


@pytest.mark.parametrize(("pattern", "words"), LOOKED_FOR)
def test_whatever_is_found_has_one_of_its_words(
    said: list[str], pattern: re.Pattern[str], words: tuple[str, ...]
) -> None:
    found = [text for text in said if pattern.search(text)]
    assert [text for text in found if not plainer.says_any(text, words)] == []


def test_most_of_them_are_found_in_some_text(said: list[str]) -> None:
    """The test above says nothing of a pattern that no text has."""
    missing = [pattern.pattern[:40] for pattern, _ in LOOKED_FOR if not any(map(pattern.search, said))]
    assert len(missing) <= 2, missing
