"""The clock that processes share: told by one of all, carried on by a steady one, and never going back by a little."""

from __future__ import annotations

import time

import pytest

from tablegram.engine.together.common_time import CommonTime
from tablegram.values import ids
from tablegram.values.clock import AGREES_MS, STEP_MS, WRONG_MS, SharedClock
from tests.storage.opened import opened


class Steady:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ms = 5_000
        monkeypatch.setattr(time, "clock_gettime_ns", lambda _: self.ms * 1_000_000)
        # A wall clock that is wrong by a day changes nothing.
        monkeypatch.setattr(time, "time_ns", lambda: 86_400_000 * 1_000_000)


def test_until_it_is_told_the_time_it_is_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    Steady(monkeypatch)
    assert SharedClock().now_ms() == 86_400_000


def test_it_goes_on_from_what_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    steady, clock = Steady(monkeypatch), SharedClock()
    clock.hear(1_000_000, 4_990, 5)
    assert clock.now_ms() == 1_000_010
    steady.ms += 500
    assert clock.now_ms() == 1_000_510


def test_what_agrees_well_enough_changes_nothing_and_a_little_is_put_right_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steady, clock = Steady(monkeypatch), SharedClock()
    clock.hear(1_000_000, steady.ms, 0)
    clock.hear(1_000_000 - AGREES_MS - 7, steady.ms, 7)
    assert clock.now_ms() == 1_000_000
    clock.hear(1_000_000 - AGREES_MS - 8, steady.ms, 7)
    # It stands still for the moment that it was ahead.
    assert clock.now_ms() == 1_000_000
    steady.ms += STEP_MS
    assert clock.now_ms() == 1_000_000
    steady.ms += 1
    assert clock.now_ms() == 1_000_001


def test_what_is_wrong_is_put_right_at_once_also_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    steady, clock = Steady(monkeypatch), SharedClock()
    clock.hear(1_000_000, steady.ms, 0)
    assert clock.now_ms() == 1_000_000
    clock.hear(1_000_000 - WRONG_MS - 1, steady.ms, 0)
    assert clock.now_ms() == 1_000_000 - WRONG_MS - 1


@pytest.mark.once
async def test_ids_follow_the_time_of_the_database_whatever_was_made_before(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ids, "_now_ms", ids._now_ms)
    monkeypatch.setattr(ids, "_last_ms", 0)
    wall_ms = time.time_ns() // 1_000_000
    hour_ms = 3_600_000
    # This process's clock is an hour ahead, and it has made ids by it.
    ids.follow(lambda: wall_ms + hour_ms)
    ahead = ids.new_id()
    async with opened(database_url) as db:
        clock = SharedClock()
        await CommonTime(db, clock).begin()
        assert abs(clock.now_ms() - time.time_ns() // 1_000_000) < hour_ms / 2
        assert ids.new_id() < ahead
        assert ids.new_id(clock.now_ms()) < ahead
