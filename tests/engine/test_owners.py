"""Who is running, and who is dead."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from sqlalchemy import BigInteger, Text, bindparam, cast, insert, select, update

from tablegram.engine import owners as owners_module
from tablegram.engine.owners import LEASE_S, LEAVING, SILENCE, Owner, _started_ticks, pid_space
from tablegram.errors import Unavailable
from tablegram.storage.database import Database, Query
from tablegram.storage.moment import DatabaseNow
from tablegram.storage.query import columns
from tablegram.storage.tables import installation, owners
from tests.engine.waiting import until
from tests.storage.opened import opened

_INSERT = Query(
    insert(owners).values(
        {
            **columns(owners, "id", "host", "pid", "started_ticks"),
            "heartbeat_at": DatabaseNow() - bindparam("silent_ms"),
        }
    )
)
_GET = Query(select(owners).where(owners.c.id == bindparam("id")))


_LISTENED_BEFORE = Query(
    update(installation)
    .where(installation.c.name == "listened_until")
    .values(value=cast(cast(installation.c.value, BigInteger) - bindparam("ago_ms", type_=BigInteger), Text))
)


async def add(db: Database, name: str, *, silent_s: float = 0.0, **changes: object) -> None:
    row = {
        "id": name, "host": pid_space(), "pid": os.getpid(), "started_ticks": _started_ticks(os.getpid()),
        "silent_ms": int(silent_s * 1_000), **changes,
    }  # fmt: skip
    await db.put((_INSERT, row))


async def test_a_process_whose_pid_is_gone_is_dead(database_url: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    ticks = _started_ticks(child.pid)
    async with opened(database_url) as db:
        owner = Owner(db)
        await owner.register()
        await add(db, "child", pid=child.pid, started_ticks=ticks)
        assert await owner.dead() == []
        child.kill()
        # Before its parent has looked it is a zombie, which is as dead.
        await until(lambda: _started_ticks(child.pid) is None)
        assert await owner.dead() == ["child"]
        child.communicate()
        assert await owner.dead() == ["child"]
        assert await owner.is_dead("child")
        assert await owner.living() == [owner.id]


async def test_a_pid_that_a_younger_process_uses_is_dead(database_url: str) -> None:
    async with opened(database_url) as db:
        owner = Owner(db)
        await add(db, "former", started_ticks=1)
        await add(db, "present")
        assert await owner.dead() == ["former"]
        # Whose row is gone was buried before.
        assert await owner.dead(["present", "buried", owner.id]) == ["buried", "former"]


@pytest.mark.parametrize("where", ["another boot pid:[1]", "another container"])
async def test_a_process_of_elsewhere_is_dead_when_it_was_silent_for_longer_than_a_lease(
    database_url: str, where: str
) -> None:
    boot, space = pid_space().split(" ", 1)
    host = f"{boot} pid:[1]" if where == "another container" else where
    assert space.startswith("pid:[")
    async with opened(database_url) as db:
        owner = Owner(db)
        # Its pid says nothing here, whatever runs under it: neither that it is dead, nor that it lives.
        await add(db, "far", host=host, started_ticks=1, silent_s=LEASE_S * SILENCE - 10)
        assert await owner.dead() == []
        await add(db, "farther", host=host, silent_s=LEASE_S * SILENCE + 1)
        assert await owner.dead() == ["farther"]


async def test_one_who_serves_a_file_alone_need_not_wait_for_processes_of_an_earlier_boot(database_url: str) -> None:
    async with opened(database_url) as db:
        owner = Owner(db, alone=True)
        await owner.register()
        await add(db, "before", host="another boot pid:[1]")
        await add(db, "beside")
        assert await owner.dead() == ["before"]


async def test_a_process_of_this_machine_may_be_silent(database_url: str) -> None:
    async with opened(database_url) as db:
        await add(db, "silent", silent_s=100 * LEASE_S)
        assert await Owner(db).dead() == []


async def test_the_buried_and_the_unknown_are_dead_and_oneself_is_not(database_url: str) -> None:
    async with opened(database_url) as db:
        owner, other = Owner(db), Owner(db)
        await owner.register()
        await other.register()
        assert not await owner.is_dead(other.id)
        await other.leave()
        assert await owner.is_dead(other.id)
        assert not await owner.is_dead(owner.id)


async def test_who_could_not_say_that_it_leaves_says_so_with_its_next_beat(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as db:
        owner = Owner(db)
        await owner.register()

        async def away(*writes: object) -> None:
            raise Unavailable("The store is away.")

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(owner, "_db", SimpleNamespace(put_aside=away))
            with pytest.raises(Unavailable):
                await owner.begin_leaving()
        assert [held.role for held in await owner.holdings()] == ["all"]
        await owner._beat()
        assert [held.role for held in await owner.holdings()] == [LEAVING]


async def test_the_heart_beats_by_the_databases_clock_and_also_of_who_was_buried(database_url: str) -> None:
    async with opened(database_url) as db:
        owner = Owner(db, lease_s=0.04)
        await owner.register()
        first = await db.first(_GET, {"id": owner.id})
        assert first is not None
        beating = asyncio.create_task(owner.beat_forever())

        async def beaten() -> bool:
            row = await db.first(_GET, {"id": owner.id})
            return row is not None and row["heartbeat_at"] > first["heartbeat_at"]

        await until(beaten, "a heartbeat")
        await Owner(db).bury(owner.id)
        await until(beaten, "a heartbeat after the burial")
        beating.cancel()


async def test_the_heart_beats_four_times_in_a_lease(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise asyncio.CancelledError

    async with opened(database_url) as db:
        owner = Owner(db, lease_s=20.0)
        monkeypatch.setattr(owners_module, "asyncio", SimpleNamespace(sleep=sleep))
        with pytest.raises(asyncio.CancelledError):
            await owner.beat_forever()
    assert slept == [5.0] * 3


async def test_how_long_nobody_ran_is_known_after_an_end_and_after_a_crash(database_url: str) -> None:
    async with opened(database_url) as db:
        first = Owner(db)
        await first.register()
        assert first.unheard_ms is None
        for ended in (first.leave, None):
            if ended:
                await ended()
            await db.put((_LISTENED_BEFORE, {"ago_ms": 70_000}))
            after = Owner(db)
            await after.register()
            assert after.unheard_ms is not None
            assert after.unheard_ms >= 70_000
            # Beside one that runs nobody was away.
            beside = Owner(db)
            await beside.register()
            assert beside.unheard_ms is not None
            assert beside.unheard_ms < after.unheard_ms
