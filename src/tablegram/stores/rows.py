"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict
from tablegram.stores.model import Attention, State
from tablegram.stores.ports import EventKind


class ShopRow(TypedDict):
    account_id: int
    id: str
    platform: str
    name: str
    hook_hash: str
    hook_sealed: str
    secret_sealed: str
    country: str
    currency: str
    # JSON.
    mapping: str
    instance_id: int | None
    venue_id: str | None
    is_active: int
    heard_at: int | None
    created_at: int
    updated_at: int
    removed_at: int | None


class SealedShop(TypedDict):
    account_id: int
    id: str
    hook_sealed: str
    secret_sealed: str


class ListedDelivery(TypedDict):
    """Without what came, which may be long."""

    account_id: int
    id: str
    source_id: str
    name: str
    topic: str
    # JSON, as are the events.
    headers: str
    size: int
    state: State
    reason: str
    detail: str
    events: str
    reference: str
    number: str
    attention: Attention
    settled_by: str
    settled_at: int | None
    is_test: int
    replays: int
    received_at: int
    worked_at: int


class DeliveryRow(ListedDelivery):
    body: bytes


class OrderRow(TypedDict):
    account_id: int
    id: str
    source_id: str
    reference: str
    number: str
    checkout: str
    name: str
    email: str
    phone: str
    contact_id: str | None
    language: str
    amount: int | None
    currency: str
    kind: EventKind
    status: str
    url: str
    # JSON, as is the tracking.
    goods: str
    tracking: str
    at: int
    created_at: int
    updated_at: int


class NumberRow(TypedDict):
    """How many there are."""

    n: int


class DueRow(TypedDict):
    """Something whose time has come."""

    account_id: int
    id: str


class WithId(TypedDict):
    id: str


class UnreadRow(TypedDict):
    id: str
    body: bytes


class ShopName(TypedDict):
    id: str
    name: str
    platform: str
