"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict


class AddressRow(TypedDict):
    account_id: int
    id: str
    contact_id: str
    label: str
    address: str
    latitude: int | None
    longitude: int | None
    created_at: int
    updated_at: int
    used_at: int
    asked_at: int | None
