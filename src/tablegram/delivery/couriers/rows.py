"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict


class CourierRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    phone: str
    member_id: str | None
    language: str
    active: int
    key_hash: str | None
    key_sealed: str | None
    pin_hash: str | None
    pin_misses: int
    pin_missed_at: int
    created_at: int
    updated_at: int
    removed_at: int | None


class SealedLinkRow(TypedDict):
    account_id: int
    id: str
    key_sealed: str


class ShiftRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    courier_id: str
    currency: str
    started_at: int
    started_by: str
    ended_at: int | None
    ended_by: str | None
    expected: int | None
    counted: int | None
    note: str
    counted_at: int | None
    counted_by: str | None


class NameRow(TypedDict):
    id: str
    name: str


class Counted(TypedDict):
    n: int


class TakenRow(Counted):
    """What was taken in a shift in one way of paying, and how often."""

    shift_id: str
    collected_by: str
    amount: int


class PhoneRow(TypedDict):
    phone: str


class WithId(TypedDict):
    id: str
