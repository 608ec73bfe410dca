"""Tickets as they are shown: what stands on them, and what became of each of their jobs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tablegram.flows.printing.answers import JobView, PaperState, TicketLineView, TicketView
from tablegram.printing.printers import keeping as printers
from tablegram.printing.rows import JobRow
from tablegram.printing.tickets import keeping
from tablegram.printing.tickets.keeping import Ticket
from tablegram.storage.database import Tx
from tablegram.values.clock import iso


async def ticket_view(tx: Tx, account_id: int, ticket_id: str) -> TicketView:
    ticket = await keeping.find(tx, account_id, ticket_id)
    jobs = await keeping.jobs_of(tx, account_id, ticket_id)
    return show([ticket], jobs, await printers.names(tx, account_id))[0]


def show(tickets: Iterable[Ticket], jobs: Iterable[JobRow], names: dict[str, str]) -> list[TicketView]:
    of_ticket: dict[str, list[JobRow]] = defaultdict(list)
    for row in jobs:
        of_ticket[row["ticket_id"]].append(row)
    return [_show(one, of_ticket[one.id], names) for one in tickets]


def _show(ticket: Ticket, jobs: Sequence[JobRow], names: dict[str, str]) -> TicketView:
    content = ticket.content
    return TicketView(
        id=ticket.id,
        venue_id=ticket.venue_id,
        order_id=content.order_id,
        kind=ticket.kind,
        station=ticket.station,
        table_number=content.table,
        part=content.part,
        parts=content.parts,
        lines=[
            TicketLineView(
                quantity=line.quantity,
                name=line.name,
                options=list(line.options),
                notes=line.notes,
                change=line.change,
            )
            for line in content.lines
        ],
        paper=paper_state(jobs),
        jobs=[_job(row, names) for row in jobs],
        created_at=iso(ticket.created_at),
    )


def _job(row: JobRow, names: dict[str, str]) -> JobView:
    return JobView(
        id=row["id"],
        printer_id=row["printer_id"],
        printer_name=names.get(row["printer_id"], ""),
        copy=row["copy"],
        reprint=row["reprint"],
        state=row["state"],
        attempts=row["attempt"],
        error=row["error"],
        doubt=bool(row["doubt"]),
        instead_of=row["instead_of"] or "",
        created_at=iso(row["created_at"]),
        ended_at=None if row["ended_at"] is None else iso(row["ended_at"]),
    )


def paper_state(jobs: Sequence[JobRow]) -> PaperState:
    """The worst of what became of a ticket's jobs; what another printer took over, or was printed again, counts there."""
    last: dict[tuple[str, int], JobRow] = {}
    for row in jobs:
        if row["state"] != "dropped":
            key = row["printer_id"], row["copy"]
            last[key] = row if key not in last or row["reprint"] >= last[key]["reprint"] else last[key]
    states = {row["state"] for row in last.values()}
    if not states:
        return "none"
    if states & {"failed", "expired"}:
        return "failed"
    if any(row["state"] == "queued" and row["alerted_at"] is not None for row in last.values()):
        return "failed"
    return "printing" if "claimed" in states else "waiting" if "queued" in states else "printed"
