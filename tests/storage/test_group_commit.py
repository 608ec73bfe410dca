"""Everything that waits shares one transaction, and is answered when that is committed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from tablegram.errors import Unavailable
from tablegram.storage import group_commit
from tablegram.storage.database import Database, Tx
from tests.storage.busy_writer import COUNT, hold_writer, together
from tests.storage.drivers import count_transactions, waits_for_the_disk
from tests.storage.opened import CHANGE, FACTS, SET, fact, facts, opened


async def test_all_that_wait_share_one_transaction(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(database_url) as db:
        sizes = count_transactions(monkeypatch)
        await together(db, *[lambda name=f"n{i:02}": db.put(fact(name)) for i in range(40)])
        assert sizes == [1, 40]
        assert len(await facts(db)) == 40


async def test_who_is_patient_is_alone_and_keeps_nobody_waiting_for_long(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as db:
        sizes = count_transactions(monkeypatch)
        order: list[str] = []

        def unit(name: str, *, patient: bool = False) -> Callable[[], Awaitable[Any]]:
            async def work(tx: Tx) -> None:
                order.append(name)
                await tx.run(*fact(name))

            return lambda: db.write(work, patient=patient)

        patient = [unit(name, patient=True) for name in ("index", "campaign", "ledger")]
        await together(db, *patient, unit("order"), unit("answer"))
        # By turns where there is one writer; a server has another one for them, and they do not wait for who holds the first.
        by_turns = ["index", "order", "answer", "campaign", "ledger"]
        assert order == (["index", "campaign", "ledger", "order", "answer"] if db.is_shared else by_turns)
        assert sorted(sizes) == [1, 1, 1, 1, 2]


@pytest.mark.shared
async def test_nobody_waits_for_who_is_patient(database_url: str) -> None:
    async with opened(database_url) as db:
        release = asyncio.Event()
        busy = await hold_writer(db, release, patient=True)
        await db.put(fact("order"))
        assert not busy.done()
        release.set()
        await busy


async def test_what_is_patient_is_committed_before_the_end(database_url: str) -> None:
    async with opened(database_url) as db:

        async def work(tx: Tx, name: str) -> None:
            await tx.run(*fact(name))

        waiting = [
            asyncio.create_task(db.write(partial(lambda n, tx: work(tx, f"n{n}"), n), patient=True)) for n in range(3)
        ]
        await asyncio.sleep(0)
        await db.close()
        await asyncio.gather(*waiting)
    async with opened(database_url) as db:
        assert set(await facts(db)) == {"n0", "n1", "n2"}


async def test_each_is_answered_after_its_commit_only(database_url: str) -> None:
    async with opened(database_url) as db, opened(database_url) as other:

        async def put_and_look(name: str) -> bool:
            await db.put(fact(name))
            # Another connection sees what is committed, and nothing else.
            return name in await facts(other)

        assert await together(db, *[lambda name=f"n{i}": put_and_look(name) for i in range(10)]) == [True] * 10


async def test_what_is_not_committed_is_seen_by_nobody_else(database_url: str) -> None:
    async with opened(database_url) as db, opened(database_url) as other:
        release = asyncio.Event()
        loop = asyncio.get_running_loop()
        written = asyncio.Event()

        async def unit(tx: Tx) -> int:
            await tx.run(SET, {"name": "mine", "value": ""})
            loop.call_soon_threadsafe(written.set)
            while not release.is_set():
                await tx.first(COUNT, {})
            return len(await tx.all(FACTS, {}))

        task = asyncio.create_task(db.write(unit))
        await written.wait()
        assert await facts(other) == {}
        release.set()
        assert await task == 1
        assert list(await facts(other)) == ["mine"]


async def test_units_of_a_batch_see_what_earlier_ones_wrote(database_url: str) -> None:
    async def count_and_add(tx: Tx) -> int:
        count = len(await tx.all(FACTS, {}))
        await tx.run(SET, {"name": f"n{count}", "value": ""})
        return count

    async with opened(database_url) as db:
        assert sorted(await together(db, *[lambda: db.write(count_and_add) for _ in range(5)])) == [0, 1, 2, 3, 4]


async def test_more_than_a_full_batch_is_split_and_nobody_is_forgotten(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as db:
        sizes = count_transactions(monkeypatch)
        many = 2 * group_commit.MAX_BATCH + 5
        await together(db, *[lambda name=f"n{i}": db.put(fact(name)) for i in range(many)])
        assert sum(sizes) == many + 1
        # Whoever held the writer may have been joined by those who came meanwhile, and counts then; the next batch is full.
        assert max(sizes) == group_commit.MAX_BATCH
        assert len(await facts(db)) == many


async def test_functions_that_wait_behind_late_statements_keep_their_order(database_url: str) -> None:
    async with opened(database_url) as db:
        release = asyncio.Event()
        busy = await hold_writer(db, release)
        seen: list[str] = []

        def note(name: str) -> Callable[[Tx], Awaitable[None]]:
            async def work(tx: Tx) -> None:
                seen.append(name)
                await tx.run(*fact(name))

            return work

        waiting = [
            asyncio.ensure_future(db.put(fact("a"))),
            asyncio.ensure_future(db.write(note("b"))),
            asyncio.ensure_future(db.put(fact("c"))),
            asyncio.ensure_future(db.write(note("d"))),
        ]
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(busy, *waiting)
        assert seen == ["b", "d"]
        assert {"a", "b", "c", "d"} <= set(await facts(db))


async def test_reads_of_one_snapshot_see_one_moment(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put(fact("n", "before"))
        loop = asyncio.get_running_loop()
        first_read = asyncio.Event()
        changed = asyncio.Event()

        async def read(tx: Tx) -> tuple[str, str]:
            before = (await tx.all(FACTS, {}))[0]["value"]
            loop.call_soon_threadsafe(first_read.set)
            for _ in range(100_000):
                after = (await tx.all(FACTS, {}))[0]["value"]
                if changed.is_set():
                    break
            return before, after

        task = asyncio.create_task(db.snapshot(read))
        await first_read.wait()
        await db.put((CHANGE, {"which": "n", "value": "after"}))
        changed.set()
        assert await task == ("before", "before")
        assert await facts(db) == {"n": "after"}


async def test_a_snapshot_cannot_write(database_url: str) -> None:
    async with opened(database_url) as db:
        with pytest.raises(Unavailable):
            await db.snapshot(lambda tx: tx.run(SET, {"name": "n", "value": ""}))
        assert await facts(db) == {}


async def test_two_processes_that_wait_for_each_other_both_get_through(database_url: str) -> None:
    async with opened(database_url) as one, opened(database_url) as two:
        await one.put(fact("a"), fact("b"))
        begun: set[str] = set()

        async def change(db: Database, first: str, second: str) -> None:
            async def unit(tx: Tx) -> None:
                await tx.run(CHANGE, {"which": first, "value": first})
                begun.add(first)
                # Until the other one holds its first as well, or cannot begin at all because there is one writer.
                for _ in range(200):
                    if len(begun) == 2:
                        break
                    await tx.first(COUNT, {})
                await tx.run(CHANGE, {"which": second, "value": first})

            await db.write(unit)

        await asyncio.gather(change(one, "a", "b"), change(two, "b", "a"))
        assert begun == {"a", "b"}
        # Whoever came second wrote both.
        assert await facts(one) in ({"a": "a", "b": "a"}, {"a": "b", "b": "b"})


async def test_every_commit_waits_for_the_disk(database_url: str) -> None:
    async with opened(database_url) as db:
        assert await db.write(waits_for_the_disk)
        assert await db.write(waits_for_the_disk, patient=True)


async def test_what_can_be_done_again_does_not_wait_for_the_disk_and_who_comes_after_it_does(database_url: str) -> None:
    async with opened(database_url) as db, opened(database_url) as other:

        async def piece(tx: Tx, name: str) -> bool:
            await tx.run(*fact(name))
            return await waits_for_the_disk(tx)

        found = await together(
            db,
            lambda: db.write(lambda tx: piece(tx, "many"), patient=True, flushed=False),
            lambda: db.write(lambda tx: piece(tx, "one")),
            # Who lets nobody go first waits for the disk, whatever it says.
            lambda: db.write(lambda tx: piece(tx, "two"), flushed=False),
        )
        assert found == [False, True, True]
        # One that fails leaves nothing behind, and the next waits for the disk again.
        with pytest.raises(KeyError):
            await db.write(lambda tx: piece(tx, dict[str, str]()["nobody"]), patient=True, flushed=False)
        assert await db.write(waits_for_the_disk)
        assert set(await facts(other)) == {"many", "one", "two"}
