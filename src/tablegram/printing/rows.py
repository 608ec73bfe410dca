"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.printing.printers.profile import Kind
from tablegram.printing.tickets.content import TicketKind
from tablegram.storage.shapes import TypedDict

# What has a layout of its own.
LayoutKind = Literal["station", "pass", "receipt"]
JobState = Literal["queued", "claimed", "printed", "failed", "expired", "dropped"]


class MachineRow(TypedDict):
    account_id: int
    id: str
    name: str
    kind: Kind
    # JSON; empty while it has told nothing.
    status: str
    seen_at: int | None


class PrinterRow(MachineRow):
    venue_id: str
    key_hash: str
    key_sealed: str
    # JSON, as are stations and extras.
    profile: str
    stations: str
    extras: str
    copies: int
    fallback_id: str | None
    fallback_after_s: int
    status_at: int | None
    learned: str | None
    silent_ms: int
    created_at: int
    updated_at: int
    removed_at: int | None


class SealedPrinter(TypedDict):
    account_id: int
    id: str
    key_sealed: str
    profile: str


class TicketRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    order_key: str | None
    revision: int
    station: str
    kind: TicketKind
    part: int
    # JSON.
    content: str
    created_at: int
    expires_at: int


class JobRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    ticket_id: str
    printer_id: str
    copy: int
    reprint: int
    state: JobState
    attempt: int
    fence: int
    lease_until: int | None
    claimed_by: str
    due_at: int
    error: str
    doubt: int
    instead_of: str | None
    alerted_at: int | None
    created_at: int
    claimed_at: int | None
    ended_at: int | None
    expires_at: int


class WrittenJob(JobRow):
    """With what stands on its ticket, as JSON."""

    content: str


class HeldJob(WrittenJob):
    # Whether it is in the printer's hands right now.
    is_held: bool


class OverdueJob(HeldJob):
    station: str
    kind: TicketKind
    printer_name: str
    fallback_id: str | None
    fallback_after_s: int


class QueueRow(TypedDict):
    """How many jobs wait for a printer."""

    printer_id: str
    n: int


class PrinterOfJobs(TypedDict):
    """A printer that something waits for."""

    account_id: int
    printer_id: str


class FenceRow(TypedDict):
    fence: int


class MadeRow(TypedDict):
    """When a job was made."""

    created_at: int


class Counted(TypedDict):
    n: int


class WithId(TypedDict):
    id: str


class NamedId(WithId):
    name: str


class PrinterKey(WithId):
    account_id: int


class LayoutText(TypedDict):
    # JSON.
    layout: str


class LayoutRow(LayoutText):
    account_id: int
    venue_id: str
    kind: LayoutKind
    # Empty for the pass and for receipts.
    station: str
    updated_at: int
