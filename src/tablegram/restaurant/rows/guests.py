"""Rows of what guests ask for before it is an order: carts, calls, and what they write."""

from __future__ import annotations

from typing import Literal

from tablegram.restaurant.orders.states import OrderType
from tablegram.storage.shapes import TypedDict

CallKind = Literal["waiter", "bill"]
PayBy = Literal["cash", "card"]
DraftState = Literal["open", "waiting", "confirmed", "dropped", "expired", "replaced"]
RequestKind = Literal["cancel", "change"]
RequestState = Literal["open", "replaced", "accepted", "refused"]


class CallRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    table_id: str
    table_label: str
    kind: CallKind
    waiter: str
    note: str
    created_at: int
    answered_at: int | None
    answered_by: str
    method: PayBy | None
    amount: int | None


class CartRow(TypedDict):
    account_id: int
    code: str
    venue_id: str
    table_id: str | None
    tab_id: str | None
    holder: str
    is_signed: int
    order_type: OrderType
    # JSON, as is the destination.
    lines: str
    notes: str
    destination: str | None
    language: str
    state: str
    revision: int
    phone: str
    name: str
    repeats: int
    offers_text: str
    offers_at: int | None
    created_at: int
    updated_at: int
    expires_at: int


class CartCode(TypedDict):
    code: str


class CartRest(CartCode):
    """What a cart that somebody has left still says."""

    # JSON.
    lines: str
    state: str


class RepeatedRow(TypedDict):
    repeats: int


class TabSpan(TypedDict):
    table_id: str
    opened_at: int
    closed_at: int | None


class DialogueRow(TypedDict):
    account_id: int
    venue_id: str
    phone: str
    contact_id: str
    state: str
    text: str
    message_key: str
    language: str
    # JSON, as is the progress.
    asked: str
    progress: str
    asked_at: int


class DraftRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    phone: str
    contact_id: str
    state: DraftState
    message_key: str
    language: str
    name: str
    # JSON, as are the words that were missed, and the destination.
    lines: str
    order_type: str
    table_id: str | None
    table_label: str
    address: str
    route_url: str
    destination: str | None
    notes: str
    missed: str
    is_sure: int
    total: int
    revision: int
    order_id: str
    created_at: int
    updated_at: int
    expires_at: int


class RequestRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    order_id: str
    kind: RequestKind
    words: str
    # JSON.
    lines: str
    state: RequestState
    created_at: int
    answered_at: int | None
    answered_by: str


class WaitingRow(TypedDict):
    account_id: int
    message_key: str
    venue_id: str
    instance_id: int
    phone: str
    name: str
    contact_id: str
    language: str
    text: str
    written_at: int
    asked_at: int
    due_at: int
    previous_at: int | None


class LeftText(TypedDict):
    """One that waits although its process is dead."""

    account_id: int
    message_key: str
    due_at: int


class WordCount(TypedDict):
    count: int
