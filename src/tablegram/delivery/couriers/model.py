"""A courier, and a shift that one works."""

from __future__ import annotations

import msgspec

from tablegram.delivery.couriers.rows import CourierRow, ShiftRow


class Courier(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    venue_id: str
    name: str
    # Digits with the country code; empty for who works with the page alone.
    phone: str = ""
    member_id: str | None = None
    language: str = "en"
    active: bool = True
    key_hash: str | None = None
    key_sealed: str | None = None
    pin_hash: str | None = None
    # Wrong PINs in a row, and when the last one was tried.
    pin_misses: int = 0
    pin_missed_at: int = 0
    created_at: int
    updated_at: int
    removed_at: int | None = None


class Shift(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    venue_id: str
    courier_id: str
    currency: str
    started_at: int
    started_by: str
    ended_at: int | None = None
    ended_by: str | None = None
    # What should have been handed in when it was counted, and what was: minor units.
    expected: int | None = None
    counted: int | None = None
    note: str = ""
    counted_at: int | None = None
    counted_by: str | None = None


def read_courier(row: CourierRow) -> Courier:
    return Courier(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        name=row["name"],
        phone=row["phone"],
        member_id=row["member_id"],
        language=row["language"],
        active=bool(row["active"]),
        key_hash=row["key_hash"],
        key_sealed=row["key_sealed"],
        pin_hash=row["pin_hash"],
        pin_misses=row["pin_misses"],
        pin_missed_at=row["pin_missed_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        removed_at=row["removed_at"],
    )


def read_shift(row: ShiftRow) -> Shift:
    return Shift(**row)
