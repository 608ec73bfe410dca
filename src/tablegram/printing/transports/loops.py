"""Loops of the printers that this process prints on itself: which there are, and what wakes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from tablegram.engine.drains import KeyedDrain, Work
from tablegram.engine.leases import Leases
from tablegram.engine.timers import Tasks
from tablegram.printing.jobs import Jobs, Key
from tablegram.storage.database import Database
from tablegram.storage.query import Query

W = TypeVar("W", bound=Work)


class PrinterLoops(Generic[W]):
    """Knows the printers that `which` finds, and wakes the loop of one as soon as something waits for it."""

    def __init__(
        self, name: str, which: Query, open: Callable[[Key], W], db: Database, jobs: Jobs, leases: Leases, tasks: Tasks
    ) -> None:
        self._which = which
        self._db = db
        self._jobs = jobs
        self._known: set[Key] = set()
        self.drain: KeyedDrain[Key, W] = KeyedDrain(
            name, leases, tasks, open=open, lease=lambda key: f"printer:{key[0]}:{key[1]}", find=self._find
        )
        jobs.rung.append(self._hear)

    def _hear(self, account_id: int, printer_id: str) -> None:
        if (account_id, printer_id) in self._known:
            self.drain.wake((account_id, printer_id))

    async def _find(self) -> list[Key]:
        self._known = {(row["account_id"], row["id"]) for row in await self._db.all(self._which)}
        return [key for key in self._known if self._jobs.waits(key)]
