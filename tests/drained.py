"""Drains at work, until they would rest."""

from __future__ import annotations

import asyncio
from typing import Any

from tablegram.engine.drains import Drain
from tablegram.engine.inbox import Inbox

# Between two pieces of a work lies far less, and between two looks at nothing far more.
RESTS_S = 1.0


async def drained(drain: Drain[Any]) -> None:
    """One look after another, as the drain's own task does; its pauses are cut short."""
    while (wait_s := await drain.look()) is not None and wait_s < RESTS_S:
        await asyncio.sleep(min(wait_s, 0.005))


async def drain_once(inbox: Inbox) -> int:
    """Work on everything that came in until now, in memory and in the store; returns how many bodies it was."""
    total = 0
    while worked := await inbox._drain_fresh():
        total += worked
    inbox._unseen = True
    return total + await inbox.drain_store()
