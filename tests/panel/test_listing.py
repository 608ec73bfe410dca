"""Lists that are sorted by a column, one way or the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablegram.panel.frame.listing import arranged
from tests.panel.visiting import house

WAYS = {"name": lambda one: one[0], "size": lambda one: one[1]}
ITEMS = [("b", 2), ("a", 3), ("c", 1), ("d", 2)]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [("name", "abcd"), ("-name", "dcba"), ("size", "cbda"), ("-size", "abdc"), ("", "bacd"), ("other", "bacd")],
)
def test_a_list_is_in_the_order_of_its_column_and_equal_ones_stay_in_place(wanted: str, names: str) -> None:
    assert "".join(name for name, _ in arranged(ITEMS, wanted, WAYS)) == names


async def test_the_team_is_sorted_as_asked_for_and_says_which_way(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        for name in ("Zeynep", "Ali"):
            await here.running.ask("POST", "/team", {"email": f"{name}@example.com", "role": "staff", "name": name})

        async def listed(sort: str) -> list[str]:
            page = await owner.get(f"/panel/team?sort={sort}")
            assert page.text.count("aria-sort") == 1
            return re.findall(r">(Ali|Zeynep|Owner)</a>", page.text)

        assert await listed("name") == ["Ali", "Owner", "Zeynep"]
        assert await listed("-name") == ["Zeynep", "Owner", "Ali"]
