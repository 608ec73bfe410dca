"""What a row holds is told to who checks types; what runs keeps the texts, and a call makes a plain dict."""

from __future__ import annotations

from typing import NotRequired, get_type_hints

from tablegram.storage.shapes import TypedDict


class Plain(TypedDict):
    id: int
    name: str | None


class Longer(Plain, total=False):
    note: NotRequired[str]


def test_a_shape_makes_a_plain_dict() -> None:
    made = Plain(id=1, name=None)
    assert type(made) is dict
    assert made == {"id": 1, "name": None}


def test_a_shape_tells_the_types_of_its_fields_and_of_those_that_it_takes_over() -> None:
    assert get_type_hints(Plain) == {"id": int, "name": str | None}
    assert get_type_hints(Longer) == {"id": int, "name": str | None, "note": str}
    assert list(Longer.__annotations__) == ["id", "name", "note"]


def test_a_shape_names_itself() -> None:
    assert repr(Longer) == "<shape tests.storage.test_shapes.Longer>"
