"""Codes that another process shows: open pages hear of each new one, as they do of those of their own process.

A code is no event. So whoever has pages open looks at the rows, and nobody else does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tablegram.messaging.store import links as store
from tablegram.storage.database import Database

LOOK_S = 1.0

Shown = dict[tuple[int, int], tuple[int, int, int]]


class CodeWatch:
    """`is_watched`: whether anybody here has a page open. `told`: something about a line is new."""

    def __init__(self, db: Database, is_watched: Callable[[], bool], told: Callable[[int, int], None]) -> None:
        self._db = db
        self._is_watched = is_watched
        self._told = told
        self._seen: Shown | None = None

    async def look_forever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await self.look()

    async def look(self) -> None:
        if not self._is_watched():
            # Whoever opens a page sees what is there.
            self._seen = None
            return
        before, self._seen = self._seen, await self._shown()
        if before is None:
            return
        for line in before.keys() | self._seen.keys():
            if before.get(line) != self._seen.get(line):
                self._told(*line)

    async def _shown(self) -> Shown:
        rows = await self._db.all(store.SHOWN)
        return {
            (row["account_id"], row["instance_id"]): (row["epoch"], row["code_until"], row["typed_until"])
            for row in rows
        }
