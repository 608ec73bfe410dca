"""Orders in people's own words. Each file in `texts` is one of them, with the order it makes or what must be asked."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.restaurant.carts.text import Slip, render
from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.lines import Choice, DishLine, PricedLine
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.menu.pricing import MenuPrices, asked_groups
from tablegram.restaurant.reading import MAX_TEXT, Reading, Vocabulary, ask, read
from tablegram.values.folding import fold
from tests.long import many
from tests.restaurant.bistro import bistro, vocabulary

TEXTS = sorted((Path(__file__).parent.parent / "texts").glob("*.json"))
NOON = 1_794_700_000_000
WORDS = """2 3 iki bir x2 adana urfa acılı acısız ayran büyük kola ve , ( ) hepsi biri daha yok olmasın soğansız menü 1,5
az burger with no or 🥤 not : . çorba pide 7 up each 0 patates salata cheese"""
JUMBLE = ["\n", *WORDS.split()]


@cache
def read_by(menu: str) -> Vocabulary:
    """The words of the small menu, or of the demonstration's, whose dishes the files call by their names."""
    return Vocabulary(demo_menu()) if menu == "demo" else vocabulary()


def shown(reading: Reading, menu: Menu) -> list[dict[str, Any]]:
    """The lines as the files have them."""
    is_demo = menu is not bistro()
    return [
        {
            "item": menu.items_by_id[line.item_id].name if is_demo else line.item_id,
            "quantity": line.quantity,
            "options": sorted(
                menu.options_by_id[choice.option_id][1].name if is_demo else choice.option_id for choice in line.choices
            ),
            "note": line.note,
        }
        for line in reading.lines
    ]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_text_makes_its_order_or_its_question(path: Path) -> None:
    case = json.loads(path.read_text())
    words = read_by(case.get("menu", ""))
    reading = read(case["text"], words)
    if "lines" in case:
        assert not reading.questions
        assert shown(reading, words.menu) == case["lines"]
        assert list(reading.missed) == case.get("missed", [])
        assert (reading.notes, reading.table, reading.order_type, reading.address) == (
            case.get("notes", ""),
            case.get("table", ""),
            case.get("order_type", ""),
            case.get("address", ""),
        )
        return
    assert not reading.is_order
    asked = [(question.kind, fold(f"{question.fragment} {question.item_id}")) for question in reading.questions]
    assert sorted({kind for kind, _ in asked}) == sorted({one["kind"] for one in case["asks"]})
    for one in case["asks"]:
        assert any(kind == one["kind"] and fold(one["about"]) in about for kind, about in asked), (one, asked)


def test_there_are_enough_texts_in_both_languages_and_half_of_them_are_nasty() -> None:
    turkish = [path for path in TEXTS if path.stem.startswith("tr_")]
    assert len(TEXTS) >= 80
    assert len(turkish) >= 40
    assert len(TEXTS) - len(turkish) >= 25
    assert sum("asks" in json.loads(path.read_text()) for path in TEXTS) >= 40


def test_what_is_read_can_be_ordered_and_every_question_has_words() -> None:
    for path in TEXTS:
        case = json.loads(path.read_text())
        menu = read_by(case.get("menu", "")).menu
        prices = MenuPrices(menu, NOON, "dine_in", "en")
        reading = read(case["text"], read_by(case.get("menu", "")))
        answers = [prices.price(line) for line in reading.lines]
        # What is only had in the morning is read all day.
        problems = [one.code for answer in answers if not isinstance(answer, PricedLine) for one in answer]
        assert set(problems) <= {"not_available_now"}, path.stem
        for question in reading.questions:
            for language in ("en", "tr", "de"):
                words = ask(question, menu, language)
                first, *listed = words.splitlines()
                assert first.endswith(("?", ".")), words
                assert len(listed) == len(question.listed)
                assert len({line.partition(" ")[2] for line in listed}) == len(listed), words
                assert "{" not in words


def _line(choice: random.Random) -> DishLine:
    item = choice.choice(bistro().items)
    taken: list[Choice] = []
    for group in asked_groups(bistro(), item, set()):
        defaults = [option for option in group.options if option.is_default]
        if group.required or choice.random() < 0.4:
            # A default that is not said is chosen by the venue.
            option = choice.choice(group.options if choice.random() < 0.6 or not defaults else defaults)
            taken.append(Choice(option.id))
    return DishLine(item.id, choice.randint(1, 9), tuple(taken))


@settings(max_examples=many(25, 60), deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(["tr", "en"]))
def test_our_own_text_is_read_back_when_its_code_was_lost(seed: int, language: str) -> None:
    choice = random.Random(seed)
    lines = {line.key: line for line in (_line(choice) for _ in range(choice.randint(1, 6)))}.values()
    prices = MenuPrices(bistro(), NOON, "dine_in", language)
    priced = tuple(answer for answer in map(prices.price, lines) if isinstance(answer, PricedLine))
    assert len(priced) == len(lines)
    total = sum(line.amount for line in priced)
    text = render(Slip("K7MD4XQP", "dine_in", priced, total, "TRY", language, table="3"))
    reading = read(text.rsplit("\n", 1)[0], vocabulary())
    assert reading.questions == ()
    assert {line.key: line.quantity for line in reading.lines} == {line.key: line.quantity for line in lines}


@settings(max_examples=many(50, 150), deadline=None)
@given(st.text(max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    reading = read(text, vocabulary())
    assert reading.lines or reading.questions
    for line in reading.lines:
        assert line.quantity >= 1


@settings(max_examples=many(50, 150), deadline=None)
@given(st.lists(st.sampled_from(JUMBLE), max_size=14))
def test_jumbled_orders_are_lines_that_can_be_priced_or_questions(parts: list[str]) -> None:
    reading = read(" ".join(parts), vocabulary())
    assert reading.lines or reading.questions
    prices = MenuPrices(bistro(), NOON, "dine_in", "en")
    assert all(isinstance(prices.price(line), PricedLine) for line in reading.lines)


def test_a_long_text_is_no_order() -> None:
    assert read("2 ayran " * MAX_TEXT, vocabulary()).questions[0].kind == "not_an_order"
