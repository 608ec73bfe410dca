"""Waiting for what happens by itself."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from sqlalchemy import select

from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import installation

_ANYTHING = Query(select(installation).limit(1))


async def until(condition: Callable[[], Any], what: str = "a condition", within_s: float = 30.0) -> None:
    """Look again and again; the limit is for what never happens, not a measurement."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + within_s
    # Often at first, then less and less often: every look costs the processor that others wait for.
    pause_s = 0.005
    while True:
        held = condition()
        if inspect.isawaitable(held):
            held = await held
        if held:
            return
        assert loop.time() < deadline, f"waited {within_s} s in vain for {what}"
        await asyncio.sleep(pause_s)
        pause_s = min(pause_s * 1.3, 0.05)


async def settle(rounds: int = 20, *, db: Database | None = None) -> None:
    """Let everything run that can run, before a test says that something did not happen.

    With a store it takes as long as so many of its writes: on a busy machine what runs waits for those too.
    """
    for _ in range(rounds):
        await asyncio.sleep(0.002)
        if db is not None:
            await db.write(_nothing)


async def _nothing(tx: Tx) -> None:
    await tx.first(_ANYTHING, {})
