"""Nothing that a guest writes is cooked wrong, and nobody gets silence; by class, and on texts that no rule was made for."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.long import many
from tests.restaurant.classes.measuring import PARTS, cases, measure, table

pytestmark = pytest.mark.once
# Of a hundred.
MOST_WRONG_REPLIES = 5
# Parts that go to one restaurant: of each only a few guests come in a run of the suite.
TOGETHER = many(9, 1)


@pytest.mark.parametrize("parts", [PARTS[first : first + TOGETHER] for first in range(0, len(PARTS), TOGETHER)])
async def test_no_order_is_wrong_and_nobody_gets_silence(database_url: str, parts: Sequence[str]) -> None:
    measured = await measure(database_url, parts)
    for part in parts:
        results = [one for one in measured if one.case.part == part]
        shown = table(part, results)
        sys.stdout.write(f"\n{shown}\n")
        counts = Counter(one.outcome for one in results)
        assert counts["wrong order"] == counts["silence"] == 0, shown
        # Of a few, one.
        assert counts["wrong reply"] <= max(1, len(results) * MOST_WRONG_REPLIES // 100), shown


def test_every_part_holds_texts_of_every_class() -> None:
    found = cases()
    assert len(found) >= 440
    kinds = [{case.kind for case in found if case.part == part} for part in PARTS]
    assert kinds[0] == kinds[1] == kinds[2] < kinds[3] == kinds[4] == kinds[5]
