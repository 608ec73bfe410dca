"""Addresses of a contact: several, the last used first; one that is used again is not kept twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tablegram.delivery.addresses import store
from tablegram.delivery.addresses.labels import split_label
from tablegram.delivery.addresses.rows import AddressRow
from tablegram.errors import Conflict, FieldError, Invalid, NotFound
from tablegram.storage.database import Tx
from tablegram.values.coordinates import Point, metres_between
from tablegram.values.folding import fold
from tablegram.values.ids import new_id

MAX_ADDRESSES = 10
MAX_LABEL = 40
MIN_ADDRESS, MAX_ADDRESS = 3, 300
# Two points so near are one door.
SAME_DOOR_M = 30


class Address(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    contact_id: str
    label: str = ""
    address: str = ""
    latitude: int | None = None
    longitude: int | None = None
    created_at: int = 0
    updated_at: int = 0
    used_at: int = 0
    asked_at: int | None = None

    @property
    def point(self) -> Point | None:
        return None if self.latitude is None or self.longitude is None else Point(self.latitude, self.longitude)


async def every(tx: Tx, account_id: int, contact_id: str) -> list[Address]:
    """The last used first."""
    return [_read(row) for row in await tx.all(store.ALL, {"b_account": account_id, "b_contact": contact_id})]


async def of_all(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> dict[str, list[Address]]:
    found: dict[str, list[Address]] = {}
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    for row in await tx.gather(store.ALL, which):
        found.setdefault(row["contact_id"], []).append(_read(row))
    return found


async def find(tx: Tx, account_id: int, contact_id: str, address_id: str) -> Address:
    row = await tx.first(store.GET, {"b_account": account_id, "b_contact": contact_id, "b_id": address_id})
    if row is None:
        raise NotFound("The contact has no such address.", code="address_unknown")
    return _read(row)


async def add(tx: Tx, address: Address) -> Address:
    _check(address)
    known = await tx.all(store.LOCK_ALL, {"b_account": address.account_id, "b_contact": address.contact_id})
    if len(known) >= MAX_ADDRESSES:
        raise Conflict(f"A contact has at most {MAX_ADDRESSES} addresses. Delete one.", code="addresses_full")
    await tx.run(store.INSERT, _row(address))
    return address


async def update(tx: Tx, address: Address) -> Address:
    _check(address)
    row = _row(address)
    which = {"b_account": address.account_id, "b_contact": address.contact_id, "b_id": address.id}
    names = ("label", "address", "latitude", "longitude", "updated_at", "used_at", "asked_at")
    if not await tx.run(store.UPDATE, {**which, **{f"new_{name}": row[name] for name in names}}):
        raise NotFound("The contact has no such address.", code="address_unknown")
    return address


async def remove(tx: Tx, account_id: int, contact_id: str, address_id: str) -> None:
    which = {"b_account": account_id, "b_contact": contact_id, "b_id": address_id}
    if not await tx.run(store.DELETE, which):
        raise NotFound("The contact has no such address.", code="address_unknown")


async def note_use(tx: Tx, account_id: int, contact_id: str, address: str, point: Point | None, now: int) -> Address:
    """Something is brought there: it is the last used one from now on. Of too many, the longest unused goes.

    "Home: Moda Caddesi 12" is an address with its label.
    """
    label, address = split_label(address)
    locked = await tx.all(store.LOCK_ALL, {"b_account": account_id, "b_contact": contact_id})
    known = sorted((_read(row) for row in locked), key=lambda one: (one.used_at, one.id))
    for one in reversed(known):
        if _is_same(one, address, point):
            await _take_label(tx, (other for other in known if other.id != one.id), label, now)
            kept = msgspec.structs.replace(
                one,
                label=label or one.label,
                address=address[:MAX_ADDRESS] or one.address,
                latitude=one.latitude if point is None else point.latitude,
                longitude=one.longitude if point is None else point.longitude,
                used_at=now,
                updated_at=now,
            )
            return await update(tx, kept)
    while len(known) >= MAX_ADDRESSES:
        await remove(tx, account_id, contact_id, known.pop(0).id)
    await _take_label(tx, known, label, now)
    made = Address(
        account_id=account_id,
        id=new_id(now),
        contact_id=contact_id,
        label=label,
        address=address[:MAX_ADDRESS],
        latitude=None if point is None else point.latitude,
        longitude=None if point is None else point.longitude,
        created_at=now,
        updated_at=now,
        used_at=now,
    )
    await tx.run(store.INSERT, _row(made))
    return made


async def ask_once(
    tx: Tx, account_id: int, contact_id: str, address: str, point: Point | None, now: int
) -> Address | None:
    """The address that something came to, if it has no label and nobody was asked for one; it is asked from now on."""
    _, address = split_label(address)
    for row in await tx.all(store.LOCK_ALL, {"b_account": account_id, "b_contact": contact_id}):
        one = _read(row)
        if _is_same(one, address, point):
            if one.label or one.asked_at is not None:
                return None
            return await update(tx, msgspec.structs.replace(one, asked_at=now, updated_at=now))
    return None


async def name(
    tx: Tx, account_id: int, contact_id: str, address_id: str | None, label: str, now: int, *, since: int
) -> Address | None:
    """Give an address its label, and take that from any other. Without an id it is the one asked about last, since then."""
    locked = await tx.all(store.LOCK_ALL, {"b_account": account_id, "b_contact": contact_id})
    known = sorted((_read(row) for row in locked), key=lambda one: one.asked_at or 0)
    meant = (
        [one for one in known if one.id == address_id]
        if address_id is not None
        else [one for one in known if not one.label and one.asked_at is not None and one.asked_at >= since]
    )
    if not meant:
        return None
    await _take_label(tx, (one for one in known if one.id != meant[-1].id), label, now)
    return await update(tx, msgspec.structs.replace(meant[-1], label=label, updated_at=now))


async def _take_label(tx: Tx, others: Iterable[Address], label: str, now: int) -> None:
    """There is one home: who moves names another address so."""
    for one in others:
        if label and one.label == label:
            await update(tx, msgspec.structs.replace(one, label="", updated_at=now))


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person."""
    await tx.run(store.MOVE, {"b_account": account_id, "b_from": gone, "target": kept})


async def forget(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> int:
    count = 0
    for contact_id in contact_ids:
        count += await tx.run(store.FORGET, {"b_account": account_id, "b_contact": contact_id})
    return count


def _is_same(known: Address, address: str, point: Point | None) -> bool:
    """By the words; without words, by the door that they share."""
    if known.address and address:
        return fold(known.address) == fold(address)
    if known.point is not None and point is not None:
        return metres_between(known.point, point) <= SAME_DOOR_M
    return False


def _check(address: Address) -> None:
    errors: list[FieldError] = []
    if len(address.label) > MAX_LABEL:
        errors.append(FieldError("label", "too_long", f"A label has at most {MAX_LABEL} characters."))
    needs_words = address.point is None and len(address.address) < MIN_ADDRESS
    if needs_words or len(address.address) > MAX_ADDRESS:
        detail = f"Write the address in {MIN_ADDRESS} to {MAX_ADDRESS} characters, or give its coordinate."
        errors.append(FieldError("address", "address_invalid", detail))
    if errors:
        raise Invalid.fields(errors)


def _read(row: AddressRow) -> Address:
    return Address(**row)


def _row(address: Address) -> dict[str, Any]:
    return {name: getattr(address, name) for name in address.__struct_fields__}
