"""Open menu pages hear of changes: of the menu, of the venue, and of what the clock opens and closes.

Changes in this process are told; those of other processes, and the clock's, are found by looking every few seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from tablegram.engine.timers import Bell
from tablegram.errors import NotFound, TooMany

# Looked at once for all pages of a venue, however many are open.
LOOK_EVERY_S = 3.0
# The same again, so that the network and the page know that we are here.
REPEAT_EVERY_S = 20.0
MAX_PAGES = 2_000

# By the venue's id: its menu's version and how it stands. Raises `NotFound` for a venue that is gone.
Look = Callable[[str], Awaitable[dict[str, Any]]]


class MenuWatch:
    def __init__(self, look: Look) -> None:
        self._look = look
        self._bells: dict[str, set[Bell]] = {}
        self._seen: dict[str, tuple[float, dict[str, Any]]] = {}
        self._looking: dict[str, asyncio.Lock] = {}
        self._closed = False

    def told(self, venue_id: str) -> None:
        """Something about a venue or its menu was committed. Costs nothing when nobody looks."""
        self._seen.pop(venue_id, None)
        for bell in self._bells.get(venue_id, ()):
            bell.ring()

    async def subscribe(self, venue_id: str) -> AsyncIterator[dict[str, Any]]:
        """`{"version", "standing"}` now, whenever one of them changes, and now and then the same again."""
        if sum(map(len, self._bells.values())) >= MAX_PAGES:
            raise TooMany("Too many pages listen right now.", code="too_many_streams", retry_after_s=10)
        bell = Bell()
        self._bells.setdefault(venue_id, set()).add(bell)
        last: dict[str, Any] | None = None
        said_at = 0.0
        try:
            while not self._closed:
                try:
                    seen = await self._fresh(venue_id)
                except NotFound:
                    return
                if seen != last or time.monotonic() - said_at >= REPEAT_EVERY_S:
                    last, said_at = seen, time.monotonic()
                    yield seen
                await bell.wait(LOOK_EVERY_S)
        finally:
            bells = self._bells.get(venue_id, set())
            bells.discard(bell)
            if not bells:
                for kept in (self._bells, self._seen, self._looking):
                    kept.pop(venue_id, None)

    @property
    def watching(self) -> int:
        return sum(map(len, self._bells.values()))

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed = True
        for bells in self._bells.values():
            for bell in bells:
                bell.ring()

    async def _fresh(self, venue_id: str) -> dict[str, Any]:
        async with self._looking.setdefault(venue_id, asyncio.Lock()):
            known = self._seen.get(venue_id)
            # A little younger than the pages' own pace, so that each round looks once.
            if known is not None and time.monotonic() - known[0] < LOOK_EVERY_S * 0.8:
                return known[1]
            began = time.monotonic()
            seen = await self._look(venue_id)
            self._seen[venue_id] = began, seen
            return seen
