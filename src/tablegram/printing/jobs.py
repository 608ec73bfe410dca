"""The queue of print jobs, as whoever brings paper out of a printer sees it.

A printer has one job in its hands, the first in line. It is claimed for a time (a lease by the database's clock): whoever
has not answered by then may have printed it, so the job goes back into the line with a mark that its next paper shows.
Each claim has a larger *fence*; what is told about an earlier claim counts only while nobody has claimed the job since.
States go forward only: queued and claimed by turns, then printed, failed, expired or dropped for good.

Nothing is written, and mostly nothing is read, for a printer that asks and for which nothing waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import get_args

import msgspec

from tablegram.engine.crash_points import reach
from tablegram.engine.timers import Bell, Bells
from tablegram.printing.printers.model import Printer
from tablegram.printing.printers.profile import Kind
from tablegram.printing.rows import HeldJob
from tablegram.printing.store import jobs as store
from tablegram.printing.store import printers as printer_store
from tablegram.printing.tickets.content import Marks, TicketContent, read_content
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import CLOCKS_MS, MINUTE_MS, SECOND_MS, Clock
from tablegram.values.watching.measures import WAIT_S, Seconds

LEASE_MS = 60 * SECOND_MS
# Work that another process made is found by this time.
SCAN_S = 2.0
# What is known of the queues is believed for so long without a new look.
STALE_S = 10.0
# Seconds until a job that failed, and may succeed, is offered again; the last one from then on.
RETRY_S = (5, 10, 20, 30)
# A ticket that is not on paper by then is somebody's business.
ALERT_MS = 60 * SECOND_MS
# A printer that is out of order for an hour is told of to a phone now and then, not for every ticket.
PHONE_PAUSE_MS = 10 * MINUTE_MS
# A kitchen's ticket is too old by then.
TROUBLE_MS = 40 * MINUTE_MS
CONFIRMED = Seconds(
    "print_confirm_seconds",
    "Seconds from when a ticket was to be printed until its printer said that it is on paper.",
    WAIT_S,
    kind=get_args(Kind),
)

Key = tuple[int, str]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What a printer is to bring out. `fence` goes with everything that is told about it."""

    account_id: int
    id: str
    venue_id: str
    ticket_id: str
    printer_id: str
    content: TicketContent
    marks: Marks
    attempt: int
    fence: int
    # Who has it in hand, as they name themselves.
    claimed_by: str
    expires_at: int

    @property
    def token(self) -> str:
        """The job and its claim in at most 30 characters, for protocols that carry one word."""
        return f"{self.id}.{self.fence}"


def read_token(token: str) -> tuple[str, int] | None:
    """The job's id and its fence; nothing for what is no token of ours."""
    job_id, _, fence = token.partition(".")
    if not job_id or len(token) > 40 or not fence.isascii() or not fence.isdigit():
        return None
    return job_id, int(fence)


