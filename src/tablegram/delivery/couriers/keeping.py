"""Couriers are taken on, changed and removed."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tablegram.delivery.couriers import store
from tablegram.delivery.couriers.fields import CourierFields
from tablegram.delivery.couriers.model import Courier, read_courier
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tablegram.values.phone import parse_phone

MAX_COURIERS = 200
MAX_NAME = 60
LANGUAGES = ("en", "tr")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
replace = msgspec.structs.replace


async def every(tx: Tx, account_id: int) -> list[Courier]:
    return [read_courier(row) for row in await tx.all(store.ALL, {"b_account": account_id})]


async def names(tx: Tx, account_id: int) -> dict[str, str]:
    """Also of those who are gone."""
    return {row["id"]: row["name"] for row in await tx.all(store.NAMES, {"b_account": account_id})}


async def get(tx: Tx, account_id: int, courier_id: str) -> Courier:
    return await _one(tx, account_id, courier_id, locks=False)


async def lock(tx: Tx, account_id: int, courier_id: str) -> Courier:
    """The courier, whom nobody else changes, sends away or gives something until this transaction ends."""
    return await _one(tx, account_id, courier_id, locks=True)


async def _one(tx: Tx, account_id: int, courier_id: str, *, locks: bool) -> Courier:
    query = store.LOCK if locks else store.GET
    row = await tx.first(query, {"b_account": account_id, "b_id": courier_id})
    if row is None:
        raise NotFound(no_such("courier"), code="courier_unknown")
    return read_courier(row)


async def by_phone(tx: Tx, account_id: int, phone: str) -> list[Courier]:
    """Who writes from this number: one for each venue that they work for."""
    rows = await tx.all(store.BY_PHONE, {"b_account": account_id, "b_phone": phone})
    return [read_courier(row) for row in rows]


async def reached(tx: Tx, account_id: int) -> set[str]:
    """The numbers of everybody who may write about what they bring."""
    return {row["phone"] for row in await tx.all(store.REACHED, {"b_account": account_id})}


async def add(tx: Tx, account_id: int, venue_id: str, fields: CourierFields, now: int) -> Courier:
    """Take somebody on. Lock the venue before."""
    count = await tx.first(store.COUNT, {"b_account": account_id})
    if count is not None and count["n"] >= MAX_COURIERS:
        raise Conflict(f"An account has at most {MAX_COURIERS} couriers.", code="couriers_full")
    bare = Courier(account_id=account_id, id=new_id(), venue_id=venue_id, name="", created_at=now, updated_at=now)
    kept = _changed(bare, fields, now)
    await _check_free(tx, kept)
    await tx.run(store.INSERT, {**msgspec.structs.asdict(kept), "active": int(kept.active)})
    return kept


async def change(tx: Tx, courier: Courier, fields: CourierFields, now: int) -> Courier:
    """What is given; `courier` is locked, and its venue too where the number changes."""
    kept = _changed(courier, fields, now)
    if (kept.phone, kept.member_id) != (courier.phone, courier.member_id):
        await _check_free(tx, kept)
    await _write(tx, kept)
    return kept


async def remove(tx: Tx, courier: Courier, now: int) -> None:
    await tx.run(store.REMOVE, {"b_account": courier.account_id, "b_id": courier.id, "now": now})


def _changed(courier: Courier, fields: CourierFields, now: int) -> Courier:
    changes: dict[str, Any] = {}
    if "member_id" in fields:
        changes["member_id"] = fields["member_id"]
    if "active" in fields:
        changes["active"] = fields["active"]
    if "name" in fields or not courier.name:
        changes["name"] = _name(str(fields.get("name") or ""))
    if "phone" in fields:
        given = str(fields["phone"] or "").strip()
        changes["phone"] = parse_phone(given) if given else ""
    if fields.get("language"):
        if fields["language"] not in LANGUAGES:
            raise Invalid.field("language", "language_unknown", "Choose en or tr.")
        changes["language"] = fields["language"]
    return replace(courier, **changes, updated_at=now)


def _name(text: str) -> str:
    name = " ".join(_UNSEEN.sub(" ", text).split())
    if not 0 < len(name) <= MAX_NAME:
        raise Invalid.field("name", "name_invalid", f"A name has 1 to {MAX_NAME} characters.")
    return name


async def _check_free(tx: Tx, courier: Courier) -> None:
    others = [one for one in await every(tx, courier.account_id) if one.venue_id == courier.venue_id]
    others = [one for one in others if one.id != courier.id]
    same_phone = next((one for one in others if courier.phone and one.phone == courier.phone), None)
    if same_phone is not None:
        raise Conflict(f"The courier {same_phone.name} has this number already.", code="phone_taken")
    same_member = next((one for one in others if courier.member_id and one.member_id == courier.member_id), None)
    if same_member is not None:
        raise Conflict(f"This person is the courier {same_member.name} already.", code="member_taken")


async def _write(tx: Tx, courier: Courier) -> None:
    values = {f"new_{name}": getattr(courier, name) for name in store.CHANGING}
    which = {"b_account": courier.account_id, "b_id": courier.id}
    await tx.run(store.UPDATE, {**which, **values, "new_active": int(courier.active)})
