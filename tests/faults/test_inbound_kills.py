"""`kill -9` while customers write and the account's server flaps: what was answered 200 is kept once and told, in order."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from tests.faults.reception import reception

# `make chaos` does a thousand.
KILLS = 3
pytestmark = [pytest.mark.slow, pytest.mark.timeout(200)]


@pytest.mark.later
async def test_what_customers_wrote_is_kept_once_and_told_however_often_the_server_is_killed(
    database_url: str, say: Callable[[str], None]
) -> None:
    chance = random.Random()
    with reception(database_url) as place:
        place.witness.flap()
        async with place.callers(pictures=0.05) as callers:
            for _ in range(KILLS):
                await place.kill_and_restart(callers, after_s=chance.uniform(0.0, 0.6))
            await callers.hear(20)
        await place.come_to_rest()
        result = await asyncio.to_thread(place.judge, callers)
    say(f"{KILLS} kills, {callers.repeats} callbacks came again; {result.line()}")
    assert result.problems == []
    assert result.written == result.heard == result.stored == result.events
    assert result.contacts == len(callers.customers)
