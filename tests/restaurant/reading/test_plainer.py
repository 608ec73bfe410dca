"""What is looked for only where one of its words stands is found as if it were always looked for."""

from __future__ import annotations

import re

import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.reading import Vocabulary
from tablegram.restaurant.reading.dialogue import overlooked, phrases
from tablegram.restaurant.reading.effort import Effort
from tablegram.restaurant.reading.sentences import places, plainer, seats
from tablegram.restaurant.reading.words import cleaning, tokens
from tablegram.values.folding import fold_in_place
from tests.restaurant.classes.measuring import cases

LOOKED_FOR = (
    *((rule.pattern, rule.words) for rule in plainer.RULES),
    (plainer.ASIDE, plainer.ASIDE_WORDS),
    (plainer.GOES_WITH, plainer.GOES_WITH_WORDS),
    (plainer.OTHER_TABLE, plainer.OTHER_TABLE_WORDS),
    (overlooked.MARK, overlooked.MARK_WORDS),
    (phrases.OF_EACH, phrases.OF_EACH_WORDS),
    (places.PLACE, places.PLACE_WORDS),
    *seats.LOOKED_FOR,
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
    "masa 5ten 6ya geçtik",
    "10 numara, pardon pardon 11 numaraydı biz",
    "3üncü masa 2 çay, masa on iki adana",
    "hang on, wait no, oh sorry, oops, ups, daha doğrusu, düzeltiyorum, scratch that, or rather",
    "ters söyledim, yanlış yazdım, bi dakka, make that, correction, I mean, aslında, actually",
    "2 adana 350 TL, 1 ayran ₺40, 3 çay 19.90, 1 kola 5 EUR, 2 su $3",
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
    assert [text for text in found if not seats.says_any(text, words)] == []


def test_most_of_them_are_found_in_some_text(said: list[str]) -> None:
    """The test above says nothing of a pattern that no text has."""
    missing = [pattern.pattern[:40] for pattern, _ in LOOKED_FOR if not any(map(pattern.search, said))]
    assert len(missing) <= 2, missing


@pytest.mark.parametrize("rule", [rule for rule in plainer.RULES if rule.has_figure])
def test_what_needs_a_figure_is_found_nowhere_without_one(said: list[str], rule: plainer.Rule) -> None:
    found = [text for text in said if rule.pattern.search(text)]
    assert [text for text in found if not re.search(r"\d", text)] == []


def test_whatever_is_a_price_may_be_one(said: list[str]) -> None:
    found = [text for text in said if cleaning.PRICE.search(text)]
    assert found
    assert [text for text in found if not cleaning.MAY_BE_PRICE.search(text)] == []


def test_a_silent_word_names_nothing_and_costs_what_looking_costs(said: list[str]) -> None:
    menu, silent = Vocabulary(demo_menu()), 0
    for text in said[::4]:
        taken = tokens.take_apart(text)
        for place, token in enumerate(taken):
            asked, looked = Effort(), Effort()
            if token.kind == "word" and menu.within(asked).is_silent(token.key):
                looking = menu.within(looked)
                assert looking.dish_at(taken, place) is None, (text, token)
                assert looking.option_at(taken, place) == (None, None), (text, token)
                assert asked.steps == looked.steps
                silent += 1
    assert silent


def test_what_is_written_plainly_comes_apart_as_anything_else(said: list[str]) -> None:
    plain = [text for text in said if tokens._scan_plain(text)]
    assert len(plain) > len(said) / 4
    assert [text for text in plain if tokens._scan_plain(text) != tokens._scan_any(text)] == []


@pytest.mark.parametrize(
    "text", ["2 x adana", "x 2 adana", "2 adana , 3 ayran", " 2  adana", "adana, 2,5 ayran", "2, 5"]
)
def test_a_sign_that_counts_is_seen_where_most_is_plain(text: str) -> None:
    assert tokens._scan(text) == tokens._scan_any(text)
