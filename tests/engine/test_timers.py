"""Bells wake, and tasks do not die quietly."""

from __future__ import annotations

import asyncio
import logging
import os

import pytest

from tablegram.engine import crash_points, timers
from tablegram.engine.timers import Bell, Bells, Tasks
from tablegram.errors import Misconfigured, Unavailable
from tablegram.values.watching import trail
from tests.engine.waiting import until


async def test_a_bell_wakes_who_waits() -> None:
    bell = Bell()
    waiting = asyncio.create_task(bell.wait(60))
    await asyncio.sleep(0)
    assert not waiting.done()
    bell.ring()
    assert await asyncio.wait_for(waiting, 30)


async def test_a_ring_before_the_wait_is_heard_once() -> None:
    bell = Bell()
    bell.ring()
    bell.ring()
    await asyncio.wait_for(bell.wait(60), 30)
    second = asyncio.create_task(bell.wait(60))
    await asyncio.sleep(0.01)
    assert not second.done()
    second.cancel()


async def test_a_ring_is_heard_by_those_who_attend_and_nothing_is_kept_of_who_left() -> None:
    bells, one, two, other = Bells[str](), Bell(), Bell(), Bell()
    bells.attend("a", one)
    bells.attend("a", two)
    bells.attend("b", other)
    bells.ring("a")
    bells.ring("nobody's")
    assert (one.has_rung, two.has_rung, other.has_rung) == (True, True, False)
    bells.leave("a", one)
    assert "a" in bells
    bells.leave("a", two)
    bells.leave("a", two)
    assert ("a" in bells, "b" in bells, "nobody's" in bells) == (False, True, False)


async def test_a_bell_that_nobody_rings_is_waited_for_no_longer_than_told() -> None:
    assert not await asyncio.wait_for(Bell().wait(0.0), 30)
    assert not await asyncio.wait_for(Bell().wait(0.01), 30)


async def test_a_kept_task_starts_again_after_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(timers, "PAUSE_AFTER_ERROR_S", 0.001)
    tasks = Tasks()
    starts = 0

    async def body() -> None:
        nonlocal starts
        starts += 1
        if starts < 4:
            raise RuntimeError("trouble")
        await asyncio.sleep(60)

    with caplog.at_level(logging.ERROR, "tablegram.engine"):
        tasks.keep("worker", body)
        await until(lambda: starts == 4)
    assert tasks.failures == 3
    assert "worker failed and starts again" in caplog.text
    await tasks.stop()


async def test_a_store_that_is_away_is_one_line_ever_more_seldom_and_one_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(timers, "PAUSE_AFTER_ERROR_S", 0.0)
    monkeypatch.setattr(timers, "WELL_AFTER_S", 0.01)
    now = 0.0
    monkeypatch.setattr(timers, "monotonic", lambda: now)
    tasks, starts = Tasks(), 0

    async def body() -> None:
        nonlocal starts, now
        starts += 1
        if starts <= 60:
            now += 1.0
            raise Unavailable("The store cannot be reached.") from OSError("connection\nrefused")
        await asyncio.sleep(60)

    with caplog.at_level(logging.INFO, "tablegram.engine"):
        tasks.keep("worker", body)
        await until(lambda: "has the store again" in caplog.text)
    await tasks.stop()
    said = [record.getMessage() for record in caplog.records]
    waits = "task worker waits for the store, for {} s now: OSError: connection refused"
    assert said == [*(waits.format(at) for at in (0, 2, 6, 14, 30)), "task worker has the store again, after 59 s"]
    assert not any(record.exc_info for record in caplog.records)
    assert tasks.failures == 60


async def test_who_fails_again_and_again_is_not_called_well_however_long_that_lasts(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # Longer between two starts than a task must be well for.
    monkeypatch.setattr(timers, "PAUSE_AFTER_ERROR_S", 0.02)
    monkeypatch.setattr(timers, "WELL_AFTER_S", 0.001)
    tasks = Tasks()

    async def body() -> None:
        raise Unavailable("The store cannot be reached.")

    with caplog.at_level(logging.INFO, "tablegram.engine"):
        tasks.keep("worker", body)
        await until(lambda: tasks.failures >= 5)
    await tasks.stop()
    assert "has the store again" not in caplog.text


async def test_a_kept_task_works_for_no_request_whoever_began_it() -> None:
    tasks, seen = Tasks(), list[str]()

    async def body() -> None:
        seen.append(trail.followed())

    trail.follow("req_1")
    tasks.keep("worker", body)
    await until(lambda: bool(seen))
    assert seen == [""]
    assert (trail.followed(), tasks.failures) == ("req_1", 0)


async def test_after_an_error_a_task_takes_a_breath(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "PAUSE_AFTER_ERROR_S", 60)
    tasks = Tasks()
    starts = 0

    async def body() -> None:
        nonlocal starts
        starts += 1
        raise RuntimeError("trouble")

    tasks.keep("worker", body)
    await asyncio.sleep(0.02)
    assert starts == 1
    await tasks.stop()


async def test_a_spawned_task_that_fails_is_counted_and_told(caplog: pytest.LogCaptureFixture) -> None:
    tasks = Tasks()

    async def body() -> None:
        raise RuntimeError("trouble")

    with caplog.at_level(logging.ERROR, "tablegram.engine"):
        task = tasks.spawn("errand", body())
        await asyncio.wait({task})
        await asyncio.sleep(0)
    assert tasks.failures == 1
    assert "errand failed" in caplog.text


async def test_stopping_ends_every_task() -> None:
    tasks = Tasks()
    ended: list[str] = []

    async def body(name: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(name)

    tasks.keep("kept", lambda: body("kept"))
    tasks.spawn("spawned", body("spawned"))
    await asyncio.sleep(0)
    await tasks.stop()
    assert sorted(ended) == ["kept", "spawned"]
    assert tasks.failures == 0


async def test_what_a_task_begins_while_it_is_stopped_is_stopped_too() -> None:
    tasks = Tasks()
    late: list[asyncio.Task[None]] = []

    async def body() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            late.append(tasks.spawn("late", asyncio.sleep(60)))

    tasks.spawn("first", body())
    await asyncio.sleep(0)
    await tasks.stop()
    assert [task.done() for task in late] == [True]


@pytest.mark.parametrize(
    "setting", ["nonsense", "accept", "accept.committed:x", "accept.committed:-1", "Accept.Committed"]
)
def test_an_unknown_crash_point_is_refused_and_the_names_are_told(setting: str) -> None:
    with pytest.raises(Misconfigured, match="TABLEGRAM_CRASH_AT") as caught:
        crash_points.arm(setting)
    assert "outcome.committed" in str(caught.value)


def test_a_crash_point_kills_at_its_pass_and_at_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, signal: killed.append(signal))
    try:
        crash_points.arm("accept.committed:3")
        for _ in range(2):
            crash_points.reach("accept.committed")
            crash_points.reach("drain.claimed")
        assert killed == []
        crash_points.reach("accept.committed")
        assert len(killed) == 1
    finally:
        crash_points.arm("")
    crash_points.reach("accept.committed")
    assert len(killed) == 1
