"""Background tasks that must not die quietly, and the bell that wakes them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from time import monotonic
from typing import Any, Generic, TypeVar

from tablegram.errors import Unavailable
from tablegram.values.watching import trail

log = logging.getLogger("tablegram.engine")
Key = TypeVar("Key", bound=Hashable)

# After an unexpected error a task waits this long, so that a broken store is not hammered.
PAUSE_AFTER_ERROR_S = 1.0
# While the store is away a task tries again all the same, but says so ever more seldom: after this time, then twice that.
SAID_AGAIN_S = 2.0
MOST_BETWEEN_S = 300.0
# Who has worked for so long without meeting the store's absence again is well; a connection that fails takes less to do so.
WELL_AFTER_S = 15.0


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

    async def wait(self, timeout_s: float) -> bool:
        """Whether it has rung, or else the time is over."""
        if not self._event.is_set():
            try:
                async with asyncio.timeout(timeout_s):
                    await self._event.wait()
            except TimeoutError:
                pass
        has_rung = self._event.is_set()
        self._event.clear()
        return has_rung


class Bells(Generic[Key]):
    """Who wants to hear of what, by its key. Costs nothing for what nobody listens to."""

    def __init__(self) -> None:
        self._bells: dict[Key, set[Bell]] = {}

    def __contains__(self, key: Key) -> bool:
        """Whether anybody listens."""
        return key in self._bells

    def attend(self, key: Key, bell: Bell) -> None:
        self._bells.setdefault(key, set()).add(bell)

    def leave(self, key: Key, bell: Bell) -> None:
        bells = self._bells.get(key, set())
        bells.discard(bell)
        if not bells:
            self._bells.pop(key, None)

    def ring(self, key: Key) -> None:
        for bell in self._bells.get(key, ()):
            bell.ring()


class Absence:
    """What one task says of a store that is away: a line with the reason, ever more seldom, and one when it is back."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._since: float | None = None
        self._say_at = self._between_s = 0.0
        self._well: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """The task begins anew. Should nothing happen for a while, it is well."""
        if self._since is not None:
            self._well = asyncio.get_running_loop().call_later(WELL_AFTER_S, self.over)

    def end(self) -> None:
        if self._well is not None:
            self._well.cancel()
            self._well = None

    def met(self, reason: Unavailable) -> None:
        now = monotonic()
        if self._since is None:
            self._since = self._say_at = now
            self._between_s = SAID_AGAIN_S
        if now >= self._say_at:
            for_s = now - self._since
            log.warning("task %s waits for the store, for %.0f s now: %s", self._name, for_s, _said(reason))
            self._say_at = now + self._between_s
            self._between_s = min(self._between_s * 2, MOST_BETWEEN_S)

    def over(self) -> None:
        if self._since is not None:
            log.info("task %s has the store again, after %.0f s", self._name, monotonic() - self._since)
            self._since = None


def _said(reason: Unavailable) -> str:
    """In one line: what the store's own client says of it, where it says anything."""
    cause = reason.__cause__
    return reason.detail if cause is None else " ".join(f"{type(cause).__name__}: {cause}".split())[:200]


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
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.failures += 1
            if isinstance(error, Unavailable):
                log.warning("task %s failed without the store: %s", task.get_name(), _said(error))
            else:
                log.error("task %s failed", task.get_name(), exc_info=error)

    async def _keep(self, name: str, body: Callable[[], Awaitable[None]]) -> None:
        # Whoever begins it while a request is answered: what it does later is not that request's.
        trail.follow("")
        absence = Absence(name)
        while True:
            absence.begin()
            try:
                await body()
                absence.over()
                return
            except Unavailable as reason:
                self.failures += 1
                absence.met(reason)
            except Exception:
                self.failures += 1
                log.exception("task %s failed and starts again", name)
            finally:
                absence.end()
            await asyncio.sleep(PAUSE_AFTER_ERROR_S)

    async def stop(self) -> None:
        """End all, and what is begun meanwhile by those that end."""
        while self._tasks:
            tasks = list(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
