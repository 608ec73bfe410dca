"""What printing asks of whoever tells programs and people about it."""

from __future__ import annotations

from typing import Protocol

from tablegram.printing.printers.model import Printer, Status
from tablegram.storage.database import Tx


class Teller(Protocol):
    async def prepare(self, account_id: int) -> None:
        """Call before a unit of work that tells something."""
        ...

    async def printer_changed(self, tx: Tx, printer: Printer, status: Status, now: int) -> None:
        """A printer says something new of itself. Inside the transaction that writes it down."""
        ...

    def told(self, account_id: int, venue_id: str) -> None:
        """Call after the commit."""
        ...
