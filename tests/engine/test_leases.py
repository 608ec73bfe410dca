"""Who holds what, and what becomes of those who do not know that they hold it no more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import update

from tablegram.engine.leases import BELIEVED_S, MARGIN, Lease, Leases
from tablegram.engine.owners import LEASE_S, Owner
from tablegram.errors import LeaseLost
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import leases
from tests.storage.opened import fact, facts, opened

# The database's clock goes on by itself while a test asks it; so long it may take.
SLACK_S = 10


class Steady:
    """The steady clock of all processes of a test. The database's own goes with it: what runs out does so earlier."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.at_s = 1_000.0

    def __call__(self) -> float:
        return self.at_s

    async def go_on(self, seconds: float) -> None:
        self.at_s += seconds
        await self._db.put((Query(update(leases).values(until=leases.c.until - int(seconds * 1_000))), {}))


class Process:
    def __init__(self, db: Database, steady: Steady) -> None:
        self.owner = Owner(db)
        self.leases = Leases(db, self.owner, steady=steady)
        self.hold = self.leases.hold

    async def held(self, name: str = "line:1") -> Lease:
        lease = await self.hold(name)
        assert lease is not None
        return lease


def processes(db: Database) -> tuple[Process, Process, Steady]:
    steady = Steady(db)
    return Process(db, steady), Process(db, steady), steady


