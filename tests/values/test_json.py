"""Whatever strangers write, each reader gives its own type back, and never fails."""

from __future__ import annotations

from hypothesis import given, strategies

from tablegram.values import dicts, listed, mapping, string, whole

ANYTHING = strategies.recursive(
    strategies.none() | strategies.booleans() | strategies.integers() | strategies.floats() | strategies.text(),
    lambda inner: strategies.lists(inner) | strategies.dictionaries(strategies.text(), inner),
)


@given(ANYTHING)
def test_each_reader_gives_its_type_back_whatever_came(value: object) -> None:
    assert type(mapping(value)) is dict
    assert type(listed(value)) is list
    assert all(type(one) is dict for one in dicts(value))
    assert type(string(value)) is str
    assert type(whole(value)) is int


def test_what_is_of_the_type_comes_as_it_is() -> None:
    assert mapping({"a": 1}) == {"a": 1}
    assert listed([1, {}]) == [1, {}]
    assert dicts([{"a": 1}, 2, "b", [], {}]) == [{"a": 1}, {}]
    assert string("words") == "words"
    told = (
        7,
        -7,
        "1750000000000",
        1.0,
        1.9,
        10**400,
        "x",
        "-1",
        "",
        True,
        None,
        float("inf"),
        float("nan"),
        "9" * 5_000,
    )
    assert [whole(one) for one in told] == [7, -7, 1_750_000_000_000, 1, 1, 10**400, *[0] * 8]
