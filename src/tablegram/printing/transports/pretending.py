"""The drain of printers that are no machines: what they are sent is handed to the sandbox, which shows it."""

from __future__ import annotations

from collections.abc import Callable

from tablegram.engine.drains import KeyedDrain, Work
from tablegram.engine.leases import Leases
from tablegram.engine.timers import Tasks
from tablegram.errors import Problem
from tablegram.printing.jobs import Jobs
from tablegram.printing.paper.media import ESCPOS
from tablegram.printing.printers.model import Printer, Status, read_printer
from tablegram.printing.printers.watching import Watch
from tablegram.printing.store import printers as store
from tablegram.printing.transports.sheets import MakeBytes
from tablegram.storage.database import Database

# What is first in line may not go yet.
SOON_S = 1.0
_WELL = Status(paper="ok", cover="closed", device="sandbox")

Key = tuple[int, str]
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
        job = await self._jobs.next(printer, "sandbox")
        if job is None:
            return SOON_S if self._jobs.waits(self._key) else None
        try:
            raw = await self._press(printer, job, printer.profile, ESCPOS)
        except Problem as problem:
            await self._jobs.failed(printer, job.id, job.fence, problem.code, retry=True)
            return SOON_S
        self._tray(printer, raw)
        await self._jobs.printed(printer, job.id, job.fence)
        return 0.0


class PretendPrinting:
    """Wakes the loop of a printer as soon as something waits for it."""

    def __init__(
        self, db: Database, jobs: Jobs, watch: Watch, press: MakeBytes, tray: Tray, leases: Leases, tasks: Tasks
    ) -> None:
        self._db = db
        self._jobs = jobs
        self._known: set[Key] = set()
        self.drain: KeyedDrain[Key, Pretender] = KeyedDrain(
            "sandbox printers",
            leases,
            tasks,
            open=lambda key: Pretender(key, db, jobs, watch, press, tray),
            lease=lambda key: f"printer:{key[0]}:{key[1]}",
            find=self._find,
        )
        jobs.rung.append(self._hear)

    def _hear(self, account_id: int, printer_id: str) -> None:
        if (account_id, printer_id) in self._known:
            self.drain.wake((account_id, printer_id))

    async def _find(self) -> list[Key]:
        self._known = {(row["account_id"], row["id"]) for row in await self._db.all(store.SANDBOX)}
        return [key for key in self._known if self._jobs.waits(key)]
