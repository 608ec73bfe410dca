"""What time does to print jobs: people are told, another printer takes over, and what is too old ends.

All of it is decided by rows, in one process of the installation.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

import msgspec

from tablegram.engine.drains import Depth, Drain, Work
from tablegram.engine.leases import Leases
from tablegram.flows.printing.announcing import PrintAnnouncer
from tablegram.flows.printing.words import WORDS
from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.printing.jobs import ALERT_MS, PHONE_PAUSE_MS, Jobs
from tablegram.printing.printers.model import SILENT_MS, read_printer, read_status
from tablegram.printing.printers.watching import Watch
from tablegram.printing.rows import OverdueJob
from tablegram.printing.store import jobs as store
from tablegram.printing.store import printers as printer_store
from tablegram.printing.tickets.content import read_content
from tablegram.printing.tickets.keeping import USUAL_EXPIRY_MS, new_job
from tablegram.restaurant import venues
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import SECOND_MS, Clock
from tablegram.values.ids import first_id

LOOK_EVERY_S = 5.0
_MOST_NAMED = 5

Trouble = Literal["not_printed", "failed", "expired"]


class PrintClock(Work):
    def __init__(
        self, db: Database, clock: Clock, jobs: Jobs, watch: Watch, announcer: PrintAnnouncer, telling: Telling,
        leases: Leases, panel_url: str,
    ) -> None:  # fmt: skip
        super().__init__(jobs.trouble)
        self._db = db
        self._clock = clock
        self._jobs = jobs
        self._watch = watch
        self._announcer = announcer
        self._telling = telling
        self._panel_url = panel_url
        depth = Depth(db, clock, store.DEPTH)
        self.drain = Drain("print clock", self, leases, retry_s=LOOK_EVERY_S, depth=depth)

    async def step(self) -> float:
        await self.look()
        return LOOK_EVERY_S

    async def look(self) -> None:
        """Everything that is due now."""
        if not await self.drain.hold():
            return
        now = self._clock.now_ms()
        await self._notice_silence(now)
        troubles: dict[tuple[int, str, Trouble], list[OverdueJob]] = defaultdict(list)
        for row in await self._db.all(store.OVERDUE, {"now": now, "alert_before": now - ALERT_MS}):
            trouble = await self._see_to(row, now)
            if trouble is not None:
                troubles[row["account_id"], row["printer_id"], trouble].append(row)
        for (_, _, trouble), rows in troubles.items():
            await self._phone(trouble, rows, now)

    async def _see_to(self, row: OverdueJob, now: int) -> Trouble | None:
        """One job. Tells what people are to hear of it, if anything."""
        if row["state"] == "failed":
            return "failed" if await self._alert(row, row["error"] or "failed", now, will_retry=False) else None
        if row["is_held"]:
            # It is in the printer's hands right now.
            return None
        if row["expires_at"] <= now:
            return "expired" if await self._expire(row, now) else None
        after_ms = row["fallback_after_s"] * SECOND_MS
        if row["fallback_id"] is not None and row["created_at"] + after_ms <= now:
            await self._pass_on(row, now)
        if row["alerted_at"] is None and row["created_at"] + ALERT_MS <= now:
            return "not_printed" if await self._alert(row, "not_printed", now, will_retry=True) else None
        return None

    async def _alert(self, row: OverdueJob, code: str, now: int, *, will_retry: bool) -> bool:
        """Once for each job, whatever becomes of it."""
        await self._announcer.prepare(row["account_id"])

        async def work(tx: Tx) -> bool:
            await self.lease.guard(tx)
            if await tx.run(store.ALERTED, {**_one(row), "now": now}) == 0:
                return False
            content = read_content(row["content"])
            await self._announcer.ticket_failed(tx, row, content, code, now, will_retry=will_retry)
            return True

        return await self._told(row, await self._db.write(work))

    async def _expire(self, row: OverdueJob, now: int) -> bool:
        await self._announcer.prepare(row["account_id"])

        async def work(tx: Tx) -> bool:
            await self.lease.guard(tx)
            if await tx.run(store.EXPIRE, {**_one(row), "now": now}) == 0:
                return False
            await tx.run(store.ALERTED, {**_one(row), "now": now})
            content = read_content(row["content"])
            await self._announcer.ticket_failed(tx, row, content, "expired", now, will_retry=False)
            return True

        return await self._told(row, await self._db.write(work))

    async def _pass_on(self, row: OverdueJob, now: int) -> None:
        """The other printer gets the job, unless it has that very ticket anyway; its paper says for whom it came."""

        async def work(tx: Tx) -> str | None:
            await self.lease.guard(tx)
            which = {"b_account": row["account_id"], "b_id": row["fallback_id"]}
            other = await tx.first(printer_store.GET, which)
            if other is None:
                return None
            job = new_job(
                read_printer(other), row["ticket_id"], row["kind"], now, copy=row["copy"], reprint=row["reprint"],
                doubt=bool(row["doubt"]) or row["attempt"] > 0, instead_of=row["printer_name"],
                expires_at=row["expires_at"],
            )  # fmt: skip
            known = await tx.all(store.OF_TICKET, {"b_account": row["account_id"], "b_ticket": row["ticket_id"]})
            same = [(one["printer_id"], one["copy"], one["reprint"]) for one in known]
            if (job["printer_id"], job["copy"], job["reprint"]) in same:
                return None
            if await tx.run(store.PASS_ON, {**_one(row), "now": now}) == 0:
                return None
            await tx.run(store.INSERT, job)
            return str(job["printer_id"])

        taken_by = await self._db.write(work)
        if taken_by is not None:
            self._jobs.ring(row["account_id"], [taken_by])
            self._announcer.moved(row["account_id"], row["venue_id"])

    async def _told(self, row: OverdueJob, done: bool) -> bool:
        if done:
            self._announcer.told(row["account_id"], row["venue_id"])
        return done

    async def _phone(self, trouble: Trouble, rows: list[OverdueJob], now: int) -> None:
        """One message for all tickets of a printer, to the phone that the venue has named for it."""
        first = rows[0]

        async def work(tx: Tx) -> bool:
            await self.lease.guard(tx)
            venue = await venues.find_ever(tx, first["account_id"], first["venue_id"])
            phone = venue.details.alert_phone
            if not phone or await self._was_told(tx, first, rows, now):
                return False
            named = list(dict.fromkeys(read_content(row["content"]).order_id for row in rows))
            named = [one for one in named if one]
            text = WORDS.say(
                venue.languages[0],
                trouble,
                printer=first["printer_name"],
                n=len(rows),
                orders=", ".join([*named[:_MOST_NAMED], *(["…"] if len(named) > _MOST_NAMED else [])]) or "–",
                url=f"{self._panel_url}/printers",
            )
            await self._telling.say(tx, venue, phone, text, now)
            return True

        if await self._db.write(work):
            venue = await self._db.snapshot(lambda tx: venues.find_ever(tx, first["account_id"], first["venue_id"]))
            self._telling.sent(venue)

    async def _was_told(self, tx: Tx, first: OverdueJob, rows: list[OverdueJob], now: int) -> bool:
        """Whether the phone heard of this printer a moment ago."""
        since = now - PHONE_PAUSE_MS
        which = {
            "b_account": first["account_id"],
            "b_printer": first["printer_id"],
            "since": since,
            # Nobody is told of what is older than a ticket gets.
            "since_id": first_id(since - USUAL_EXPIRY_MS),
        }
        told = {row["id"] for row in await tx.all(store.ALERTS_SINCE, which)}
        return bool(told - {row["id"] for row in rows})

    async def _notice_silence(self, now: int) -> None:
        """A printer that was heard and says nothing any more is not there."""
        for row in await self._db.all(printer_store.SILENT, {"before": now - SILENT_MS, "now": now}):
            status = msgspec.structs.replace(read_status(row["status"]), online=False)
            await self._watch.note(read_printer(row), status, now)


def _one(row: OverdueJob) -> dict[str, object]:
    return {"b_account": row["account_id"], "b_id": row["id"]}
