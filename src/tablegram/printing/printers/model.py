"""A printer as it is kept, and how it is right now."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.printing.printers.profile import Kind, Profile, read_profile
from tablegram.printing.rows import PrinterRow
from tablegram.values.clock import SECOND_MS

# Who says nothing for so long is not there. Printers ask every few seconds, unless they say otherwise.
SILENT_MS = 60 * SECOND_MS
# Tickets that belong to no station.
Extra = Literal["pass", "receipt"]
EXTRAS: tuple[Extra, ...] = ("pass", "receipt")


class Printer(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is what it proves itself with; sealed here, and found by its hash."""

    account_id: int
    id: str
    venue_id: str
    name: str
    kind: Kind
    key_hash: str
    key_sealed: str
    profile: Profile = Profile()
    stations: tuple[str, ...] = ()
    extras: tuple[Extra, ...] = ()
    copies: int = 1
    # Who takes over what this one has not printed after so long.
    fallback_id: str | None = None
    fallback_after_s: int = 120
    # What it has told of itself, as its protocol reads it; and how long it may say nothing.
    learned: str = ""
    silent_ms: int = SILENT_MS
    created_at: int
    updated_at: int


class Status(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a printer last told of itself. What it does not tell is empty."""

    online: bool = True
    paper: Literal["", "ok", "low", "out"] = ""
    cover: Literal["", "closed", "open"] = ""
    # A stable code of what is wrong with it; empty when nothing is.
    error: str = ""
    # As it names itself: model, serial number or network address.
    device: str = ""

    @property
    def can_print(self) -> bool:
        return self.online and self.paper != "out" and self.cover != "open" and not self.error


_encode = msgspec.json.Encoder().encode
_decode_stations = msgspec.json.Decoder(tuple[str, ...]).decode
_decode_extras = msgspec.json.Decoder(tuple[Extra, ...]).decode
_decode_status = msgspec.json.Decoder(Status).decode


def read_printer(row: PrinterRow) -> Printer:
    return Printer(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        name=row["name"],
        kind=row["kind"],
        key_hash=row["key_hash"],
        key_sealed=row["key_sealed"],
        profile=read_profile(row["profile"]),
        stations=_decode_stations(row["stations"]),
        extras=_decode_extras(row["extras"]),
        copies=row["copies"],
        fallback_id=row["fallback_id"],
        fallback_after_s=row["fallback_after_s"],
        learned=row["learned"] or "",
        silent_ms=row["silent_ms"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def write_list(values: tuple[str, ...]) -> str:
    return _encode(values).decode()


def read_status(raw: str) -> Status:
    return _decode_status(raw) if raw else Status(online=False)


def write_status(status: Status) -> str:
    return _encode(status).decode()
