"""Open menu pages hear of changes: of the menu, of the venue, and of what the clock opens and closes.

Changes in this process are told; those of other processes, and the clock's, are found by looking every few seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from tablegram.engine.timers import Bell, Bells
from tablegram.flows.restaurant.answers.guests import VenueGlance

# Looked at once for all pages of a venue, however many are open.
LOOK_EVERY_S = 3.0

# By the venue's id: its menu's version and how it stands. Raises `NotFound` for a venue that is gone.
Look = Callable[[str], Awaitable[VenueGlance]]


class MenuWatch:
    def __init__(self, look: Look) -> None:
        self._look = look
        self._bells: Bells[str] = Bells()
        self._seen: dict[str, tuple[float, VenueGlance]] = {}
        self._looking: dict[str, asyncio.Lock] = {}

    def told(self, venue_id: str) -> None:
        """Something about a venue or its menu was committed. Costs nothing when nobody looks."""
        self._seen.pop(venue_id, None)
        self._bells.ring(venue_id)

    def attend(self, venue_id: str, bell: Bell) -> None:
        """Ring a bell when something may have changed, until it leaves. For who then looks."""
        self._bells.attend(venue_id, bell)

    def leave(self, venue_id: str, bell: Bell) -> None:
        self._bells.leave(venue_id, bell)
        if venue_id not in self._bells:
            self._seen.pop(venue_id, None)
            self._looking.pop(venue_id, None)

    async def look(self, venue_id: str) -> VenueGlance:
        """Looked at once for all who ask at the same time."""
        async with self._looking.setdefault(venue_id, asyncio.Lock()):
            known = self._seen.get(venue_id)
            # A little younger than the pages' own pace, so that each round looks once.
            if known is not None and time.monotonic() - known[0] < LOOK_EVERY_S * 0.8:
                return known[1]
            began = time.monotonic()
            seen = await self._look(venue_id)
            self._seen[venue_id] = began, seen
            return seen
