"""What is answered about printers and tickets: the structs that flows make, pages show, and the API encodes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.printing.printers.model import Extra
from tablegram.printing.printers.profile import CodePage, Columns, EpsonVersion, Kind
from tablegram.printing.rows import JobState
from tablegram.printing.tickets.content import LineChange, TicketKind
from tablegram.values.clock import MomentText

# Of a ticket: what became of all its jobs.
PaperState = Literal["none", "waiting", "printing", "printed", "failed"]


class PrinterProfile(Struct, kw_only=True, frozen=True):
    """What the printer can do, and how it is reached. A password is never shown."""

    columns: Columns
    code_page: CodePage
    slot: int
    mode: Literal["text", "raster"]
    cut: bool
    buzzer: bool
    drawer: bool
    language: str
    host: str
    port: int
    device: str
    epson_version: EpsonVersion
    user: str
    has_password: bool


class PrinterState(Struct, kw_only=True, frozen=True):
    """How it is right now. What it does not tell is empty."""

    online: bool
    paper: Literal["", "ok", "low", "out"]
    cover: Literal["", "closed", "open"]
    error: str
    device: Annotated[str, Meta(description="As it names itself.")]
    last_seen_at: Annotated[MomentText | None, Meta(description="Null where it was never heard.")]
    queue: Annotated[int, Meta(description="How many jobs wait for it.")]


class PrinterView(Struct, kw_only=True, frozen=True):
    """A printer."""

    id: str
    venue_id: str
    name: str
    kind: Kind
    stations: list[str]
    extras: list[Extra]
    copies: int
    fallback_id: str | None
    fallback_after_s: int
    profile: PrinterProfile
    state: PrinterState
    created_at: MomentText
    updated_at: MomentText


class PrinterWithKey(PrinterView, kw_only=True, frozen=True):
    """A printer with what it proves itself by."""

    key: Annotated[str, Meta(description="Whoever knows it receives what is printed there.")]
    url: Annotated[
        str, Meta(description="To be typed into the printer, or given to the agent; empty where there is none.")
    ]


class PrinterPage(Struct, kw_only=True, frozen=True):
    """Printers, oldest first."""

    data: list[PrinterView]
    next_cursor: str | None


class JobView(Struct, kw_only=True, frozen=True):
    """A sheet of paper: one copy of a ticket on one printer."""

    id: str
    printer_id: str
    printer_name: str
    copy: int
    reprint: Annotated[int, Meta(description="0 for the first time.")]
    state: JobState
    attempts: int
    error: Annotated[str, Meta(description="A stable code of what went wrong last; empty when nothing did.")]
    doubt: Annotated[bool, Meta(description="It may have been printed once before: the answer was lost.")]
    instead_of: Annotated[str, Meta(description="The name of the printer that was meant; empty where it is this one.")]
    created_at: MomentText
    ended_at: MomentText | None


class TicketLineView(Struct, kw_only=True, frozen=True):
    """A line of a ticket."""

    quantity: int
    name: str
    options: list[str]
    notes: str
    change: LineChange


class TicketView(Struct, kw_only=True, frozen=True):
    """A ticket, and what became of it."""

    id: str
    venue_id: str
    order_id: Annotated[str, Meta(description="Empty for a test page.")]
    kind: TicketKind
    station: Annotated[str, Meta(description="Empty for the pass, for receipts and for test pages.")]
    table_number: str
    part: int
    parts: int
    lines: list[TicketLineView]
    paper: Annotated[PaperState, Meta(description="none: no printer takes it.")]
    jobs: list[JobView]
    created_at: MomentText


class TicketPage(Struct, kw_only=True, frozen=True):
    """Tickets, newest first."""

    data: list[TicketView]
    next_cursor: str | None