def count_writes(db: Database, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    writes: list[None] = []
    write = db.write

    async def counted(work: Any) -> Any:
        writes.append(None)
        return await write(work)

    monkeypatch.setattr(db, "write", counted)
    return writes


async def test_one_owner_at_a_time(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, _ = processes(db)
        assert await one.hold("line:1")
        assert await one.hold("line:1")
        assert not await two.hold("line:1")
        assert await two.hold("line:2")


async def test_what_another_surely_has_is_not_asked_of_the_store(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        await one.held()
        board = {"line:1": one.owner.id}
        two.leases.note_held(board, steady())
        writes = count_writes(db, monkeypatch)
        assert not await two.hold("line:1")
        assert two.leases.holder("line:1") == one.owner.id
        assert not writes
        # What is not on it is asked for, and so is everything once it is old.
        await two.held("line:2")
        await steady.go_on(BELIEVED_S + 0.1)
        assert not await two.hold("line:1")
        assert len(writes) == 2


async def test_leases_that_were_freed_are_asked_for_whatever_was_read_before(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        await one.held()
        board, read_at = {"line:1": one.owner.id}, steady()
        two.leases.note_held(board, read_at)
        await one.leases.free(one.owner.id)
        assert not await two.hold("line:1")
        two.leases.wakeups.say_freed()
        # An answer that was on its way meanwhile.
        two.leases.note_held(board, read_at)
        await two.held()


async def test_a_lease_that_is_used_does_not_run_out(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        for _ in range(10):
            assert await one.hold("line:1")
            assert not await two.hold("line:1")
            await steady.go_on(LEASE_S - SLACK_S)


async def test_a_lease_that_ran_out_goes_to_who_asks_first(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        assert await one.hold("line:1")
        await steady.go_on(LEASE_S + 1)
        assert await two.hold("line:1")
        assert not await one.hold("line:1")


async def test_a_lease_is_renewed_when_half_of_it_is_gone_and_not_before(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        writes = count_writes(db, monkeypatch)
        first = await one.held()
        await steady.go_on(LEASE_S / 2 - 0.01)
        assert await one.hold("line:1") is first
        assert len(writes) == 1
        await steady.go_on(0.02)
        assert await one.hold("line:1") is first
        assert len(writes) == 2
        # It was renewed for its whole length.
        await steady.go_on(LEASE_S - SLACK_S)
        assert not await two.hold("line:1")


async def test_many_who_ask_at_once_are_answered_together(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(database_url) as db:
        one, two, _ = processes(db)
        writes = count_writes(db, monkeypatch)
        answers = await asyncio.gather(*[one.hold("line:1") for _ in range(20)])
        assert {id(answer) for answer in answers} == {id(await one.held())}
        assert len(writes) == 1
        assert await asyncio.gather(*[two.hold("line:1") for _ in range(20)]) == [None] * 20
        assert len(writes) == 2


async def test_what_a_process_held_is_free_at_once_when_it_is_given_back(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, _ = processes(db)
        assert await one.hold("line:1")
        assert await two.hold("line:2")
        await two.leases.free(one.owner.id)
        assert await two.hold("line:1")
        assert not await one.hold("line:2")


async def test_who_leaves_while_it_asks_takes_nothing_any_more(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, _ = processes(db)
        asking = asyncio.create_task(one.hold("line:1"))
        # Only until the question is under way.
        await asyncio.sleep(0)
        asking.cancel()
        await one.leases.free(one.owner.id)
        assert await two.hold("line:1")


async def test_who_gave_its_leases_back_asks_anew(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, _ = processes(db)
        lease = await one.held()
        await one.leases.free(one.owner.id)
        assert not lease.is_sure()
        assert await two.hold("line:1")
        assert not await one.hold("line:1")


async def test_the_fence_grows_with_each_change_of_owner_and_only_then(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        assert (await one.held()).fence == 1
        await steady.go_on(LEASE_S * 0.7)
        assert (await one.held()).fence == 1
        # It ran out, but nobody else had it in between.
        await steady.go_on(LEASE_S + 1)
        assert (await one.held()).fence == 1
        await steady.go_on(LEASE_S + 1)
        assert (await two.held()).fence == 2
        # Given back it keeps its number, whoever takes it next.
        await two.leases.free(two.owner.id)
        assert (await two.held()).fence == 3
        await two.leases.free(two.owner.id)
        assert (await one.held()).fence == 4
        assert (await one.held("line:2")).fence == 1


async def test_a_lease_is_sure_for_less_than_its_time(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        lease = await one.held()
        await steady.go_on(LEASE_S * (1 - MARGIN) - 0.01)
        assert lease.is_sure()
        assert one.leases.held("line:1") is lease
        assert one.leases.held("line:2") is None
        await steady.go_on(0.02)
        assert not lease.is_sure()
        assert one.leases.held("line:1") is None
        # The rest of it is nobody's.
        assert not await two.hold("line:1")


async def test_a_slow_store_does_not_lengthen_what_is_sure(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(database_url) as db:
        one, _, steady = processes(db)
        write = db.write

        async def slow(work: Any) -> Any:
            taken = await write(work)
            steady.at_s += LEASE_S / 2
            return taken

        monkeypatch.setattr(db, "write", slow)
        lease = await one.held()
        assert lease.left_s() == pytest.approx(LEASE_S * (1 / 2 - MARGIN))


async def test_who_wakes_up_after_its_lease_was_taken_is_never_sure_of_it_again(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        lost = await one.held()
        await steady.go_on(LEASE_S + 1)
        taken = await two.held()
        assert taken.is_sure()
        assert not lost.is_sure()
        await two.leases.free(two.owner.id)
        again = await one.held()
        assert again.is_sure()
        assert not lost.is_sure()


async def write_under(db: Database, lease: Lease, name: str) -> None:
    async def unit(tx: Tx) -> None:
        await lease.guard(tx)
        query, params = fact(name)
        await tx.run(query, params)

    await db.write(unit)


async def test_a_guarded_write_of_a_lost_lease_fails_alone_and_changes_nothing(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        lost = await one.held()
        await write_under(db, lost, "in time")
        await steady.go_on(LEASE_S + 1)
        taken = await two.held()
        ended = await asyncio.gather(
            write_under(db, taken, "taken"), write_under(db, lost, "too late"), db.put(fact("beside")),
            return_exceptions=True,
        )  # fmt: skip
        assert [type(end) for end in ended] == [type(None), LeaseLost, type(None)]
        assert set(await facts(db)) == {"in time", "taken", "beside"}


async def test_a_guard_refuses_an_earlier_fence_of_the_same_owner(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, steady = processes(db)
        lost = await one.held()
        await steady.go_on(LEASE_S + 1)
        await two.held()
        await two.leases.free(two.owner.id)
        await write_under(db, await one.held(), "anew")
        with pytest.raises(LeaseLost):
            await write_under(db, lost, "too late")
        assert set(await facts(db)) == {"anew"}


async def test_a_guard_that_fails_tells_its_process_not_to_be_sure_any_more(database_url: str) -> None:
    async with opened(database_url) as db:
        one, two, _ = processes(db)
        lost = await one.held()
        # Somebody took this process for dead.
        await two.leases.free(one.owner.id)
        assert lost.is_sure()
        with pytest.raises(LeaseLost):
            await write_under(db, lost, "too late")
        assert not lost.is_sure()
        assert await two.hold("line:1")
        assert not await one.hold("line:1")


async def test_wrong_clocks_of_processes_do_not_matter(database_url: str) -> None:
    async with opened(database_url) as db:
        steady = Steady(db)
        # Each has been up for another time, and neither knows the time of day.
        one = Leases(db, Owner(db), steady=lambda: steady() - 900)
        two = Leases(db, Owner(db), steady=lambda: steady() + 5_000_000)
        assert await one.hold("line:1")
        assert not await two.hold("line:1")
        await steady.go_on(LEASE_S - SLACK_S)
        assert not await two.hold("line:1")
        await steady.go_on(2 * SLACK_S)
        assert await two.hold("line:1")
