"""A menu of 80 dishes, each ordered by its own name: it is that dish, or it is asked about, and never another one."""

from __future__ import annotations

from functools import cache

import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.menu.model import named
from tablegram.restaurant.reading import Vocabulary, read


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary(demo_menu())


@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_dish_is_ordered_by_its_name(language: str) -> None:
    asked: list[str] = []
    for item in demo_menu().items:
        name = named(item, language)
        for text in (f"3 {name}", f"{name} x3", f"{name.upper()}, 3 {name} daha"):
            reading = read(text, _vocabulary())
            assert {line.item_id for line in reading.lines} <= {item.id}, text
            assert all(question.kind in ("which_option", "which_item") for question in reading.questions), text
            asked.extend(text for question in reading.questions if question.kind == "which_item")
    # Two dishes may have one name; more would make the menu useless in words.
    assert len(asked) <= 6, asked


def test_two_dishes_in_one_text_keep_apart() -> None:
    items = demo_menu().items
    for one, other in zip(items, [*items[7:], *items[:7]], strict=True):
        reading = read(f"2 {one.name}, 1 {named(other, 'en')}", _vocabulary())
        found = {line.item_id: line.quantity for line in reading.lines}
        assert found.items() <= {one.id: 2, other.id: 1}.items(), (one.name, other.name)
        assert len(found) == 2 or reading.questions