class Jobs:
    """One for each process; all of them work on the same rows."""

    def __init__(self, db: Database, clock: Clock, *, lease_ms: int = LEASE_MS) -> None:
        self._db = db
        self._clock = clock
        self._lease_ms = lease_ms
        # Printers for which something waits, as last seen or told.
        self._waiting: set[Key] = set()
        self._told: set[Key] = set()
        self._looked_at = -STALE_S
        self._bells: Bells[Key] = Bells()
        self._rings = 0
        # Who hears that something may wait for a printer: account and printer.
        self.rung: list[Callable[[int, str], None]] = []
        # Tells other processes the same: who waits for tickets of the printer may wait there.
        self.tell: Callable[[int, str], None] = lambda account_id, printer_id: None
        # Who hears that jobs of a venue have moved on: account and venue.
        self.listeners: list[Callable[[int, str], None]] = []
        # What printers told this process: on paper, to be tried again, and failed for good.
        self.counts = {"printed": 0, "retried": 0, "failed": 0}
        # Rung when a job has failed for good.
        self.trouble = Bell()

    # Asking.

    def has_work(self, printer: Printer) -> bool:
        """Whether it is worth asking for the next job. Costs nothing."""
        key = printer.account_id, printer.id
        return key in self._waiting or time.monotonic() - self._looked_at > STALE_S

    async def next(self, printer: Printer, claimed_by: str = "") -> Job | None:
        """Claim the first in line. Nothing while one is in the printer's hands: that is `again`."""
        if not self.has_work(printer):
            return None
        now, rings = self._clock.now_ms(), self._rings
        row = await self._db.first(store.HEAD, {**_its(printer), "now": now})
        if row is None:
            # Whoever has rung meanwhile may mean something that was not there yet.
            if rings == self._rings:
                self._waiting.discard((printer.account_id, printer.id))
            return None
        if not _may_go(row, now):
            return None
        job = await self._db.write(lambda tx: self._claim(tx, printer, claimed_by, now))
        if job is not None:
            reach("printing.claimed")
            self._moved(job.account_id, job.venue_id)
        return job

    async def _claim(self, tx: Tx, printer: Printer, claimed_by: str, now: int) -> Job | None:
        if await tx.first(printer_store.LOCK, {"b_account": printer.account_id, "b_id": printer.id}) is None:
            return None
        await tx.run(store.TAKE_BACK, _its(printer))
        row = await tx.first(store.HEAD, {**_its(printer), "now": now})
        if row is None or not _may_go(row, now):
            return None
        values = {"b_account": printer.account_id, "b_id": row["id"], "now": now, "new_by": claimed_by}
        claimed = await tx.first(store.CLAIM, {**values, "length_ms": self._lease_ms})
        return (
            None
            if claimed is None
            else _job(
                printer, {**row, "fence": claimed["fence"], "attempt": row["attempt"] + 1, "claimed_by": claimed_by}
            )
        )

    async def again(self, printer: Printer, token: str = "") -> Job | None:
        """The job in the printer's hands, once more and without any effect; with a token only if it is that very claim."""
        row = await self._db.first(store.IN_HAND, _its(printer))
        if row is None:
            return None
        job = _job(printer, row)
        return job if token in ("", job.token) else None

    def waits(self, key: Key) -> bool:
        """Whether something waits for a printer, as far as this process knows."""
        return key in self._waiting

    @contextmanager
    def listening(self, printer: Printer, bell: Bell) -> Iterator[None]:
        """The bell is rung when something may wait for the printer."""
        key = printer.account_id, printer.id
        self._bells.attend(key, bell)
        try:
            yield
        finally:
            self._bells.leave(key, bell)

    # Telling.

    async def printed(self, printer: Printer, job_id: str, fence: int) -> bool:
        """It is on paper. False where that claim does not count any more, or the job is over."""
        values = {**_its(printer), "b_id": job_id, "b_fence": fence, "now": self._clock.now_ms()}
        reach("printing.before_printed")
        done = await self._db.write(lambda tx: tx.first(store.PRINTED, values))
        reach("printing.printed")
        if done is not None:
            self.counts["printed"] += 1
            CONFIRMED.took((self._clock.now_ms() - done["created_at"]) / 1_000, printer.kind)
            self._moved(printer.account_id, printer.venue_id)
            self.ring(printer.account_id, [printer.id])
        return done is not None

    async def failed(
        self, printer: Printer, job_id: str, fence: int, code: str, *, retry: bool, doubt: bool = False
    ) -> bool:
        """It is not on paper, for a reason that has a stable code. `doubt`: some of it may be.

        With `retry` it stays the first in line and is offered again after a while, until it expires.
        """
        now = self._clock.now_ms()

        async def work(tx: Tx) -> bool:
            row = await tx.first(store.GET, {**_its(printer), "b_id": job_id})
            if row is None:
                return False
            pause_s = RETRY_S[min(max(row["attempt"], 1), len(RETRY_S)) - 1]
            values = {
                **_its(printer),
                "b_id": job_id,
                "b_fence": fence,
                "new_state": "queued" if retry else "failed",
                "new_error": code[:80],
                "new_doubt": int(doubt),
                "new_due": now + pause_s * SECOND_MS,
                "new_ended": None if retry else now,
            }
            return bool(await tx.run(store.FAILED, values))

        done = await self._db.write(work)
        if done:
            self.counts["retried" if retry else "failed"] += 1
            self._moved(printer.account_id, printer.venue_id)
            self.ring(printer.account_id, [printer.id])
            if not retry:
                self.trouble.ring()
        return done

    # Knowing what waits.

    def ring(self, account_id: int, printer_ids: Iterable[str]) -> None:
        """Something may wait for these printers: call it after the commit that made it."""
        for printer_id in printer_ids:
            self.heard(account_id, printer_id)
            self.tell(account_id, printer_id)

    def heard(self, account_id: int, printer_id: str) -> None:
        """The same, as another process told it or a look at the store found it: all others know."""
        key = account_id, printer_id
        self._waiting.add(key)
        self._told.add(key)
        self._rings += 1
        self._bells.ring(key)
        for hear in self.rung:
            hear(*key)

    async def scan(self) -> None:
        """Learn what waits, whoever made it."""
        self._told.clear()
        found = {(row["account_id"], row["printer_id"]) for row in await self._db.all(store.WAITING)}
        fresh = found - self._waiting
        # What was told while the store was asked may not have been in its answer.
        self._waiting = found | self._told
        self._looked_at = time.monotonic()
        for key in fresh:
            self.heard(*key)

    async def scan_forever(self) -> None:
        while True:
            await self.scan()
            await asyncio.sleep(SCAN_S)

    async def figures(self) -> dict[str, float]:
        """What /metrics shows."""
        return {f"print_jobs_{name}_total": count for name, count in self.counts.items()}

    def _moved(self, account_id: int, venue_id: str) -> None:
        for listener in self.listeners:
            listener(account_id, venue_id)


def _its(printer: Printer) -> dict[str, object]:
    return {"b_account": printer.account_id, "b_printer": printer.id}


def _may_go(row: HeldJob, now: int) -> bool:
    """The first in line is in nobody's hands, and not waiting for its next try."""
    if row["state"] == "claimed":
        return not row["is_held"]
    # No pause is so long: what is due later was put there before the clock was set back.
    return not now < row["due_at"] <= now + RETRY_S[-1] * SECOND_MS + CLOCKS_MS


def _job(printer: Printer, row: HeldJob) -> Job:
    return Job(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        ticket_id=row["ticket_id"],
        printer_id=row["printer_id"],
        content=read_content(row["content"]),
        marks=Marks(
            reprint=row["reprint"],
            doubt=bool(row["doubt"]),
            copy=row["copy"],
            copies=max(printer.copies, row["copy"]),
            instead_of=row["instead_of"] or "",
        ),
        attempt=row["attempt"],
        fence=row["fence"],
        claimed_by=row["claimed_by"],
        expires_at=row["expires_at"],
    )
