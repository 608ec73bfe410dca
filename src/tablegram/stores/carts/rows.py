"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict
from tablegram.stores.carts.model import State


class CartRow(TypedDict):
    account_id: int
    id: str
    source_id: str
    reference: str
    checkout: str
    name: str
    phone: str
    email: str
    language: str
    consents: int | None
    # JSON.
    facts: str
    amount: int | None
    currency: str
    instance_id: int | None
    state: State
    step: int
    due_at: int | None
    reminders: int
    began_at: int
    changed_at: int
    order_reference: str
    bought_amount: int | None
    bought_currency: str
    created_at: int
    updated_at: int
    ended_at: int | None


class PurchaseRow(TypedDict):
    account_id: int
    source_id: str
    reference: str
    checkout: str
    phone: str
    email: str
    amount: int | None
    currency: str
    at: int
    created_at: int


class EndedCart(TypedDict):
    state: Literal["left", "bought", "recovered"]
    reminders: int
    bought_amount: int | None
    bought_currency: str
    ended_at: int
    order_reference: str
