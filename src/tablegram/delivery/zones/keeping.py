"""Zones as they are kept. Whoever changes one holds the venue, so that two who do wait in one line."""

from __future__ import annotations

import msgspec

from tablegram.delivery.zones import store
from tablegram.delivery.zones.model import MAX_ZONES, Shape, Zone, check_shape, check_terms
from tablegram.delivery.zones.rows import ZoneRow
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.storage.database import Params, Tx
from tablegram.values.coordinates import Point
from tablegram.values.opening_hours import WeekSpan

_encode = msgspec.json.Encoder().encode
_decode_shape = msgspec.json.Decoder(Shape).decode
_decode_hours = msgspec.json.Decoder(tuple[WeekSpan, ...]).decode


async def every(tx: Tx, account_id: int, venue_id: str) -> list[Zone]:
    """The first of two that overlap is the one that holds."""
    return [read(row) for row in await tx.all(store.ALL, {"b_account": account_id, "b_venue": venue_id})]


async def find(tx: Tx, account_id: int, venue_id: str, zone_id: str) -> Zone:
    row = await tx.first(store.GET, {"b_account": account_id, "b_venue": venue_id, "b_id": zone_id})
    if row is None:
        raise NotFound(no_such("zone", "venue"), code="zone_unknown")
    return read(row)


async def add(tx: Tx, zone: Zone, venue: Point | None) -> Zone:
    """Keep a new zone, behind the others unless it names its place."""
    known = await every(tx, zone.account_id, zone.venue_id)
    if len(known) >= MAX_ZONES:
        raise Conflict(f"A venue has at most {MAX_ZONES} zones.", code="zones_full")
    _check(zone, venue)
    await tx.run(store.INSERT, write(zone))
    return zone


async def update(tx: Tx, zone: Zone, venue: Point | None) -> Zone:
    _check(zone, venue)
    which = {"b_account": zone.account_id, "b_venue": zone.venue_id, "b_id": zone.id}
    changed = await tx.run(store.UPDATE, {**which, **{f"new_{name}": value for name, value in write(zone).items()}})
    if not changed:
        raise NotFound(no_such("zone", "venue"), code="zone_unknown")
    return zone


async def remove(tx: Tx, account_id: int, venue_id: str, zone_id: str) -> None:
    if not await tx.run(store.DELETE, {"b_account": account_id, "b_venue": venue_id, "b_id": zone_id}):
        raise NotFound(no_such("zone", "venue"), code="zone_unknown")


def read(row: ZoneRow) -> Zone:
    return Zone(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        name=row["name"],
        shape=_decode_shape(row["shape"]),
        fee=row["fee"],
        minimum=row["minimum"],
        free_from=row["free_from"],
        minutes=row["minutes"],
        position=row["position"],
        is_active=bool(row["is_active"]),
        hours=None if row["hours"] is None else _decode_hours(row["hours"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def write(zone: Zone) -> Params:
    row = {name: getattr(zone, name) for name in zone.__struct_fields__}
    hours = None if zone.hours is None else _encode(zone.hours).decode()
    return {**row, "shape": _encode(zone.shape).decode(), "hours": hours, "is_active": int(zone.is_active)}


def _check(zone: Zone, venue: Point | None) -> None:
    errors = [*check_terms(zone), *check_shape(zone.shape, venue)]
    if errors:
        raise Invalid.fields(errors)
