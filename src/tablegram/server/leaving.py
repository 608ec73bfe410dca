"""How a server ends: it says so first, goes on answering for a while, and closes its port when nobody looks for it there.

Whoever distributes requests learns from /readyz that a server leaves, and only with the next look. Until then requests come,
and each of them is answered.
"""

from __future__ import annotations

import asyncio
import signal

# How the process that watches over several tells them that nobody is waited for any more. They get SIGTERM from it, and
# perhaps a second time from whoever told all of them, a terminal or a service manager: that means nothing more.
HURRY = signal.SIGUSR1


class Leaving:
    """What every connection of a listener asks, and what makes the waiting shorter."""

    def __init__(self) -> None:
        # From now on each answer is the last one on its connection.
        self.has_begun = False
        self._hurry = asyncio.Event()

    @property
    def is_hurried(self) -> bool:
        return self._hurry.is_set()

    def hurry(self) -> None:
        self._hurry.set()

    async def hurried(self) -> None:
        await self._hurry.wait()
