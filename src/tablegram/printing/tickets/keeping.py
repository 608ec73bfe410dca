"""Tickets are kept with their jobs, in the transaction of what they tell of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec

from tablegram.errors import Conflict, NotFound, no_such
from tablegram.printing.printers.model import Printer
from tablegram.printing.rows import JobRow, TicketRow
from tablegram.printing.store import jobs as job_store
from tablegram.printing.store import tickets as store
from tablegram.printing.tickets.content import TicketContent, TicketKind, read_content, write_content
from tablegram.printing.tickets.making import House, TicketDraft
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS
from tablegram.values.ids import new_id

# Nobody cooks by a ticket that old: a printer that comes back in the morning leaves it.
EXPIRY_MS = {"test": 10 * MINUTE_MS}
USUAL_EXPIRY_MS = 30 * MINUTE_MS
# How often one ticket may be asked for again.
MAX_REPRINTS = 50


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    venue_id: str
    order_key: str | None
    revision: int
    station: str
    kind: TicketKind
    content: TicketContent
    created_at: int
    expires_at: int


def read_ticket(row: TicketRow) -> Ticket:
    return Ticket(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        order_key=row["order_key"],
        revision=row["revision"],
        station=row["station"],
        kind=row["kind"],
        content=read_content(row["content"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
    )


async def keep(
    tx: Tx, account_id: int, venue_id: str, order_key: str | None, revision: int, drafts: Iterable[TicketDraft],
    printers: Sequence[Printer], now: int,
) -> list[str]:  # fmt: skip
    """Keep tickets of an order, or of a table's bill, and queue them for whoever prints them; the printers that have something new.

    A venue without printers has tickets all the same: displays show them.
    """
    rung: list[str] = []
    for draft in drafts:
        ticket_id = await _insert(tx, account_id, venue_id, order_key, revision, draft, now)
        takers = [one for one in printers if _takes(one, draft)]
        if ticket_id is None:
            if await _paid_meanwhile(tx, account_id, order_key, revision, draft, takers, now):
                rung += [printer.id for printer in takers]
            continue
        for printer in takers:
            await queue(tx, printer, ticket_id, draft.kind, now)
        rung += [printer.id for printer in takers]
    return list(dict.fromkeys(rung))


async def _paid_meanwhile(
    tx: Tx,
    account_id: int,
    order_key: str | None,
    revision: int,
    draft: TicketDraft,
    takers: Sequence[Printer],
    now: int,
) -> bool:
    """A payment makes no new revision of the order; the paper that names the sum is written anew and printed again."""
    if draft.content.door is None:
        return False
    for row in await tx.all(store.OF_ORDER, {"b_account": account_id, "b_order": order_key}):
        known = read_ticket(row)
        is_this = (row["revision"], known.station, known.kind) == (revision, draft.station, draft.kind)
        if not is_this or known.content.door in (None, draft.content.door):
            continue
        raw = write_content(msgspec.structs.replace(known.content, door=draft.content.door))
        await tx.run(store.WRITE_CONTENT, {"b_account": account_id, "b_id": known.id, "new_content": raw})
        with suppress(Conflict):
            await reprint(tx, known, takers, now)
        return True
    return False


def _takes(printer: Printer, draft: TicketDraft) -> bool:
    if draft.station:
        return draft.station in printer.stations
    # What of an order concerns all of it goes to the pass, unless it is the guest's.
    return ("receipt" if draft.kind == "receipt" else "pass") in printer.extras


async def _insert(
    tx: Tx, account_id: int, venue_id: str, order_key: str | None, revision: int, draft: TicketDraft, now: int
) -> str | None:
    row = {
        "account_id": account_id,
        "id": new_id(now),
        "venue_id": venue_id,
        "order_key": order_key,
        "revision": revision,
        "station": draft.station,
        "kind": draft.kind,
        "part": draft.content.part,
        "content": write_content(draft.content),
        "created_at": now,
        "expires_at": now + EXPIRY_MS.get(draft.kind, USUAL_EXPIRY_MS),
    }
    made = await tx.first(store.INSERT, row)
    return None if made is None else str(made["id"])


async def queue(tx: Tx, printer: Printer, ticket_id: str, kind: str, now: int, *, reprint: int = 0) -> None:
    """A job for each copy; what is asked for again comes out once."""
    for copy in range(1, (1 if reprint else printer.copies) + 1):
        await tx.run(job_store.INSERT, new_job(printer, ticket_id, kind, now, copy=copy, reprint=reprint))


def new_job(
    printer: Printer, ticket_id: str, kind: str, now: int, *, copy: int = 1, reprint: int = 0, doubt: bool = False,
    instead_of: str | None = None, expires_at: int | None = None,
) -> JobRow:  # fmt: skip
    return {
        "account_id": printer.account_id,
        "id": new_id(now),
        "venue_id": printer.venue_id,
        "ticket_id": ticket_id,
        "printer_id": printer.id,
        "copy": copy,
        "reprint": reprint,
        "state": "queued",
        "attempt": 0,
        "fence": 0,
        "lease_until": None,
        "claimed_by": "",
        "due_at": now,
        "error": "",
        "doubt": int(doubt),
        "instead_of": instead_of,
        "alerted_at": None,
        "created_at": now,
        "claimed_at": None,
        "ended_at": None,
        "expires_at": expires_at or now + EXPIRY_MS.get(kind, USUAL_EXPIRY_MS),
    }


async def find(tx: Tx, account_id: int, ticket_id: str) -> Ticket:
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": ticket_id})
    if row is None:
        raise NotFound(no_such("ticket"), code="ticket_unknown")
    return read_ticket(row)


async def jobs_of(tx: Tx, account_id: int, ticket_id: str) -> list[JobRow]:
    return await tx.all(job_store.OF_TICKET, {"b_account": account_id, "b_ticket": ticket_id})


async def reprint(tx: Tx, ticket: Ticket, printers: Sequence[Printer], now: int) -> None:
    """Print it once more, on each of these printers. Lock the printers before."""
    rows = await jobs_of(tx, ticket.account_id, ticket.id)
    number = max((row["reprint"] for row in rows), default=0) + 1
    if number > MAX_REPRINTS:
        raise Conflict(f"A ticket is printed again at most {MAX_REPRINTS} times.", code="reprints_full")
    for printer in printers:
        await queue(tx, printer, ticket.id, ticket.kind, now, reprint=number)


async def test_page(tx: Tx, printer: Printer, house: House, now: int) -> str:
    """A page that shows what the printer makes of letters, sizes and marks; it belongs to no order."""
    content = TicketContent(
        kind="test",
        venue=house.venue,
        station=", ".join(printer.stations),
        placed_at=now,
        time_zone=house.time_zone,
        language=printer.profile.language or house.language,
        notes=printer.name,
    )
    draft = TicketDraft(station="", kind="test", content=content)
    ticket_id = await _insert(tx, printer.account_id, printer.venue_id, None, 0, draft, now)
    assert ticket_id is not None, "a ticket of no order is always new"
    await tx.run(job_store.INSERT, new_job(printer, ticket_id, "test", now))
    return ticket_id
