"""The process dies at every named place of the way in: what was answered 200 is kept once and told, in order."""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import Callable

import pytest

from tablegram.engine import crash_points
from tests.faults.callers import Callers
from tests.faults.reception import Reception, reception
from tests.product import Process, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.later, pytest.mark.timeout(480)]

# The pass at which it dies: some are behind it by then, some before it. The index is written a batch at a time.
PASSES = {"media": 3, "index": 1}
# So many answers, or requests, come before a death that the test brings about.
NINTH = 9


async def test_a_death_at_any_point_loses_nothing_and_keeps_the_order(
    database_url: str, say: Callable[[str], None]
) -> None:
    """One walk through all of them, while customers write: what a death has left is what the next server begins with."""
    with reception(database_url) as place:
        server = place.product.server
        server.kill()
        async with place.callers(customers=12, per_second=40.0, pictures=0.2) as callers:
            for point in crash_points.RECEIVING:
                server.environment["TABLEGRAM_CRASH_AT"] = f"{point}:{PASSES.get(point.partition('.')[0], 7)}"
                await live_and_die(server)
            del server.environment["TABLEGRAM_CRASH_AT"]
            die_after_an_answer(place, callers)
            await live_and_die(server)
            unanswered = die_before_an_answer(place)
            await live_and_die(server)
            await asyncio.to_thread(server.start)
            await callers.hear(20)
        result = await asyncio.to_thread(place.judge, callers)
        say(f"{len(crash_points.RECEIVING) + 2} deaths on the way in: {result.line()}")
        assert result.problems == []
        assert result.events == result.stored == result.written
        # Whoever read a request and could not answer it is told the same again, under its id.
        (place_of_it,) = unanswered
        seen = [one.id for one in place.witness.seen]
        assert seen[place_of_it] in seen[place_of_it + 1 :]
        await asyncio.to_thread(assert_findable, place, callers)


async def live_and_die(server: Process) -> None:
    server.launch()
    # What was to be posted when it died may wait its turn to be tried again.
    assert await asyncio.to_thread(server.wait_for_death, 180.0) == -signal.SIGKILL


def die_after_an_answer(place: Reception, callers: Callers) -> None:
    """Right after the network was answered 200."""
    answers = itertools.count(1)

    def kill() -> None:
        if next(answers) < NINTH:
            callers.on_heard = kill
        else:
            place.product.server.kill()

    callers.on_heard = kill


def die_before_an_answer(place: Reception) -> list[int]:
    """Between a request to the account's server and its answer. Gives the place of that request, once it has come."""
    requests = itertools.count(1)
    unanswered: list[int] = []

    def kill() -> None:
        # What the one before has sent may be read only now that it is dead: it counts for nothing, and kills nobody.
        if place.product.server.is_running() and next(requests) == NINTH:
            place.witness.on_request = None
            unanswered.append(len(place.witness.seen))
            # The request is read; its answer will find nobody.
            place.product.server.kill()

    place.witness.on_request = kill
    return unanswered


def assert_findable(place: Reception, callers: Callers) -> None:
    """By the words of a message its writer is found, and nobody else."""

    def found(name: str) -> list[list[str]]:
        # The last part of an id is a number that no other message has.
        status, page = place.product.call("GET", f"/contacts?q={name.rsplit('.', 1)[1]}")
        assert status == 200, page
        return [one["phones"] for one in page["data"]]

    for one in callers.customers:
        # Of each the last ones, and of those before every fourth.
        for name in (*one.wrote[-3:], *one.wrote[:-3:4]):
            # The index is written after the messages, and not in an order that a test could know.
            shown = found(name)
            if not shown:
                wait_until(lambda name=name: found(name) != [], f"{name} to be findable")
                shown = found(name)
            assert shown == [[one.phone]], name
