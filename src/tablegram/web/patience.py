"""Waiting for a caller, with an end. One timer watches everybody who waits: a timer for each would cost each call."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any


class Late(Exception):
    """Nothing came in time."""


class Patience:
    """Waits at most `limit_s`, and up to a tenth longer."""

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._waiting: dict[asyncio.Task[Any], float] = {}
        self._late: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def wait_for(self, receive: Callable[[], Awaitable[Any]], until_s: float = math.inf) -> Any:
        """What comes next; `until_s` (monotonic) ends the wait earlier than the limit would."""
        task = asyncio.current_task()
        assert task is not None
        self._waiting[task] = min(time.monotonic() + self.limit_s, until_s)
        if self._timer is None:
            self._watch(asyncio.get_running_loop())
        try:
            return await receive()
        except asyncio.CancelledError:
            # Cancelled by us, and by nobody else: then it is only late.
            if task in self._late and task.uncancel() == 0:
                raise Late from None
            raise
        finally:
            self._waiting.pop(task, None)
            self._late.discard(task)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = loop.call_later(self.limit_s / 10, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now_s = time.monotonic()
        for task, until_s in list(self._waiting.items()):
            if until_s <= now_s:
                del self._waiting[task]
                self._late.add(task)
                task.cancel()
        self._timer = None
        if self._waiting:
            self._watch(loop)
