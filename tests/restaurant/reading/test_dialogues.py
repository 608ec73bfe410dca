"""Answers that complete an earlier text. Each file in `dialogues` is one talk: the text, what we ask, what is answered,
and the order it makes, what is asked again, or what else becomes of it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.menu.model import named
from tablegram.restaurant.menu.pricing import MenuPrices
from tablegram.restaurant.reading import Vocabulary, ask_all, read
from tablegram.restaurant.reading.dialogue.joining import Asked, Joined, can_be_asked, is_echo, join
from tablegram.restaurant.reading.dialogue.questions import number_all
from tests.long import many
from tests.restaurant.bistro import bistro, vocabulary
from tests.restaurant.reading.test_reading import JUMBLE, NOON, read_by, shown

DIALOGUES = sorted((Path(__file__).parent.parent / "dialogues").glob("*.json"))


def _ask(text: str, menu: str = "") -> Asked:
    reading = read(text, read_by(menu))
    assert can_be_asked(reading.questions), reading.questions
    return Asked(text, reading.questions)


def _talk(asked: Asked, answers: list[str], menu: str = "") -> tuple[Asked, Joined]:
    joined = Joined("unrelated")
    for answer in answers:
        joined = join(asked, answer, read_by(menu))
        if joined.kind == "goes_on":
            asked = Asked(asked.text, joined.reading.questions, joined.progress)
    return asked, joined


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_an_answer_completes_the_order_or_is_asked_again_or_is_something_else(path: Path) -> None:
    case = json.loads(path.read_text())
    menu = case.get("menu", "")
    asked = _ask(case["text"], menu)
    assert {question.kind for question in asked.questions} == {case["asks"]}
    _, joined = _talk(asked, case["answers"], menu)
    if "becomes" in case:
        assert joined.kind == case["becomes"]
        return
    assert joined.kind == "goes_on"
    if "asks_again" in case:
        assert [question.kind for question in joined.reading.questions] == case["asks_again"]
        assert can_be_asked(joined.reading.questions)
        return
    assert joined.reading.questions == ()
    assert shown(joined.reading, read_by(menu).menu) == case["lines"]
    place = joined.reading.table, joined.reading.order_type
    assert place == (case.get("table", ""), case.get("order_type", ""))


def test_there_are_enough_dialogues_in_both_languages_and_many_of_them_are_no_order() -> None:
    cases = [json.loads(path.read_text()) for path in DIALOGUES]
    assert len(cases) >= 80
    assert sum(path.stem.startswith("en_") for path in DIALOGUES) >= 20
    assert sum("lines" not in case for case in cases) >= 30
    assert {case["asks"] for case in cases} >= {"which_item", "which_option", "how_many", "which_line"}


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("text", ["2 şiş 1 kola", "3 çorba", "2 pide", "1 şalgam 1 türk kahvesi", "1 burger", "2 menü"])
def test_whatever_is_listed_can_be_answered_by_its_name_and_by_its_number(text: str, language: str) -> None:
    asked = _ask(text)
    words = "\n".join(ask_all(asked.questions, bistro(), language))
    for number, (question, one) in number_all(asked.questions).items():
        thing = bistro().items_by_id.get(one) or bistro().options_by_id[one][1]
        name = named(thing, language)
        assert f"{number}. {name}" in words
        for answer in (name, name.upper(), str(number), f"{number}."):
            _, joined = _talk(asked, [answer])
            assert joined.kind == "goes_on", answer
            assert question not in joined.reading.questions, answer
            picked = {pick.id for done in joined.progress.settlements for pick in done.picks}
            assert picked == {one}, answer


@pytest.mark.parametrize("answer", ["kuzu", "2", "kuzu şiş lütfen"])
def test_an_answer_that_comes_again_is_known(answer: str) -> None:
    asked, _ = _talk(_ask("2 şiş 1 kola"), ["kuzu"])
    done = Asked("", _ask("2 şiş 1 kola").questions, asked.progress)
    assert is_echo(done, answer, vocabulary()) is True
    assert is_echo(done, "tavuk", vocabulary()) is False
    for other in ("kuzu şiş daha", "1 lahmacun", "teşekkürler", "masa 5"):
        assert is_echo(done, other, vocabulary()) is None


def test_what_left_the_menu_meanwhile_is_asked_again() -> None:
    asked = _ask("2 şiş 1 kola")
    items = [item for item in bistro().items if item.id != "lamb_shish"]
    later = Vocabulary(msgspec.structs.replace(bistro(), items=items))
    for answer in ("kuzu", "2"):
        joined = join(asked, answer, later)
        assert "lamb_shish" not in {line.item_id for line in joined.reading.lines}
        assert not joined.reading.is_order


def test_what_nobody_answered_is_no_order_though_the_menu_asks_no_more() -> None:
    asked = _ask("1 türk kahvesi")
    items = [msgspec.structs.replace(item, group_ids=[]) for item in bistro().items]
    later = Vocabulary(msgspec.structs.replace(bistro(), items=items))
    assert read("1 türk kahvesi", later).is_order
    assert join(asked, "künefe", later).kind == "refused"


@settings(max_examples=many(60, 200), deadline=None)
@given(st.sampled_from(["2 şiş 1 kola", "3 çorba masa 4", "1 şalgam 1 türk kahvesi", "2 adana ayran"]),
       st.lists(st.sampled_from([*JUMBLE, "kuzu", "mercimek", "acılı", "sade", "evet", "tavuk", "ikincisi"]), max_size=5))  # fmt: skip
def test_no_answer_changes_what_the_earlier_text_said(text: str, parts: list[str]) -> None:
    """Whatever is answered: the lines can be priced, what was clear stays as it was, and the sums come out."""
    joined = join(_ask(text), " ".join(parts), vocabulary())
    reading = joined.reading
    prices = MenuPrices(bistro(), NOON, "dine_in", "en")
    assert all(isinstance(prices.price(line), PricedLine) for line in reading.lines)
    if joined.kind != "goes_on" or not reading.is_order:
        return
    counts: dict[str, int] = {}
    for line in reading.lines:
        counts[line.item_id] = counts.get(line.item_id, 0) + line.quantity
    if text.startswith("2 şiş"):
        assert counts.pop("coke") == 1
        assert counts.keys() <= {"chicken_shish", "lamb_shish"}
        assert sum(counts.values()) == 2
    elif text.startswith("3 çorba"):
        assert counts.keys() <= {"lentil", "ezogelin", "tripe"}
        assert sum(counts.values()) == 3
    elif text.startswith("1 şalgam"):
        assert counts == {"salgam": 1, "coffee": 1}
    else:
        assert counts.pop("adana") == 2
        assert counts.keys() == {"ayran"}


@settings(max_examples=many(40, 100), deadline=None)
@given(st.text(max_size=60))
def test_no_answer_breaks_it(answer: str) -> None:
    assert join(_ask("2 şiş 1 kola"), answer, vocabulary()).kind
