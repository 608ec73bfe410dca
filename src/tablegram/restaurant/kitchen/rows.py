"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.restaurant.kitchen.progress import LineState, Tap
from tablegram.storage.shapes import TypedDict


class ProgressRow(TypedDict):
    account_id: int
    order_key: str
    line: str
    station: str
    state: LineState
    portions: int
    started_at: int | None
    done_at: int | None
    tap: str
    by: str
    at: int


class TapRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    order_key: str
    station: str
    action: Tap
    # What was marked before, as JSON.
    lines: str
    by: str
    at: int
    undone_at: int | None
    undone_by: str | None


class PinRow(TypedDict):
    waiter_id: str
    pin_hash: str
    name: str


class TurnRow(TypedDict):
    waiter_id: str
    venue_id: str
    name: str
