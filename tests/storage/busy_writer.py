"""A writer that is busy, so that what comes meanwhile waits together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import func, select

from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import installation
from tests.engine.waiting import settle

COUNT = Query(select(func.count().label("n")).select_from(installation))


async def hold_writer(db: Database, release: asyncio.Event, *, patient: bool = False) -> asyncio.Task[None]:
    """Keep the writer busy with one unit, so that what comes now waits together."""
    started = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def unit(tx: Tx) -> None:
        # A unit waits for its transaction only; this one looks again and again until it is released.
        loop.call_soon_threadsafe(started.set)
        for _ in range(100_000):
            await tx.first(COUNT, {})
            if release.is_set():
                return

    task = asyncio.create_task(db.write(unit, patient=patient))
    await started.wait()
    return task


async def together(db: Database, *units: Callable[[], Awaitable[Any]]) -> list[Any]:
    """Hand in all units while the writer is busy; each one's result or error."""
    release = asyncio.Event()
    busy = await hold_writer(db, release)
    waiting = [asyncio.ensure_future(unit()) for unit in units]
    await settle()
    release.set()
    await busy
    return await asyncio.gather(*waiting, return_exceptions=True)
