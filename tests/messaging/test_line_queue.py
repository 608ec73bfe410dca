"""One line's queue by itself: when it looks, when it waits, and what it knows when another process has the line."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tablegram.messaging.transmission.draining import IDLE_S, STILL_S, WORTH_A_LOOK, LineQueue, lease_name
from tablegram.storage.database import Database
from tests.engine.waiting import until
from tests.messaging.gateway import PHONE, body, gateway


async def test_the_queue_sleeps_until_the_next_is_due_and_looks_when_it_is_worth_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        # Another process has the line, so that nobody but this test looks at its queue.
        assert await other.leases.hold(f"line:{line.instance.id}")
        queue: Any = LineQueue(one.drains, line)
        assert await queue._until_next() == IDLE_S * 15
        await one.send(PHONE, "later", send_at_ms=one.clock.now_ms() + 7_000)
        assert await queue._until_next() == 7.0
        one.clock.advance(8)
        assert await queue._until_next() == 0.0
        # A recipient who is to wait for a moment lets all of theirs wait for the same moment.
        monkeypatch.setattr(line, "recipients", SimpleNamespace(wait_s=lambda phone, now: 0.25))
        row = {"id": "m1", "phone": PHONE, "doubt_at": None}
        assert await queue._not_before(row, 1_000, 0.0) == 1_250
        assert line.waiting[PHONE] == ("m1", 1_250)
        # Few places are left for what many get, and nobody has called: it is not worth a look.
        looks: list[int] = []

        async def due(of: Any, now_ms: int) -> list[Any]:
            looks.append(now_ms)
            return []

        monkeypatch.setattr(one.drains, "due", due)
        queue.lease = line.lease
        queue.flight = SimpleNamespace(room=100, of_group=lambda group: queue._most_bulk - WORTH_A_LOOK + 1)
        queue._is_called = False
        assert (await queue.step(), looks) == (IDLE_S, [])
        queue._is_called = True
        await queue.step()
        assert len(looks) == 1
        # Who is about to leave begins nothing more.
        await one.drains.land()
        queue._is_called = True
        assert (await queue.step(), len(looks)) == (IDLE_S, 1)


async def test_whoever_finds_the_line_with_another_knows_nothing_of_its_queue(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        held = await other.leases.hold(f"line:{line.instance.id}")
        line.backlog, line.knows_queued, line.anothers_until = False, True, 0.0
        assert await one.drains.renewed_lease(line) is None
        assert (line.backlog, line.knows_queued) == (True, False)
        assert line.anothers_until > time.monotonic()
        # Where a database is shared, somebody looks after a line from the moment that it is here.
        assert held is not None
        for is_shared in (False, True):
            monkeypatch.setattr(Database, "is_shared", property(partial(lambda shared, db: shared, is_shared)))
            line.lease = None
            await one.drains.learn(line, held)
            assert (line in one.drains.queues) == is_shared


async def test_a_line_that_is_in_one_place_moves_when_nothing_of_it_is_under_way(database_url: str) -> None:
    async with gateway(database_url) as one:
        queue: Any = LineQueue(one.drains, await one.add_line())
        long_ago = time.monotonic() - STILL_S - 1

        def is_still(
            *, exclusive: bool = True, state: str = "connected", spoken_at: float = long_ago, **busy: Any
        ) -> bool:
            queue.flight = busy.get("flight", ())
            queue._line = SimpleNamespace(
                instance=SimpleNamespace(is_exclusive=exclusive, state=state), spoken_at=spoken_at,
                backlog=busy.get("backlog", False), asking=busy.get("asking", 0),
            )  # fmt: skip
            return bool(queue.is_still())

        assert is_still()
        assert is_still(exclusive=False, state="disconnected", flight=("x",), backlog=True)
        assert not is_still(state="disconnected")
        assert not is_still(spoken_at=time.monotonic())
        for name in ("flight", "backlog", "asking"):
            busy: dict[str, Any] = {name: ("x",)}
            assert not is_still(**busy), name


async def test_a_line_that_is_handed_over_stops_when_what_is_on_its_way_has_landed(database_url: str) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line("linked")
        network, name = one.network(line), lease_name(line)
        one.watch.hold = one.drains.renewed_lease
        await one.watch.look()
        # As on a store that is shared, where somebody looks after it for as long as it is here.
        one.drains.wake(line)
        network.gate.clear()
        sending = asyncio.create_task(one.send())
        await until(lambda: network.in_flight, "a message to be on its way")
        one.leases.begin_giving(name, other.owner.id)
        one.drains.wake(line)
        await one.watch.look()
        assert (network.stops, len(network.in_flight)) == (0, 1)
        network.gate.set()
        assert body(await sending)["status_code"] == "sent"
        await until(lambda: not one.leases.is_giving(name), "the line to be handed over")
        assert network.stops == 1
