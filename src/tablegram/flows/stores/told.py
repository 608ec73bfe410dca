"""What programs are told of shops and forms, field by field."""

from __future__ import annotations

from typing import TypedDict

from tablegram.flows.stores.answers import FieldView, GoodView, TrackingView
from tablegram.stores.ports import EventKind


class ToldSource(TypedDict):
    id: str
    platform: str
    name: str


class ToldCustomer(TypedDict):
    name: str
    phone: str
    email: str


class ToldOrder(TypedDict):
    order_id: str
    reference: str
    number: str
    last_event: EventKind
    status: str
    customer: ToldCustomer
    contact_id: str | None
    language: str
    amount: float | None
    currency: str
    refunded_amount: float | None
    reason: str
    goods: list[GoodView]
    tracking: TrackingView | None
    url: str
    happened_at: str
    created_at: str
    updated_at: str


class ToldForm(TypedDict):
    delivery_id: str
    reference: str
    title: str
    customer: ToldCustomer
    contact_id: str | None
    language: str
    fields: list[FieldView]
    happened_at: str


class ToldCart(TypedDict):
    """One that was bought after a reminder."""

    cart_id: str
    reference: str
    order_reference: str
    customer: ToldCustomer
    contact_id: str | None
    language: str
    reminders: int
    cart_amount: float | None
    cart_currency: str
    amount: float | None
    currency: str
    began_at: str
    happened_at: str | None
