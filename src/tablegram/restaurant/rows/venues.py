"""Rows of venues, their tables and who serves them."""

from __future__ import annotations

from tablegram.restaurant.rows import HowMany
from tablegram.storage.shapes import TypedDict


class VenueRow(TypedDict):
    account_id: int
    id: str
    name: str
    is_default: int
    instance_id: int | None
    currency: str
    time_zone: str
    locale: str
    # Lists as JSON; the hours and details are JSON too.
    languages: str
    order_types: str
    stations: str
    hours: str
    service_charge: int
    accepts_by_itself: int
    refuses_unsigned: int
    signing_key: str
    details: str
    menu_version: int
    created_at: int
    updated_at: int
    deleted_at: int | None


class SigningKey(TypedDict):
    account_id: int
    id: str
    signing_key: str


class WaiterRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    phone: str
    member_id: str | None
    created_at: int


class SectionRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    waiter_id: str | None
    position: int


class TableRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    label: str
    label_key: str
    section_id: str | None
    waiter_id: str | None
    seats: int | None
    position: int
    generation: int
    created_at: int
    # Of who serves it; empty where nobody does.
    section_name: str | None
    waiter_name: str | None
    waiter_phone: str | None


class TableCount(HowMany):
    # The place of the last one.
    last: int | None


class Generation(TypedDict):
    generation: int
