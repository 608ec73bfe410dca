"""How many hosts a process may have, and how many of them start at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

# A machine that starts all its lines at once starts none in time.
AT_ONCE = 8
# One that takes longer to start makes way for the next, and goes on.
TURN_S = 5.0


class Room:
    def __init__(self, most: int) -> None:
        self.most = most
        self._inside: set[Hashable] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def take(self, who: Hashable) -> bool:
        """Whether there is room for this one, which is inside from now on."""
        if self.is_full(who):
            return False
        self._inside.add(who)
        return True

    def is_full(self, who: Hashable) -> bool:
        """For somebody who is not inside yet."""
        return who not in self._inside and len(self._inside) >= self.most

    def leave(self, who: Hashable) -> None:
        self._inside.discard(who)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn to start, and keep it for a while only."""
        await self._turns.acquire()
        is_over = False

        def release() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                self._turns.release()

        timer = asyncio.get_running_loop().call_later(TURN_S, release)
        try:
            yield
        finally:
            timer.cancel()
            release()
