"""Rows of orders, of what became of them, and of what they came to."""

from __future__ import annotations

from typing import Literal

from tablegram.restaurant.orders.states import Event, OrderType, PaidBy, PaymentMethod, PaymentState
from tablegram.restaurant.orders.states import State as OrderState
from tablegram.storage.shapes import TypedDict

MoneyKind = Literal["payment", "refund"]
MoneyState = Literal["asked", "succeeded", "failed", "dropped"]


class OrderRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    order_id: str
    cart_code: str | None
    message_key: str | None
    order_type: OrderType
    state: OrderState
    payment_method: PaymentMethod
    payment_state: PaymentState
    table_id: str | None
    table_label: str
    tab_id: str | None
    waiter: str
    contact_id: str | None
    customer_phone: str
    customer_name: str
    # JSON, as are charges, discounts and the destination.
    lines: str
    charges: str
    discounts: str
    total: int
    currency: str
    notes: str
    address: str
    route_url: str
    destination: str | None
    language: str
    promised_at: int | None
    revision: int
    created_at: int
    updated_at: int
    closed_at: int | None


class StepRow(TypedDict):
    number: int
    # JSON; empty for how an order began.
    step: str | None


class HistoryRow(StepRow):
    account_id: int
    order_key: str
    event: Event | Literal["place"]
    state: OrderState
    payment_state: PaymentState
    at: int
    by: str
    reason: str


class LastEvent(TypedDict):
    # An order has one from its beginning.
    n: int


class LastNumber(TypedDict):
    last: int


class PaymentRow(TypedDict):
    account_id: int
    id: str
    order_key: str
    kind: MoneyKind
    method: PaidBy
    amount: int
    currency: str
    state: MoneyState
    by: str
    reference: str | None
    created_at: int
    settled_at: int | None
    tab_payment_id: str | None


class SummedRow(TypedDict):
    """How many orders went one way, and what they came to in minor units."""

    n: int
    amount: int
    outcome: Literal["called_off", "waiting", "refunded", "sold"]


class QuarterRow(SummedRow):
    quarter: int


class KindRow(SummedRow):
    order_type: OrderType
    waiter: str
    payment_method: PaymentMethod


class SoldRow(TypedDict):
    id: str
    created_at: int
    # JSON, as are charges and discounts.
    lines: str
    charges: str
    discounts: str


class OrderKey(TypedDict):
    id: str


class OrderOfPayment(TypedDict):
    id: str
    order_id: str


class SpentRow(TypedDict):
    """What a person's orders in one currency come to."""

    contact_id: str
    currency: str
    n: int
    amount: int


class EndingRow(TypedDict):
    order_key: str
    reason: str


class ListSum(TypedDict):
    """How many orders of a list are in one currency, and what those come to that were not called off."""

    currency: str
    n: int
    amount: int


class LateOrder(TypedDict):
    account_id: int
    venue_id: str
    order_id: str
    created_at: int


class PartRow(PaymentRow):
    order_id: str
