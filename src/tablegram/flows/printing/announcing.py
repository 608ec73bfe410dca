"""What programs and open pages hear of printing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypedDict

from tablegram.events.planning import Planner, Statement
from tablegram.flows.restaurant.orders.ordering import run_all
from tablegram.printing.printers.model import Printer, Status
from tablegram.printing.rows import OverdueJob
from tablegram.printing.tickets.content import TicketContent, TicketKind
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS

TICKET_FAILED = "restaurant.ticket_failed"
PRINTER_STATUS = "restaurant.printer_status"
TOPIC = "printing"

# An account, a topic of the panel's live pages, and ids.
Notice = Callable[[int, str, Iterable[str]], None]


class PrinterTold(TypedDict):
    event: str
    venue_id: str
    printer_id: str
    printer_name: str
    online: bool
    paper: Literal["", "ok", "low", "out"]
    cover: Literal["", "closed", "open"]
    error: str
    timestamp: int


class TicketTold(TypedDict):
    event: str
    venue_id: str
    order_id: str
    ticket_id: str
    kind: TicketKind
    station: str
    printer_id: str
    printer_name: str
    code: str
    attempts: int
    will_retry: bool
    timestamp: int


class PrintAnnouncer:
    """Plans events inside a transaction, and tells of them after its commit."""

    def __init__(self, planner: Planner, notice: Notice) -> None:
        self._planner = planner
        self._notice = notice

    async def prepare(self, account_id: int) -> None:
        await self._planner.refresh(account_id)

    async def printer_changed(self, tx: Tx, printer: Printer, status: Status, now: int) -> None:
        body: PrinterTold = {
            "event": PRINTER_STATUS,
            "venue_id": printer.venue_id,
            "printer_id": printer.id,
            "printer_name": printer.name,
            "online": status.online,
            "paper": status.paper,
            "cover": status.cover,
            "error": status.error,
            "timestamp": now // SECOND_MS,
        }
        await run_all(tx, self._plan(printer.account_id, PRINTER_STATUS, body, f"printer:{printer.id}"))

    async def ticket_failed(
        self, tx: Tx, job: OverdueJob, content: TicketContent, code: str, now: int, *, will_retry: bool
    ) -> None:
        body: TicketTold = {
            "event": TICKET_FAILED,
            "venue_id": job["venue_id"],
            "order_id": content.order_id,
            "ticket_id": job["ticket_id"],
            "kind": content.kind,
            "station": content.station,
            "printer_id": job["printer_id"],
            "printer_name": job["printer_name"],
            "code": code,
            "attempts": job["attempt"],
            "will_retry": will_retry,
            "timestamp": now // SECOND_MS,
        }
        await run_all(tx, self._plan(job["account_id"], TICKET_FAILED, body, f"printer:{job['printer_id']}"))

    def _plan(self, account_id: int, kind: str, body: PrinterTold | TicketTold, sender: str) -> list[Statement]:
        return self._planner.plan(account_id, kind, body, sender)

    def told(self, account_id: int, venue_id: str) -> None:
        self._planner.planned(account_id)
        self.moved(account_id, venue_id)

    def moved(self, account_id: int, venue_id: str) -> None:
        """Jobs or printers of a venue are not as they were: open pages look again."""
        self._notice(account_id, TOPIC, [venue_id])
