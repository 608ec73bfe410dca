"""The drain of printers that are no machines: what they are sent is handed to the sandbox, which shows it."""

from __future__ import annotations

from collections.abc import Callable

from tablegram.engine.drains import Work
from tablegram.engine.leases import Leases, steady_s
from tablegram.engine.timers import Tasks
from tablegram.errors import Problem
from tablegram.printing.jobs import Jobs, Key
from tablegram.printing.paper.media import ESCPOS
from tablegram.printing.printers.model import Printer, Status, read_printer
from tablegram.printing.printers.watching import Watch
from tablegram.printing.store import printers as store
from tablegram.printing.transports.loops import PrinterLoops, may_begin
from tablegram.printing.transports.sheets import MakeBytes
from tablegram.storage.database import Database

# What is first in line may not go yet.
SOON_S = 1.0
_WELL = Status(paper="ok", cover="closed", device="sandbox")

# Takes the bytes as a printer would; what it took is printed.
Tray = Callable[[Printer, bytes], None]


class Pretender(Work):
    """Prints what waits for one printer, one job a step."""

    def __init__(self, key: Key, db: Database, jobs: Jobs, watch: Watch, press: MakeBytes, tray: Tray) -> None:
        super().__init__()
        self._key = key
        self._db = db
        self._jobs = jobs
        self._watch = watch
        self._press = press
        self._tray = tray

    async def step(self) -> float | None:
        row = await self._db.first(store.GET, {"b_account": self._key[0], "b_id": self._key[1]})
        if row is None or row["kind"] != "sandbox":
            return None
        printer = read_printer(row)
        await self._watch.seen(printer, _WELL)
        asked_s = steady_s()
        job = await self._jobs.next(printer, "sandbox")
        if job is None:
            return SOON_S if self._jobs.waits(self._key) else None
        try:
            raw = await self._press(printer, job, printer.profile, ESCPOS)
        except Problem as problem:
            await self._jobs.failed(printer, job.id, job.fence, problem.code, retry=True)
            return SOON_S
        if not may_begin(self.lease, asked_s):
            # This process stood still, and the job may be another's by now.
            await self._jobs.failed(printer, job.id, job.fence, "too_late", retry=True)
            return SOON_S
        self._tray(printer, raw)
        await self._jobs.printed(printer, job.id, job.fence)
        return 0.0


def pretend_printing(
    db: Database, jobs: Jobs, watch: Watch, press: MakeBytes, tray: Tray, leases: Leases, tasks: Tasks
) -> PrinterLoops[Pretender]:
    """The loops of all printers that are no machines."""

    def loop(key: Key) -> Pretender:
        return Pretender(key, db, jobs, watch, press, tray)

    return PrinterLoops("sandbox printers", store.SANDBOX, loop, db, jobs, leases, tasks)
