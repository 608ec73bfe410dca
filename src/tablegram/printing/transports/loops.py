"""Loops of the printers that this process prints on itself: which there are, and what wakes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from tablegram.engine.drains import KeyedDrain, Work
from tablegram.engine.leases import Lease, Leases, steady_s
from tablegram.engine.timers import Tasks
from tablegram.printing.jobs import Jobs, Key
from tablegram.printing.rows import PrinterKey
from tablegram.storage.database import Database
from tablegram.storage.query import Query

W = TypeVar("W", bound=Work)
# A job whose first byte has not gone out so long after it was asked for does not go out any more. Its claim lasts longer.
BEGIN_WITHIN_S = 20.0


def may_begin(lease: Lease, asked_s: float) -> bool:
    """To be asked right before a job's first byte: whether the job is still ours, whatever happened to this process.

    `asked_s` is the steady time before the job was claimed. The printer may have gone to another process while this one
    stood still; and where it has not, the claim may have run out, so that another printer has the job, or nobody.
    """
    return lease.is_sure() and steady_s() - asked_s <= BEGIN_WITHIN_S


class PrinterLoops(Generic[W]):
    """Knows the printers that `which` finds, and wakes the loop of one as soon as something waits for it."""

    def __init__(
        self,
        name: str,
        which: Query[PrinterKey],
        open: Callable[[Key], W],
        db: Database,
        jobs: Jobs,
        leases: Leases,
        tasks: Tasks,
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
