"""Who is running, and who is dead."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys

import pytest
from sqlalchemy import bindparam, insert, select

from tablegram.engine import owners as owners_module
from tablegram.engine.owners import SILENCE_MS, Owner, _started_ticks
from tablegram.storage.database import Database, Query
from tablegram.storage.query import columns
from tablegram.storage.tables import owners
from tests.accounts.opened import MovableClock
from tests.engine.waiting import until
from tests.storage.opened import opened

_INSERT = Query(insert(owners).values(columns(owners)))
_GET = Query(select(owners).where(owners.c.id == bindparam("id")))


async def add(db: Database, clock: MovableClock, name: str, **changes: object) -> None:
    row = {
        "id": name, "host": socket.gethostname(), "pid": os.getpid(), "started_ticks": _started_ticks(os.getpid()),
        "heartbeat_at": clock.now_ms(), **changes,
    }  # fmt: skip
    await db.put((_INSERT, row))


async def test_a_process_whose_pid_is_gone_is_dead(database_url: str) -> None:
    clock = MovableClock()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    ticks = _started_ticks(child.pid)
    async with opened(database_url) as db:
        owner = Owner(db, clock)
        await owner.register()
        await add(db, clock, "child", pid=child.pid, started_ticks=ticks)
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
    clock = MovableClock()
    async with opened(database_url) as db:
        owner = Owner(db, clock)
        await add(db, clock, "former", started_ticks=1)
        await add(db, clock, "present")
        assert await owner.dead() == ["former"]


async def test_a_process_of_another_machine_is_dead_after_a_minute_of_silence(database_url: str) -> None:
    clock = MovableClock()
    async with opened(database_url) as db:
        owner = Owner(db, clock)
        # Its pid says nothing here, whatever runs under it on this machine.
        await add(db, clock, "far", host="another machine", started_ticks=1)
        clock.at_ms += SILENCE_MS
        assert await owner.dead() == []
        clock.at_ms += 1
        assert await owner.dead() == ["far"]


async def test_a_process_of_this_machine_may_be_silent(database_url: str) -> None:
    clock = MovableClock()
    async with opened(database_url) as db:
        owner, other = Owner(db, clock), Owner(db, clock)
        await other.register()
        clock.at_ms += 100 * SILENCE_MS
        assert await owner.dead() == []


async def test_the_buried_and_the_unknown_are_dead_and_oneself_is_not(database_url: str) -> None:
    clock = MovableClock()
    async with opened(database_url) as db:
        owner, other = Owner(db, clock), Owner(db, clock)
        await owner.register()
        await other.register()
        assert not await owner.is_dead(other.id)
        await other.leave()
        assert await owner.is_dead(other.id)
        assert not await owner.is_dead(owner.id)


async def test_the_heart_beats(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners_module, "HEARTBEAT_S", 0.01)
    clock = MovableClock()
    async with opened(database_url) as db:
        owner = Owner(db, clock)
        await owner.register()
        clock.advance(99)
        beating = asyncio.create_task(owner.beat_forever())

        async def beaten() -> bool:
            row = await db.first(_GET, {"id": owner.id})
            return row is not None and row["heartbeat_at"] == clock.now_ms()

        await until(beaten, "a heartbeat")
        beating.cancel()
