"""Every hour, what the parts of the product declare as old enough is forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from tablegram.engine.purging import Purge
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock

EVERY_S = 3_600

# Forgets what a database alone does not hold, such as files; returns how many of each.
Cleaner = Callable[[], Awaitable[dict[str, int]]]


class Retention:
    """`cleaners` come after the rows."""

    def __init__(
        self, db: Database, clock: Clock, settings: Settings, purges: Iterable[Purge], cleaners: Iterable[Cleaner] = ()
    ) -> None:
        self._db = db
        self._clock = clock
        self._settings = settings
        self._purges = purges
        self._cleaners = cleaners

    async def purge_forever(self) -> None:
        while True:
            await self.purge()
            await asyncio.sleep(EVERY_S)

    async def purge(self) -> dict[str, int]:
        """Forget what is past its time; returns how many of each."""
        gone: dict[str, int] = {}
        for one in self._purges:
            keep_ms = one.keep_ms(self._settings)
            if keep_ms is None:
                continue
            count = await one.forget(self._db, self._clock.now_ms() - keep_ms)
            if one.name:
                gone[one.name] = count
        for clean in self._cleaners:
            gone |= await clean()
        return gone
