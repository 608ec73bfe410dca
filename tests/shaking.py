"""The store answers now at once and now a moment later, by chance: whatever holds only while it is quick shows itself."""

from __future__ import annotations

import asyncio
import functools
import os
import random
from collections.abc import Awaitable, Callable
from typing import Any

from tablegram.storage.database import Database

# What is asked and what is written waits so often before it is begun, and as often before its answer is heard.
HOW_OFTEN = 0.25
# Longer than a turn of the loop and a commit, and short enough for a suite.
LONGEST_S = 0.02
_CALLS = ("write", "put", "tell", "put_aside", "write_aside", "snapshot", "all", "horizon")


def shake_as_asked() -> None:
    """From now on, in this process and those that it forks, if `SHAKE` names a chance (`make shake`)."""
    seed = os.environ.get("SHAKE")
    if not seed:
        return
    chance = random.Random(seed)

    async def moment() -> None:
        if chance.random() < HOW_OFTEN:
            await asyncio.sleep(chance.random() ** 2 * LONGEST_S)

    for name in _CALLS:
        setattr(Database, name, _shaken(getattr(Database, name), moment))


def _shaken(
    call: Callable[..., Awaitable[Any]], moment: Callable[[], Awaitable[None]]
) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(call)
    async def shaken(*args: Any, **named: Any) -> Any:
        await moment()
        result = await call(*args, **named)
        await moment()
        return result

    return shaken
