"""The process dies at every named place of the way in: what was answered 200 is kept once and told, in order."""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import Callable, Iterator

import pytest

from tablegram.engine import crash_points
from tests.databases import Databases
from tests.faults.callers import Callers
from tests.faults.reception import Reception, reception
from tests.product import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

# The pass at which it dies: some are behind it by then, some before it. The index is written a batch at a time.
PASSES = {"media": 3, "index": 1}


@pytest.fixture(scope="module")
def place(databases: Databases) -> Iterator[Reception]:
    url = databases.migrated()
    with reception(url) as one:
        yield one
    databases.drop(url)


async def die(
    place: Reception, callers: Callers, crash_at: str = "", before: Callable[[], None] = lambda: None
) -> None:
    """Start a server that is to die, write to it until it does, and start another one."""
    server = place.product.server
    if server.is_running():
        server.kill()
    server.environment["TABLEGRAM_CRASH_AT"] = crash_at
    server.launch()
    before()
    async with callers:
        assert await asyncio.to_thread(server.wait_for_death) == -signal.SIGKILL
        del server.environment["TABLEGRAM_CRASH_AT"]
        await asyncio.to_thread(server.start)
        await callers.hear(20)


@pytest.mark.parametrize("point", crash_points.RECEIVING)
async def test_a_death_at_any_named_point_loses_nothing_and_keeps_the_order(place: Reception, point: str) -> None:
    kind = point.partition(".")[0]
    callers = place.callers(customers=12, pictures=0.3 if kind == "media" else 0.0)
    await die(place, callers, f"{point}:{PASSES.get(kind, 7)}")
    result = await asyncio.to_thread(place.judge, callers)
    assert result.problems == []
    assert result.events == result.stored == result.written
    if kind == "index":
        assert_findable(place, callers)


def assert_findable(place: Reception, callers: Callers) -> None:
    """By the words of any message its writer is found, and nobody else; of the tests before, by the last of a few."""

    def found(name: str) -> list[list[str]]:
        # The last part of an id is a number that no other message has.
        status, page = place.product.call("GET", f"/contacts?q={name.rsplit('.', 1)[1]}")
        assert status == 200, page
        return [one["phones"] for one in page["data"]]

    before = [one for one in place.everybody if one not in callers.customers]
    for one in (*callers.customers, *before[::10]):
        for name in one.wrote if one in callers.customers else one.wrote[-1:]:
            # The index is written after the messages, and not in an order that a test could know.
            shown = found(name)
            if not shown:
                wait_until(lambda name=name: found(name) != [], f"{name} to be findable")
                shown = found(name)
            assert shown == [[one.phone]], name


async def test_a_death_right_after_the_answer_to_the_network_loses_nothing(place: Reception) -> None:
    callers = place.callers(customers=12)
    answers = itertools.count(1)

    def kill() -> None:
        if next(answers) < 9:
            callers.on_heard = kill
        else:
            place.product.server.kill()

    callers.on_heard = kill
    await die(place, callers)
    result = await asyncio.to_thread(place.judge, callers)
    assert result.problems == []


async def test_a_death_between_a_request_and_its_answer_tells_it_again_under_the_same_id(place: Reception) -> None:
    callers = place.callers(customers=12)
    requests = itertools.count(1)

    def kill() -> None:
        if next(requests) == 9:
            place.witness.on_request = None
            # The request is read; its answer will find nobody.
            place.product.server.kill()

    def watch() -> None:
        place.witness.on_request = kill

    await die(place, callers, before=watch)
    result = await asyncio.to_thread(place.judge, callers)
    assert result.problems == []
    assert result.repeats >= 1
