"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.payments.model import Attention, RefundState, State, SubjectKind
from tablegram.payments.ports import Mode
from tablegram.storage.shapes import TypedDict


class LinkRow(TypedDict):
    account_id: int
    id: str
    provider_id: str
    mode: Mode
    amount: int
    tip: int
    currency: str
    description: str
    # JSON.
    items: str
    language: str
    subject_kind: SubjectKind
    subject_key: str
    subject_note: str
    venue_id: str | None
    contact_id: str | None
    phone: str
    state: State
    reference: str | None
    payment_reference: str
    url: str
    expires_at: int
    ask_at: int | None
    asked: int
    received: int
    received_currency: str
    refunded: int
    paid_at: int | None
    failure: str
    attention: Attention
    attention_at: int | None
    settled_by: str
    settled_at: int | None
    made_by: str
    created_at: int
    updated_at: int
    ended_at: int | None


class RefundRow(TypedDict):
    account_id: int
    id: str
    link_id: str
    amount: int
    currency: str
    # A list of ids as JSON.
    lines: str
    reason: str
    made_by: str
    state: RefundState
    reference: str
    failure: str
    due_at: int | None
    attempts: int
    created_at: int
    ended_at: int | None


class AccessRow(TypedDict):
    account_id: int
    id: str
    provider: str
    mode: Mode
    hook_hash: str
    hook_sealed: str
    keys_sealed: str
    is_default: int
    checked_at: int | None
    heard_at: int | None
    created_at: int
    updated_at: int
    removed_at: int | None


class AccessName(TypedDict):
    id: str
    provider: str
    mode: Mode


class SealedAccess(TypedDict):
    account_id: int
    id: str
    hook_sealed: str
    keys_sealed: str


class SignalRow(TypedDict):
    account_id: int
    provider_id: str
    id: str
    # JSON, as it was read from what the provider told.
    signal: str
    link_id: str
    reference: str
    state: Literal["waiting", "applied", "unknown"]
    received_at: int
    settled_by: str
    settled_at: int | None


class NumberRow(TypedDict):
    """How many there are."""

    n: int


class WithId(TypedDict):
    id: str


class DueAccess(TypedDict):
    """An access that something is to be done with."""

    account_id: int
    provider_id: str
