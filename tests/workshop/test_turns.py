"""Whose turn it is: whatever comes and goes, never too many at once, nobody forgotten, one account after another."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.errors import TooMany, Unavailable
from tablegram.workshop import turns
from tablegram.workshop.turns import MB, Turns

STEPS = st.lists(
    st.tuples(st.sampled_from(["come", "done", "leave"]), st.integers(1, 4), st.integers(0, 9)), max_size=60
)


class Hall:
    def __init__(self, most: int) -> None:
        self.turns = Turns(most)
        self.working: dict[int, list[asyncio.Event]] = {}
        self.tasks: dict[int, list[asyncio.Task[None]]] = {}
        self.began: list[int] = []

    async def visit(self, account: int) -> None:
        async with self.turns.turn(account, 1):
            end = asyncio.Event()
            self.began.append(account)
            self.working.setdefault(account, []).append(end)
            try:
                await end.wait()
            finally:
                self.working[account].remove(end)

    def count(self, account: int | None = None) -> int:
        return sum(len(ends) for one, ends in self.working.items() if account in (None, one))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), STEPS)
def test_whatever_comes_and_goes_nobody_is_forgotten(most: int, steps: list[tuple[str, int, int]]) -> None:
    async def play() -> None:
        hall = Hall(most)
        for step, account, which in steps:
            tasks = [one for one in hall.tasks.get(account, []) if not one.done()]
            if step == "come":
                hall.tasks.setdefault(account, []).append(asyncio.create_task(hall.visit(account)))
            elif step == "done" and hall.working.get(account):
                hall.working[account][which % len(hall.working[account])].set()
            elif step == "leave" and tasks:
                tasks[which % len(tasks)].cancel()
            for _ in range(8):
                await asyncio.sleep(0)
            assert hall.count() == hall.turns.working <= most
            assert all(hall.count(one) <= max(1, most - 1) for one in hall.tasks)
            # Whoever waits does so because there is no room, for all or for that account.
            if hall.turns.waiting and hall.count() < most:
                assert all(hall.count(one) == max(1, most - 1) for one in hall.turns._waiting)
        for _ in range(100):
            for ends in hall.working.values():
                for end in ends:
                    end.set()
            await asyncio.sleep(0)
        done = await asyncio.gather(*[one for tasks in hall.tasks.values() for one in tasks], return_exceptions=True)
        assert {type(one) for one in done} <= {type(None), asyncio.CancelledError, TooMany}
        assert (hall.turns.working, hall.turns.waiting) == (0, 0)
        assert not hall.turns._held
        assert not hall.turns._bytes

    asyncio.run(play())


async def test_accounts_are_called_in_turn_however_many_each_has_waiting() -> None:
    hall = Hall(1)
    tasks = [asyncio.create_task(hall.visit(account)) for account in [1] * 8 + [2] * 2 + [3]]
    while any(not task.done() for task in tasks):
        for ends in hall.working.values():
            for end in ends:
                end.set()
        await asyncio.sleep(0)
    assert hall.began == [1, 1, 2, 3, 1, 2, 1, 1, 1, 1, 1]


async def test_what_may_wait_is_bounded_in_number_bytes_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Turns(1, wait_s=0.05)
    async with line.turn(1, 40 * MB):
        with pytest.raises(TooMany) as own:
            async with line.turn(1, 40 * MB):
                pass
        assert (own.value.code, own.value.retry_after_s) == ("files_busy", turns.RETRY_S)
        with pytest.raises(Unavailable) as late:
            async with line.turn(2, 1):
                pass
        assert late.value.code == "files_full"
        monkeypatch.setattr(turns, "MOST_BYTES_OF_ALL", 50 * MB)
        with pytest.raises(Unavailable) as full:
            async with line.turn(2, 20 * MB):
                pass
        assert (full.value.code, full.value.retry_after_s) == ("files_full", turns.RETRY_S)
    async with line.turn(2, 20 * MB):
        assert line.working == 1
    assert (line.working, line.waiting) == (0, 0)
