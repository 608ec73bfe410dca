"""Printing by a browser: an open page takes a ticket, the system's dialog prints it, and a person says whether it came out.

The page has it in hand like any printer. A person takes longer than a machine: what they say counts as long as no other page has
taken the ticket since, and until then it comes out with its mark.
"""

from __future__ import annotations

from typing import NamedTuple

from tablegram.errors import Conflict, NotFound, no_such
from tablegram.printing.jobs import Job, Jobs, read_token
from tablegram.printing.printers.model import Printer, read_printer
from tablegram.printing.printers.watching import Watch
from tablegram.printing.store import jobs as job_store
from tablegram.printing.store import printers as store
from tablegram.printing.transports.sheets import Sheets
from tablegram.storage.database import Database


class Desk(NamedTuple):
    """What a page shows: the ticket that it has in hand, drawn; whether another page has one; and how many wait."""

    printer: Printer
    job: Job | None
    paper: str
    is_elsewhere: bool
    waiting: int


class BrowserPrinting:
    def __init__(self, db: Database, jobs: Jobs, watch: Watch, sheets: Sheets) -> None:
        self._db = db
        self._jobs = jobs
        self._watch = watch
        self._sheets = sheets

    async def printers(self, account_id: int) -> list[Printer]:
        found = [read_printer(row) for row in await self._db.all(store.ALL, {"b_account": account_id})]
        return [one for one in found if one.kind == "browser"]

    async def look(self, account_id: int, printer_id: str, page: str) -> Desk:
        """How things are; nothing is taken."""
        printer = await self._printer(account_id, printer_id)
        await self._watch.seen(printer)
        job = await self._jobs.again(printer)
        queues = await self._db.all(job_store.QUEUES, {"b_account": account_id})
        waiting = next((row["n"] for row in queues if row["printer_id"] == printer_id), 0)
        if job is None or job.claimed_by != page:
            return Desk(printer, None, "", job is not None, waiting)
        return Desk(printer, job, await self._sheets.paper_of(printer, job), False, waiting - 1)

    async def take(self, account_id: int, printer_id: str, page: str) -> Job | None:
        """The next ticket comes into the page's hands; nothing while one is in somebody's."""
        return await self._jobs.next(await self._printer(account_id, printer_id), page)

    async def end(self, account_id: int, printer_id: str, token: str, *, printed: bool) -> None:
        """What the person says. Who saw no paper gets the ticket again, with no mark on it."""
        printer = await self._printer(account_id, printer_id)
        claim = read_token(token)
        if claim is None:
            counted = False
        elif printed:
            counted = await self._jobs.printed(printer, *claim)
        else:
            counted = await self._jobs.failed(printer, *claim, "not_printed", retry=True)
        if not counted:
            raise Conflict("This ticket is over, or another screen has it.", code="ticket_elsewhere")

    async def _printer(self, account_id: int, printer_id: str) -> Printer:
        row = await self._db.first(store.GET, {"b_account": account_id, "b_id": printer_id})
        if row is None or row["kind"] != "browser":
            raise NotFound(no_such("printer of a browser"), code="printer_unknown")
        return read_printer(row)
