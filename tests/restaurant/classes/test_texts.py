"""Nothing that a guest writes is cooked wrong, and nobody gets silence; by class, and on texts that no rule was made for."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from tests.restaurant.classes.measuring import cases, measure, table

pytestmark = pytest.mark.once
# Of a hundred.
MOST_WRONG_REPLIES = 5


@pytest.mark.parametrize("part", ["first", "second", "third"])
async def test_no_order_is_wrong_and_nobody_gets_silence(database_url: str, part: str) -> None:
    results = await measure(database_url, part)
    shown = table(part, results)
    sys.stdout.write(f"\n{shown}\n")
    counts = Counter(one.outcome for one in results)
    assert counts["wrong order"] == counts["silence"] == 0, shown
    assert counts["wrong reply"] * 100 < MOST_WRONG_REPLIES * len(results), shown


def test_every_part_holds_texts_of_every_class() -> None:
    found = cases()
    assert len(found) >= 160
    first, *others = ({case.kind for case in found if case.part == part} for part in ("first", "second", "third"))
    assert all(one == first for one in others)
