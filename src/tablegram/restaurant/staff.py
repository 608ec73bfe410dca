"""Waiters, and the sections of the room that each of them serves."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.restaurant.menu.model import clean_line
from tablegram.restaurant.rows.venues import WaiterRow
from tablegram.restaurant.store import tables as table_store
from tablegram.restaurant.store import venues as store
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tablegram.values.phone import parse_phone

MAX_WAITERS = 200
MAX_SECTIONS = 100
MAX_NAME = 60


class Waiter(msgspec.Struct, frozen=True):
    id: str
    name: str
    # Digits with the country code; empty where calls are not sent to them.
    phone: str = ""
    # Of the team: who signs in as this waiter.
    member_id: str | None = None


class Section(msgspec.Struct, frozen=True):
    id: str
    name: str
    waiter_id: str | None = None
    position: int = 0


async def waiters(tx: Tx, account_id: int, venue_id: str) -> list[Waiter]:
    rows = await tx.all(store.WAITERS, _venue(account_id, venue_id))
    return [_waiter(row) for row in rows]


async def waiter_of(tx: Tx, account_id: int, venue_id: str, member_id: str) -> Waiter | None:
    """The waiter whom a member of the team is in this venue."""
    row = await tx.first(store.WAITER_OF_MEMBER, {**_venue(account_id, venue_id), "b_member": member_id})
    return None if row is None else _waiter(row)


async def sections(tx: Tx, account_id: int, venue_id: str) -> list[Section]:
    rows = await tx.all(store.SECTIONS, _venue(account_id, venue_id))
    return [Section(row["id"], row["name"], row["waiter_id"], row["position"]) for row in rows]


async def add_waiter(
    tx: Tx, account_id: int, venue_id: str, name: str, phone: str, now_ms: int, member_id: str | None = None
) -> Waiter:
    if len(await waiters(tx, account_id, venue_id)) >= MAX_WAITERS:
        raise Conflict(f"A venue has at most {MAX_WAITERS} waiters.", code="waiters_full")
    waiter = Waiter(new_id(), _name(name), _phone(phone), member_id)
    await _check_free(tx, account_id, venue_id, waiter)
    row = {"account_id": account_id, "venue_id": venue_id, "created_at": now_ms, **msgspec.structs.asdict(waiter)}
    await tx.run(store.INSERT_WAITER, row)
    return waiter


async def change_waiter(tx: Tx, account_id: int, venue_id: str, waiter: Waiter) -> Waiter:
    kept = Waiter(waiter.id, _name(waiter.name), _phone(waiter.phone), waiter.member_id)
    await _check_free(tx, account_id, venue_id, kept)
    values = {
        **_venue(account_id, venue_id), "b_id": kept.id, "new_name": kept.name, "new_phone": kept.phone,
        "new_member": kept.member_id,
    }  # fmt: skip
    if await tx.run(store.UPDATE_WAITER, values) == 0:
        raise NotFound(no_such("waiter", "venue"), code="waiter_unknown")
    return kept


async def remove_waiter(tx: Tx, account_id: int, venue_id: str, waiter_id: str) -> None:
    """Take a waiter off duty for good; their tables and sections are nobody's then."""
    which = {**_venue(account_id, venue_id), "b_id": waiter_id}
    if await tx.run(store.DELETE_WAITER, which) == 0:
        raise NotFound(no_such("waiter", "venue"), code="waiter_unknown")
    await tx.run(store.FREE_SECTIONS, which)
    await tx.run(table_store.FREE_OF_WAITER, which)


async def add_section(tx: Tx, account_id: int, venue_id: str, name: str, waiter_id: str | None = None) -> Section:
    known = await sections(tx, account_id, venue_id)
    if len(known) >= MAX_SECTIONS:
        raise Conflict(f"A venue has at most {MAX_SECTIONS} sections.", code="sections_full")
    section = Section(new_id(), _name(name), waiter_id, max((one.position for one in known), default=-1) + 1)
    await _check_waiter(tx, account_id, venue_id, waiter_id)
    row = {"account_id": account_id, "venue_id": venue_id, **msgspec.structs.asdict(section)}
    await tx.run(store.INSERT_SECTION, row)
    return section


async def change_section(tx: Tx, account_id: int, venue_id: str, section: Section) -> Section:
    kept = msgspec.structs.replace(section, name=_name(section.name))
    await _check_waiter(tx, account_id, venue_id, kept.waiter_id)
    changes = {f"new_{name}": value for name, value in msgspec.structs.asdict(kept).items() if name != "id"}
    if await tx.run(store.UPDATE_SECTION, {**_venue(account_id, venue_id), "b_id": kept.id, **changes}) == 0:
        raise NotFound(no_such("section", "venue"), code="section_unknown")
    return kept


async def remove_section(tx: Tx, account_id: int, venue_id: str, section_id: str) -> None:
    which = {**_venue(account_id, venue_id), "b_id": section_id}
    if await tx.run(store.DELETE_SECTION, which) == 0:
        raise NotFound(no_such("section", "venue"), code="section_unknown")
    await tx.run(table_store.FREE_OF_SECTION, which)


async def _check_waiter(tx: Tx, account_id: int, venue_id: str, waiter_id: str | None) -> None:
    if waiter_id is not None and waiter_id not in {one.id for one in await waiters(tx, account_id, venue_id)}:
        raise Invalid.field("waiter_id", "waiter_unknown", no_such("waiter", "venue"))


def _name(text: str) -> str:
    name = clean_line(text)
    if not 0 < len(name) <= MAX_NAME:
        raise Invalid.field("name", "name_invalid", f"A name has 1 to {MAX_NAME} characters.")
    return name


def _phone(text: str) -> str:
    return parse_phone(text.strip()) if text.strip() else ""


def _venue(account_id: int, venue_id: str) -> dict[str, Any]:
    return {"b_account": account_id, "b_venue": venue_id}


def _waiter(row: WaiterRow) -> Waiter:
    return Waiter(row["id"], row["name"], row["phone"], row["member_id"])


async def _check_free(tx: Tx, account_id: int, venue_id: str, waiter: Waiter) -> None:
    """Nobody is two waiters of one venue."""
    if waiter.member_id is None:
        return
    known = await waiter_of(tx, account_id, venue_id, waiter.member_id)
    if known is not None and known.id != waiter.id:
        raise Conflict(f"This person is the waiter {known.name} already.", code="member_taken")
