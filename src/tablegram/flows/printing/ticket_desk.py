"""The printing log: tickets by venue and by order, printed again on demand, and how far each order's paper is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.flows.printing.answers import PaperState, TicketPage, TicketView
from tablegram.flows.printing.ticket_views import paper_state, show, ticket_view
from tablegram.printing.jobs import TROUBLE_MS, Jobs
from tablegram.printing.printers import keeping as printers
from tablegram.printing.printers.model import Printer
from tablegram.printing.rows import JobRow, WrittenJob
from tablegram.printing.store import jobs as job_store
from tablegram.printing.store import tickets as store
from tablegram.printing.tickets import keeping
from tablegram.printing.tickets.content import TicketKind, read_content
from tablegram.printing.tickets.keeping import Ticket, read_ticket
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.finding import understanding
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import first_id

SCOPE = "orders:manage"


class StationPaper(msgspec.Struct, frozen=True):
    """How far the paper of an order is at one station; the station is empty for the pass and for receipts."""

    station: str
    paper: PaperState


class PrinterTrouble(msgspec.Struct, frozen=True):
    """Tickets of one printer that are not on paper, and whose people were told."""

    printer_id: str
    printer_name: str
    order_ids: list[str]
    count: int
    # Since when the last of them is told of.
    since: int


class TicketDesk:
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, jobs: Jobs,
        told: Callable[[int, str], None],
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._jobs = jobs
        self._told = told

    async def page(
        self, caller: Caller, *, venue_id: str | None = None, order_id: str | None = None,
        kind: TicketKind | None = None, printer_id: str | None = None, limit: int = 50, cursor: str | None = None,
    ) -> TicketPage:  # fmt: skip
        """The log, newest first."""
        caller.require(SCOPE)
        after = None if cursor is None else decode_cursor(cursor)

        async def look(tx: Tx) -> TicketPage:
            order_key = None
            if order_id is not None:
                try:
                    order_key = (await orders.find(tx, caller.account_id, order_id)).id
                except NotFound:
                    return TicketPage(data=[], next_cursor=None)
            query = store.page(
                caller.account_id, venue_id=venue_id, order_key=order_key, kind=kind, printer_id=printer_id,
                after=after, most=limit + 1,
            )  # fmt: skip
            found = [read_ticket(row) for row in await tx.all(query, {})]
            shown = await _with_jobs(tx, caller.account_id, found[:limit])
            return TicketPage(
                data=shown, next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None
            )

        return await self._db.snapshot(look)

    async def get(self, caller: Caller, ticket_id: str) -> TicketView:
        caller.require(SCOPE)
        return await self._db.snapshot(lambda tx: ticket_view(tx, caller.account_id, ticket_id))

    async def reprint(
        self, caller: Caller, ticket_id: str, call: Call, printer_id: str | None = None
    ) -> Result[TicketView]:
        """Print a ticket once more: where it was printed, or on the printer that is named. Its paper says so."""
        caller.require(SCOPE)
        acting = self._audit.acting(caller)
        rung: list[str] = []

        async def work(tx: Tx) -> Result[TicketView]:
            rung.clear()
            ticket = await keeping.find(tx, caller.account_id, ticket_id)
            chosen = await self._printers(tx, ticket, printer_id)
            await keeping.reprint(tx, ticket, chosen, self._clock.now_ms())
            rung.extend(printer.id for printer in chosen)
            told = {"order_id": ticket.content.order_id, "station": ticket.station, "kind": ticket.kind}
            await acting.note(tx, "ticket.reprinted", "ticket", ticket.id, told)
            return Result(await ticket_view(tx, caller.account_id, ticket.id), 201)

        answer = await self._idempotency.once_for(TicketView, caller.account_id, call, work)
        self._jobs.ring(caller.account_id, rung)
        self._told(caller.account_id, answer.value.venue_id)
        return answer

    async def _printers(self, tx: Tx, ticket: Ticket, printer_id: str | None) -> list[Printer]:
        if printer_id is not None:
            known = {one.id for one in await printers.of_venue(tx, ticket.account_id, ticket.venue_id)}
            if printer_id not in known:
                raise Invalid.field("printer_id", "printer_unknown", "Name a printer of the ticket's venue.")
            return [await printers.lock(tx, ticket.account_id, printer_id)]
        rows = await keeping.jobs_of(tx, ticket.account_id, ticket.id)
        # Where another printer took over, that one has it now.
        wanted = dict.fromkeys(row["printer_id"] for row in rows if row["state"] != "dropped")
        there = await printers.of_venue(tx, ticket.account_id, ticket.venue_id)
        chosen = [one for one in there if one.id in wanted]
        if not chosen:
            chosen = [one for one in there if ticket.station and ticket.station in one.stations]
        if not chosen:
            raise Conflict("No printer takes this ticket. Name one with printer_id.", code="printer_missing")
        return [await printers.lock(tx, one.account_id, one.id) for one in chosen]

    async def by_order(self, caller: Caller, order_ids: Sequence[str]) -> dict[str, list[StationPaper]]:
        """How far the paper of each order is, station by station: for cards on a board. Orders without tickets are not there."""
        caller.require(SCOPE)
        if not order_ids:
            return {}

        async def look(tx: Tx) -> dict[str, list[StationPaper]]:
            keys = await understanding.keys_of(tx, caller.account_id, order_ids)
            found = [read_ticket(row) for row in await tx.all(store.of_orders(caller.account_id, keys), {})]
            ids = [ticket.id for ticket in found]
            jobs = await tx.all(job_store.of_tickets(caller.account_id, ids), {}) if ids else []
            return _by_order(found, jobs)

        return await self._db.snapshot(look)

    async def troubles(self, caller: Caller, venue_id: str) -> list[PrinterTrouble]:
        """What is not on paper right now, printer by printer; what was printed again meanwhile is no trouble."""
        caller.require(SCOPE)
        which = {"b_account": caller.account_id, "b_venue": venue_id}
        since = first_id(self._clock.now_ms() - TROUBLE_MS)

        async def look(tx: Tx) -> list[PrinterTrouble]:
            rows = await tx.all(job_store.TOLD_SINCE, {**which, "since": since})
            return _troubles(rows, await printers.names(tx, caller.account_id)) if rows else []

        return await self._db.snapshot(look)


def _troubles(rows: Sequence[WrittenJob], names: dict[str, str]) -> list[PrinterTrouble]:
    settled = {row["ticket_id"] for row in rows if row["reprint"] > 0 and row["state"] == "printed"}
    found: dict[str, list[WrittenJob]] = defaultdict(list)
    for row in rows:
        is_missing = row["alerted_at"] is not None and row["state"] in ("queued", "claimed", "failed", "expired")
        if is_missing and row["ticket_id"] not in settled:
            found[row["printer_id"]].append(row)
    return [
        PrinterTrouble(
            printer_id,
            names.get(printer_id, ""),
            [one for one in dict.fromkeys(read_content(row["content"]).order_id for row in missing) if one],
            len(missing),
            max(row["alerted_at"] or 0 for row in missing),
        )
        for printer_id, missing in found.items()
    ]


async def _with_jobs(tx: Tx, account_id: int, found: Sequence[Ticket]) -> list[TicketView]:
    if not found:
        return []
    jobs = await tx.all(job_store.of_tickets(account_id, [one.id for one in found]), {})
    return show(found, jobs, await printers.names(tx, account_id))


_WORST: tuple[PaperState, ...] = ("failed", "waiting", "printing", "printed", "none")


def _by_order(tickets: Sequence[Ticket], jobs: Sequence[JobRow]) -> dict[str, list[StationPaper]]:
    of_ticket: dict[str, list[JobRow]] = defaultdict(list)
    for row in jobs:
        of_ticket[row["ticket_id"]].append(row)
    states: dict[str, dict[str, list[PaperState]]] = defaultdict(lambda: defaultdict(list))
    for ticket in tickets:
        states[ticket.content.order_id][ticket.station].append(paper_state(of_ticket[ticket.id]))
    return {
        order_id: [StationPaper(station, min(known, key=_WORST.index)) for station, known in stations.items()]
        for order_id, stations in states.items()
    }
