"""What stands on a ticket, before anybody knows which printer it is for: no bytes, no widths, no words of the paper."""

from __future__ import annotations

from typing import Literal

import msgspec

TicketKind = Literal["order", "change", "void", "moved", "pass", "receipt", "test"]

LineChange = Literal["same", "added", "removed"]


class TicketLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dish, so many times. `change` tells what to do with it: `removed` ones are struck, and their quantity is positive."""

    quantity: int
    name: str
    options: tuple[str, ...] = ()
    notes: str = ""
    # Codes of the fourteen allergens, or words; upper case is the paper's affair.
    allergens: tuple[str, ...] = ()
    change: LineChange = "same"
    course: str = ""
    # Minor units of all of them together, where the ticket shows money.
    amount: int | None = None


class Door(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a delivery goes. Only the pass and the guest's receipt carry it: a station's paper lies about."""

    address: str = ""
    # As it is dialled, with a plus sign.
    phone: str = ""
    route_url: str = ""
    # Minor units that the courier takes at the door; 0 for what is paid.
    due: int = 0


class TicketContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that a ticket may show. What a layout leaves out is here all the same."""

    kind: TicketKind
    venue: str
    # What people call the order: ORD-YYYYMMDD-NNNN. Empty on a test page.
    order_id: str = ""
    # dine_in, takeaway or delivery.
    order_type: str = ""
    # As people call it; empty for what belongs to no station.
    station: str = ""
    # "2 of 3", where what a station makes of one order stands on several tickets.
    part: int = 1
    parts: int = 1
    table: str = ""
    # The table where the guests sat before; told by tickets of the kind `moved`.
    moved_from: str = ""
    guest: str = ""
    waiter: str = ""
    notes: str = ""
    lines: tuple[TicketLine, ...] = ()
    placed_at: int
    time_zone: str
    # The kitchen's language for stations and the pass, the guest's for a receipt: two letters.
    language: str = "en"
    currency: str = ""
    # Of a receipt: what each line of the sum is called, and its amount in minor units. The last one is the total.
    totals: tuple[tuple[str, int], ...] = ()
    # What the guest told about allergies, in their own words.
    allergy: str = ""
    promised_at: int | None = None
    door: Door | None = None


class Marks(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one sheet of paper says about itself, on top of what stands on its ticket."""

    # 0 for the first time; a reprint says so on the paper.
    reprint: int = 0
    # It may have come out of a printer before: the answer was lost.
    doubt: bool = False
    copy: int = 1
    copies: int = 1
    # The name of the printer that was meant, where another one took over.
    instead_of: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(TicketContent).decode


def write_content(content: TicketContent) -> str:
    return _encode(content).decode()


def read_content(raw: str) -> TicketContent:
    return _decode(raw)
