"""The reading of a text costs as much as the text is long, and has an end. Work is counted here, and never timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec
import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.reading import MAX_TEXT, Vocabulary, read
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.chunks import cut
from tablegram.restaurant.reading.dishes.portions import settle_portions
from tablegram.restaurant.reading.effort import MAX_STEPS, MAX_STRANGE, MAX_WORDS, Effort, TooMuch
from tablegram.restaurant.reading.words.tokens import take_apart, take_apart_anew
from tests.restaurant.bistro import vocabulary

# Twice as much to read is twice the work, give or take what is done once.
LINEAR = 2.3


def _steps(work: Callable[[], Any]) -> int:
    """The steps of the interpreter, which are the same on a busy machine."""
    counted = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal counted
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counted += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def _growth(make: Callable[[int], Callable[[], Any]], size: int = 200) -> float:
    make(size)()
    return _steps(make(2 * size)) / _steps(make(size))


@pytest.mark.parametrize("piece", ["½", "1½ ", "adana ", "a ", "1 ", "x2 ", "(", ", ", "yarım "])
def test_taking_a_text_apart_grows_with_its_length(piece: str) -> None:
    assert _growth(lambda size: lambda: take_apart_anew(piece * size)) < LINEAR


@pytest.mark.parametrize(
    "kinds", [("dish",), ("all", "and"), ("number", "option"), ("dish", "option"), ("either", "note")]
)
def test_cutting_grows_with_the_atoms(kinds: tuple[str, ...]) -> None:
    def make(size: int) -> Callable[[], Any]:
        # Each names another dish, so that nothing is cut, and one chunk becomes as long as it can.
        atoms = [Atom(kinds[place % len(kinds)], "x", ids=(str(place),)) for place in range(size)]
        return lambda: cut(atoms)

    assert _growth(make) < LINEAR


def test_settling_halves_grows_with_the_atoms() -> None:
    menu = vocabulary()
    for around in ("note", "dish", "number"):

        def make(size: int, around: str = around) -> Callable[[], Any]:
            half = Atom("option", "yarım", value=0.5)
            return lambda: settle_portions([half, Atom(around, "x")] * size, menu)

        assert _growth(make) < LINEAR


@pytest.mark.parametrize("blank", ["\n", " ", "\t", " \n", "\r\n", "\u00a0"])
def test_a_run_of_blanks_is_one(blank: str) -> None:
    """What looks for the end of a run would otherwise begin at each of its signs."""
    few, many = (take_apart(f"2 adana{blank * count}1 ayran") for count in (1, 1_900))
    assert few == many
    assert read(f"2 adana{blank * 900}1 ayran", vocabulary()) == read(f"2 adana{blank}1 ayran", vocabulary())
    assert _steps(lambda: take_apart_anew(blank * 1_900)) < 3 * _steps(lambda: take_apart_anew(blank))


def test_a_text_of_many_near_misses_is_given_up() -> None:
    menu = Vocabulary(demo_menu())
    words = [
        f"{name[:3]}{sign}{name[3:]}" for sign in "xqw" for item in demo_menu().items for name in item.name.split()
    ]
    text = " ".join(dict.fromkeys(words))[:MAX_TEXT]
    effort = Effort(MAX_STEPS)
    reading = read(text, menu, effort=effort)
    assert [question.kind for question in reading.questions] == ["not_an_order"]
    assert effort.steps == 0


def test_the_steps_have_an_end() -> None:
    effort = Effort(10)
    reading = read("2 adana, 1 ayran, 3 lahmacun", Vocabulary(demo_menu()), effort=effort)
    assert [question.kind for question in reading.questions] == ["not_an_order"]
    assert not reading.lines


def test_effort_that_nobody_bounds_is_only_counted() -> None:
    effort = Effort()
    effort.spend(10**9)
    assert effort.steps == 10**9
    with pytest.raises(TooMuch):
        Effort(2).spend(3)


def test_two_readings_count_for_themselves() -> None:
    menu, one, other = Vocabulary(demo_menu()), Effort(), Effort()
    read("2 adana", menu, effort=one)
    read("2 adana", menu, effort=other)
    assert one.steps == other.steps > 0


def test_the_order_of_a_large_table_is_well_within_all_of_it() -> None:
    menu = Vocabulary(demo_menu())
    items = demo_menu().items[:25]
    text = "\n".join(f"{place % 3 + 1} {item.name}" for place, item in enumerate(items))
    effort = Effort(MAX_STEPS)
    reading = read(text, menu, effort=effort)
    assert len(reading.lines) == len({line.item_id for line in reading.lines}) >= 20
    assert effort.steps < MAX_STEPS / 4


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("adana " * MAX_WORDS, True),
        ("adana " * (MAX_WORDS + 1), False),
        ("2 adana " + " ".join(f"zz{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(MAX_STRANGE)), True),
        ("2 adana " + " ".join(f"zz{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(MAX_STRANGE + 1)), False),
    ],
)
def test_so_many_words_and_no_more(text: str, is_read: bool) -> None:
    reading = read(text, vocabulary())
    assert reading.names_dish is is_read
    assert ([question.kind for question in reading.questions] == ["not_an_order"]) is not is_read
    assert msgspec.json.encode(reading)
