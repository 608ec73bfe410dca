"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.delivery.tours.states import Action, Before, State
from tablegram.storage.shapes import TypedDict


class DeliveryRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    order_key: str
    order_id: str
    courier_id: str
    shift_id: str
    state: State
    position: int
    step: str
    collected: int
    collected_by: str | None
    assigned_at: int
    picked_up_at: int | None
    ended_at: int | None


class StepRow(TypedDict):
    account_id: int
    id: str
    delivery_id: str
    action: Action | Literal["assign", "undo"]
    before: Before
    after: State
    # panel, api, page, message, or order.
    via: str
    by: str
    reason: str
    at: int
    undone_at: int | None
    undone_by: str | None


class LastPosition(TypedDict):
    n: int | None


class BringerRow(TypedDict):
    name: str
