"""What the edges ask of printing."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.printing.layouts.desk import LayoutDesk
from tablegram.flows.printing.printer_desk import PrinterDesk
from tablegram.flows.printing.receipts.desk import ReceiptDesk
from tablegram.flows.printing.ticket_desk import TicketDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintingServices:
    printers: PrinterDesk
    tickets: TicketDesk
    layouts: LayoutDesk
    receipts: ReceiptDesk
