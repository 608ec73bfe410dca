"""Conversations that rest until a time: each comes back by itself, in one process of the installation."""

from __future__ import annotations

import functools
from collections.abc import Callable

from tablegram.crm.rows import RestedRow
from tablegram.crm.store import conversations as store
from tablegram.engine import crash_points
from tablegram.engine.drains import Drain, Work, guarded
from tablegram.engine.leases import Leases
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

# Who comes back a few seconds late has not waited; another process may have let it rest.
LOOK_EVERY_S = 5.0
PIECE = 100

# Told which conversation of an account is back.
Told = Callable[[int, str], None]


class Resting(Work):
    def __init__(self, db: Database, clock: Clock, leases: Leases, told: Told) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._told = told
        self.drain = Drain("snoozed conversations", self, leases, retry_s=LOOK_EVERY_S)

    async def step(self) -> float:
        rows = await self._due()
        if rows:
            await self._wake(rows)
        return 0.0 if len(rows) == PIECE else LOOK_EVERY_S

    async def _due(self) -> list[RestedRow]:
        return await self._db.all(store.RESTED, {"now": self._clock.now_ms(), "most": PIECE})

    async def _wake(self, rows: list[RestedRow]) -> None:
        now = self._clock.now_ms()
        await self._db.write(guarded(self.lease, functools.partial(_wake, rows=rows, now=now)))
        crash_points.reach("snooze.committed")
        for row in rows:
            self._told(row["account_id"], row["contact_id"])


async def _wake(tx: Tx, rows: list[RestedRow], now: int) -> None:
    # In the order in which customers' messages take them.
    for row in sorted(rows, key=lambda row: (row["account_id"], row["contact_id"])):
        which = {"b_account": row["account_id"], "b_id": row["contact_id"]}
        await tx.first(store.LOCK, which)
        # Who let it rest longer in this very moment is not overruled.
        await tx.run(store.WAKE, {**which, "now": now})
    crash_points.reach("snooze.before_commit")
