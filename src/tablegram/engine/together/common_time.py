"""The time of the database is everybody's: what one process stores, another sends, and neither knows how right the other's clock is.

Which message came first is told by when it was stored. Two servers whose clocks are minutes apart would turn messages to one
recipient round, and let one wait for as long as their clocks differ.
"""

from __future__ import annotations

import asyncio

from sqlalchemy import select

from tablegram.engine.leases import steady_s
from tablegram.engine.rows import MomentRow
from tablegram.storage.database import Database, Query
from tablegram.storage.moment import DatabaseNow
from tablegram.values import ids
from tablegram.values.clock import SharedClock

ASK_EVERY_S = 2.0
# At the start: the quickest of some answers tells best.
FIRST_ASKED = 3
_NOW = Query(select(DatabaseNow().label("now")), row=MomentRow)


class CommonTime:
    def __init__(self, db: Database, clock: SharedClock) -> None:
        self._db = db
        self._clock = clock

    async def begin(self) -> None:
        """Before anything is stored or looked for."""
        told = [await self._ask() for _ in range(FIRST_ASKED)]
        self._clock.hear(*min(told, key=lambda one: one[2]))
        # Which of two messages goes first is told by their ids.
        ids.follow(self._clock.now_ms)

    async def follow_forever(self) -> None:
        while True:
            await asyncio.sleep(ASK_EVERY_S)
            self._clock.hear(*await self._ask())

    async def _ask(self) -> tuple[int, int, int]:
        """What time it was, when by the steady clock, and how unsure that is: the answer may have been told at any moment."""
        asked_s = steady_s()
        row = await self._db.first(_NOW)
        assert row is not None
        took_s = steady_s() - asked_s
        return row["now"], int((asked_s + took_s / 2) * 1_000), int(took_s / 2 * 1_000)
