"""`kill -9` in the middle of a burst, again and again: nothing is lost, nothing is done twice."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.faults.burst import Burst, count, settle
from tests.product import running_product

# `make chaos` does a thousand.
KILLS = 5
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.later
async def test_what_was_answered_is_kept_and_reaches_the_phone_once_however_often_the_server_is_killed(
    database_url: str, say: Callable[[str], None]
) -> None:
    chance = random.Random()
    with running_product(database_url, sandbox_alone=True, settings={"TABLEGRAM_UNKNOWN_WAIT_S": "5"}) as product:
        async with Burst(product) as burst:
            # At least one must come while the network is being asked; on a bad day that takes a few more.
            while len(burst.caught) < KILLS or (not sum(burst.doubts) and len(burst.caught) < 36):
                await burst.kill_and_restart(after_s=chance.uniform(0.02, 0.4))
        settle(product)
        result = count(product, burst.sent)
    say(
        f"{len(burst.caught)} kills, {min(burst.caught)} to {max(burst.caught)} requests in flight at each; {result.line()}"
    )
    assert result.problems == []
    assert result.duplicates == 0
    assert len(burst.caught) >= KILLS
    assert min(burst.caught) >= 1
    assert min(burst.broken) >= 1, "every kill must have caught a request before its answer"
    assert result.answered > KILLS
    assert sum(burst.doubts) > 0, "some kill must have come while the network was being asked"
