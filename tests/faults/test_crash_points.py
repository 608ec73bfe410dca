"""The process dies at every named place of the way out: nothing is lost and nothing is done twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

import pytest

from tablegram.engine import crash_points
from tests.faults.burst import Burst, count, settle
from tests.product import Product, running_product

pytestmark = [pytest.mark.slow, pytest.mark.later, pytest.mark.timeout(200)]

# The pass at which it dies: a few of each kind are under way by then. Recovery passes its point once a start.
PASSES = 7


async def die_at(product: Product, burst: Burst, name: str) -> None:
    passes = 1 if name.startswith("recovery.") else PASSES
    product.server.environment["TABLEGRAM_CRASH_AT"] = f"{name}:{passes}"
    burst.name = name
    product.server.launch()
    try:
        await asyncio.to_thread(product.server.wait_until_ready)
    except AssertionError:
        # Some points are passed before the first request, by what the death before has left.
        pass
    burst.go_on()
    assert await burst.watch_it_die() == -signal.SIGKILL


async def test_a_death_at_any_named_point_loses_nothing_and_doubles_nothing(
    database_url: str, say: Callable[[str], None]
) -> None:
    with running_product(database_url, sandbox_alone=True, settings={"TABLEGRAM_UNKNOWN_WAIT_S": "5"}) as product:
        product.server.kill()
        # Slower than the queue is drained: what finds a queue joins it, and nothing would be sent at once any more.
        async with Burst(product, connections=8, running=False, pause_s=0.03) as burst:
            for name in crash_points.SENDING:
                await die_at(product, burst, name)
            del product.server.environment["TABLEGRAM_CRASH_AT"]
            await asyncio.to_thread(product.server.start)
            burst.name = "after"
            burst.go_on()
            async with asyncio.timeout(60):
                while not any(one.ids for one in burst.sent if one.text.startswith("after-")):
                    await asyncio.sleep(0.05)
        settle(product)
        result = count(product, burst.sent)
    say(f"{len(crash_points.SENDING)} crash points: {result.line()}")
    assert result.problems == []
    assert result.duplicates == 0
    answered = {one.text.rsplit("-", 1)[0] for one in burst.sent if one.ids}
    # A death may come before anybody is answered; if most did, they would prove little.
    assert len(answered) > len(crash_points.SENDING) // 2, answered


def test_an_unknown_crash_point_is_refused_in_plain_words() -> None:
    with pytest.raises(Exception, match="is not a crash point"):
        crash_points.arm("nowhere")
