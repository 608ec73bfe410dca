"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict


class ZoneRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    # JSON, and so are the hours.
    shape: str
    fee: int
    minimum: int
    free_from: int | None
    minutes: int
    position: int
    is_active: int
    hours: str | None
    created_at: int
    updated_at: int
