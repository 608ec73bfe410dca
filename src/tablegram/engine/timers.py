"""Background tasks that must not die quietly, and the bell that wakes them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from tablegram.values.watching import trail

log = logging.getLogger("tablegram.engine")

# After an unexpected error a task waits this long, so that a broken store is not hammered.
PAUSE_AFTER_ERROR_S = 1.0


class Bell:
    """Rings now, or is heard at the latest after a time-out."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        # How often it has rung, for who wants to know whether it did meanwhile.
        self.rings = 0

    def ring(self) -> None:
        self.rings += 1
        self._event.set()

    @property
    def has_rung(self) -> bool:
        """Whether it has rung and was not heard yet."""
        return self._event.is_set()

    async def wait(self, timeout_s: float) -> None:
        if not self._event.is_set():
            try:
                async with asyncio.timeout(timeout_s):
                    await self._event.wait()
            except TimeoutError:
                pass
        self._event.clear()


class Tasks:
    """The background tasks of one process: started once, restarted on error, stopped together."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self.failures = 0

    def keep(self, name: str, body: Callable[[], Awaitable[None]]) -> None:
        """Run `body` for ever; when it raises, log and start it again."""
        self.spawn(name, self._keep(name, body))

    def spawn(self, name: str, body: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(body, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.failures += 1
            log.error("task %s failed", task.get_name(), exc_info=task.exception())

    async def _keep(self, name: str, body: Callable[[], Awaitable[None]]) -> None:
        # Whoever begins it while a request is answered: what it does later is not that request's.
        trail.follow("")
        while True:
            try:
                await body()
                return
            except Exception:
                self.failures += 1
                log.exception("task %s failed and starts again", name)
                await asyncio.sleep(PAUSE_AFTER_ERROR_S)

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
