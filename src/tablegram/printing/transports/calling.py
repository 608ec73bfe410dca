"""The drain of direct printers: one loop for each that has something to print, in one process at a time."""

from __future__ import annotations

from functools import partial

from tablegram.engine.crash_points import reach
from tablegram.engine.drains import Work
from tablegram.engine.leases import Leases, steady_s
from tablegram.engine.timers import Tasks
from tablegram.printagent.devices.state import Broken, Unreachable
from tablegram.printing.jobs import Jobs, Key
from tablegram.printing.paper.media import ESCPOS
from tablegram.printing.printers.model import Printer, Status, read_printer
from tablegram.printing.printers.watching import Watch
from tablegram.printing.store import printers as store
from tablegram.printing.transports import agents, direct
from tablegram.printing.transports.loops import PrinterLoops, may_begin
from tablegram.printing.transports.sheets import MakeBytes, draw
from tablegram.storage.database import Database
from tablegram.values.http.targets import TargetForbidden, Targets
from tablegram.values.http.wire import Overtaken

# A printer that cannot print is looked at this often; what waits may expire meanwhile.
LOOK_S = 5.0
# What is first in line may not go yet.
SOON_S = 1.0


class PrinterCaller(Work):
    """Prints what waits for one printer, one job a step."""

    def __init__(
        self,
        key: Key,
        db: Database,
        jobs: Jobs,
        watch: Watch,
        press: MakeBytes,
        targets: Targets,
        answer_s: float = direct.ANSWER_S,
    ) -> None:
        super().__init__()
        self._key = key
        self._db = db
        self._jobs = jobs
        self._watch = watch
        self._press = press
        self._targets = targets
        self._answer_s = answer_s

    async def step(self) -> float | None:
        row = await self._db.first(store.GET, {"b_account": self._key[0], "b_id": self._key[1]})
        if row is None or row["kind"] != "direct":
            return None
        printer = read_printer(row)
        if not self._jobs.has_work(printer):
            return None
        try:
            link = await direct.connect(
                self._targets, printer.profile.host, printer.profile.port, answer_s=self._answer_s
            )
        except Unreachable as error:
            await self._watch.seen(printer, Status(online=False, error=str(error)))
            return LOOK_S
        except TargetForbidden:
            # People are told at once: no waiting makes this address one that may be called.
            await self._watch.seen(printer, Status(online=False, error="address_forbidden"))
            job = await self._jobs.next(printer, "direct")
            if job is not None:
                await self._jobs.failed(printer, job.id, job.fence, "address_forbidden", retry=False)
            return SOON_S if self._jobs.has_work(printer) else None
        async with link:
            return await self._print(printer, link)

    async def _print(self, printer: Printer, link: direct.DirectLink) -> float | None:
        before = await link.state()
        await self._watch.seen(printer, agents.status_of(agents.AgentPrinterState(*before)))
        if before.error:
            return LOOK_S
        # From before the question: this process may stand still until it hears the answer.
        asked_s = steady_s()
        job = await self._jobs.next(printer, "direct")
        if job is None:
            return SOON_S if self._jobs.has_work(printer) else None
        content = await draw(self._press, self._jobs, printer, job, printer.profile, ESCPOS)
        if content is None:
            return SOON_S
        try:
            await link.print(content, before, partial(may_begin, self.lease, asked_s))
            reach("printing.written")
        except Overtaken:
            # The job may be another's by now; if it is not, it is given back, with no mark: nothing of it is on paper.
            await self._jobs.failed(printer, job.id, job.fence, "too_late", retry=True)
            return SOON_S
        except Broken as error:
            await self._watch.seen(printer, agents.status_of(agents.AgentPrinterState(True, str(error))))
            await self._jobs.failed(printer, job.id, job.fence, str(error), retry=True, doubt=True)
            return LOOK_S
        await self._jobs.printed(printer, job.id, job.fence)
        return 0.0


def direct_printing(
    db: Database, jobs: Jobs, watch: Watch, press: MakeBytes, targets: Targets, leases: Leases, tasks: Tasks
) -> PrinterLoops[PrinterCaller]:
    """The loops of all printers that are called."""

    def loop(key: Key) -> PrinterCaller:
        return PrinterCaller(key, db, jobs, watch, press, targets)

    return PrinterLoops("printers", store.DIRECT, loop, db, jobs, leases, tasks)
