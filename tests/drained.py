"""Drains at work, until they would rest."""

from __future__ import annotations

import asyncio
from typing import Any

from tablegram.engine.drains import Drain

# Between two pieces of a work lies far less, and between two looks at nothing far more.
RESTS_S = 1.0


async def drained(drain: Drain[Any]) -> None:
    """One look after another, as the drain's own task does; its pauses are cut short."""
    while (wait_s := await drain.look()) is not None and wait_s < RESTS_S:
        await asyncio.sleep(min(wait_s, 0.005))
