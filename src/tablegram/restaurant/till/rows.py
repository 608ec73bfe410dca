"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.restaurant.till.model import Kind
from tablegram.storage.shapes import TypedDict


class MovementRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    kind: Kind
    amount: int
    currency: str
    source: str | None
    by: str
    reason: str
    created_at: int
    count_id: str | None


class CountRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    number: int
    currency: str
    opening: int
    taken: int
    tips: int
    handed_in: int
    put_in: int
    given_back: int
    paid_out: int
    expected: int
    counted: int
    kept: int
    # JSON.
    notes: str
    reason: str
    by: str
    since: int | None
    created_at: int


class SumRow(TypedDict):
    kind: Kind
    amount: int
