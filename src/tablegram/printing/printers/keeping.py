"""Printers are registered, changed, given another key and removed."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tablegram.errors import Conflict, FieldError, Invalid, NotFound, no_such
from tablegram.printing.printers.directory import new_key
from tablegram.printing.printers.model import EXTRAS, Printer, read_printer, write_list
from tablegram.printing.printers.profile import Kind, Profile, write_profile
from tablegram.printing.rows import PrinterRow
from tablegram.printing.store import jobs as job_store
from tablegram.printing.store import printers as store
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox

PREFIX = "prn_"
MAX_PRINTERS = 200
MAX_NAME = 60
MAX_COPIES = 5
FALLBACK_S = (30, 1_800)

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


async def every(tx: Tx, account_id: int) -> list[PrinterRow]:
    return await tx.all(store.ALL, {"b_account": account_id})


async def of_venue(tx: Tx, account_id: int, venue_id: str) -> list[Printer]:
    rows = await tx.all(store.OF_VENUE, {"b_account": account_id, "b_venue": venue_id})
    return [read_printer(row) for row in rows]


async def get(tx: Tx, account_id: int, printer_id: str) -> PrinterRow:
    """The printer's row, with what it last told of itself."""
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": printer_id})
    if row is None:
        raise _unknown()
    return row


async def lock(tx: Tx, account_id: int, printer_id: str) -> Printer:
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": printer_id})
    if row is None:
        raise _unknown()
    return read_printer(row)


async def names(tx: Tx, account_id: int) -> dict[str, str]:
    """Also of those that were removed."""
    return {row["id"]: row["name"] for row in await tx.all(store.NAMES, {"b_account": account_id})}


def draft(account_id: int, venue_id: str, kind: Kind, box: SecretBox, now: int) -> Printer:
    """A new printer with a key of its own and nothing said about it yet."""
    key = new_key()
    return Printer(
        account_id=account_id,
        id=PREFIX + new_id(now),
        venue_id=venue_id,
        name="",
        kind=kind,
        key_hash=box.pepper_hash(key),
        key_sealed=box.seal(key),
        created_at=now,
        updated_at=now,
    )


async def add(tx: Tx, printer: Printer, stations: list[str]) -> Printer:
    """Keep a new printer. Lock the venue before: fallbacks are checked against its other printers."""
    count = await tx.first(store.COUNT, {"b_account": printer.account_id})
    if count is not None and count["n"] >= MAX_PRINTERS:
        raise Conflict(f"An account has at most {MAX_PRINTERS} printers.", code="printers_full")
    kept = await _checked(tx, printer, stations)
    row = {**_row(kept), "status": "", "status_at": None, "seen_at": None, "removed_at": None}
    await tx.run(store.INSERT, row)
    return kept


async def change(tx: Tx, printer: Printer, stations: list[str], now: int) -> Printer:
    kept = await _checked(tx, msgspec.structs.replace(printer, updated_at=now), stations)
    row = _row(kept)
    values = {f"new_{name}": row[name] for name in store.CHANGING}
    await tx.run(store.UPDATE, {"b_account": kept.account_id, "b_id": kept.id, **values})
    return kept


async def rotate(tx: Tx, printer: Printer, box: SecretBox, now: int) -> Printer:
    """Another key; whoever shows the old one is a stranger from now on."""
    key = new_key()
    hashed, sealed = box.pepper_hash(key), box.seal(key)
    values = {"b_account": printer.account_id, "b_id": printer.id, "new_hash": hashed, "new_sealed": sealed, "now": now}
    await tx.run(store.NEW_KEY, values)
    return msgspec.structs.replace(printer, key_hash=hashed, key_sealed=sealed, updated_at=now)


async def remove(tx: Tx, printer: Printer, now: int) -> None:
    """Take a printer away for good. What waits for it is dropped, and stays in the log."""
    which = {"b_account": printer.account_id, "b_id": printer.id, "now": now}
    await tx.run(store.REMOVE, {**which, "gone": f"gone:{printer.id}"})
    await tx.run(store.UNLINK, which)
    await tx.run(job_store.DROP_ALL, {"b_account": printer.account_id, "b_printer": printer.id, "now": now})


async def _checked(tx: Tx, printer: Printer, stations: list[str]) -> Printer:
    name = " ".join(_UNSEEN.sub(" ", printer.name).split())
    printer = msgspec.structs.replace(printer, name=name, profile=_sensible(printer.profile))
    others = {one.id: one for one in await of_venue(tx, printer.account_id, printer.venue_id) if one.id != printer.id}
    errors: list[FieldError] = []

    def need(holds: bool, field: str, code: str, detail: str) -> None:
        if not holds:
            errors.append(FieldError(field, code, detail))

    need(0 < len(name) <= MAX_NAME, "name", "name_invalid", f"A name has 1 to {MAX_NAME} characters.")
    need(
        all(one in stations for one in printer.stations) and len(set(printer.stations)) == len(printer.stations),
        "stations",
        "station_unknown",
        f"Name stations of the venue, each once: {', '.join(stations)}.",
    )
    need(
        all(one in EXTRAS for one in printer.extras) and len(set(printer.extras)) == len(printer.extras),
        "extras",
        "extra_unknown",
        f"Name each of {', '.join(EXTRAS)} at most once.",
    )
    need(1 <= printer.copies <= MAX_COPIES, "copies", "out_of_range", f"A ticket has 1 to {MAX_COPIES} copies.")
    least, most = FALLBACK_S
    need(
        least <= printer.fallback_after_s <= most,
        "fallback_after_s",
        "out_of_range",
        f"Another printer takes over after {least} to {most} seconds.",
    )
    need(
        printer.fallback_id is None or printer.fallback_id in others,
        "fallback_id",
        "printer_unknown",
        "Name another printer of the same venue.",
    )
    need(
        printer.kind != "direct" or bool(printer.profile.host),
        "profile.host",
        "host_missing",
        "Say at which address the printer is reached.",
    )
    if errors:
        raise Invalid.fields(errors)
    return printer


def _sensible(profile: Profile) -> Profile:
    """Paper of 58 mm has 384 dots, wider paper 576, whatever was said."""
    return msgspec.structs.replace(profile, dots=384 if profile.columns == 32 else 576)


def _row(printer: Printer) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(printer, name) for name in printer.__struct_fields__}
    return {
        **row,
        "profile": write_profile(printer.profile),
        "stations": write_list(printer.stations),
        "extras": write_list(printer.extras),
    }


def _unknown() -> NotFound:
    return NotFound(no_such("printer"), code="printer_unknown")
