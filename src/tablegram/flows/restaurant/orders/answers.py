"""What is answered about orders: the structs that flows make, pages show, and the API and its keys encode.

Their fields stand in the order in which they are sent.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.restaurant.orders.states import OrderType, PaidBy, PaymentMethod, PaymentState, State
from tablegram.values.clock import MomentText


class OrderCustomer(Struct, kw_only=True, frozen=True):
    """Who ordered; what is not known is empty."""

    phone: str
    name: str


class OrderChoice(Struct, kw_only=True, frozen=True):
    """An option of the dish, and how often in one portion."""

    option_id: str
    quantity: int


class OrderItem(Struct, kw_only=True, frozen=True):
    """A line as it was priced when it was ordered."""

    name: str
    quantity: int
    unit_price: Annotated[float, Meta(description="Of one, its options included.")]
    options: list[str]
    station: str
    note: str
    kitchen_name: str
    kitchen_options: list[str]
    item_id: str
    choices: list[OrderChoice]


class OrderExtra(Struct, kw_only=True, frozen=True):
    """A charge or a discount."""

    kind: str
    name: str
    amount: float


class OrderStep(Struct, kw_only=True, frozen=True):
    """Something that happened to the order."""

    event: str
    status: State
    payment_status: PaymentState
    at: MomentText
    by: Annotated[str, Meta(description="A person, a key, guest, provider or clock.")]
    reason: str


class OrderDestination(Struct, kw_only=True, frozen=True):
    """Where a delivery goes, as far as it is known."""

    standing: Annotated[
        Literal["inside", "outside", "unknown"], Meta(description="Of the venue's zones; unknown: staff decide.")
    ]
    zone_id: str
    zone: str
    latitude: float | None
    longitude: float | None
    distance_m: Annotated[int | None, Meta(description="From the venue, as the crow flies.")]


class OrderView(Struct, kw_only=True, frozen=True):
    """An order. Amounts are decimal numbers of its currency."""

    order_id: str
    order_type: OrderType
    table_number: str
    waiter_assigned: str
    customer: OrderCustomer
    items: list[OrderItem]
    notes: str
    total_amount: float
    payment_method: PaymentMethod
    status: State
    payment_status: PaymentState
    currency: str
    charges: list[OrderExtra]
    discounts: list[OrderExtra]
    venue_id: str
    contact_id: str
    address: str
    route_url: Annotated[str, Meta(description="The way to the place that the guest shared.")]
    destination: OrderDestination | None
    language: str
    revision: Annotated[int, Meta(description="Grows when what was ordered is changed.")]
    reason: Annotated[str, Meta(description="Why it was rejected or cancelled; else empty.")]
    promised_at: MomentText | None
    created_at: MomentText
    updated_at: MomentText
    table_id: str | None
    tab_id: str | None
    stations: list[str]
    actions: Annotated[list[str], Meta(description="What can be done to it right now.")]
    age_s: int
    late_s: Annotated[int | None, Meta(description="Seconds past the promised time; negative while there is time.")]
    closed_at: MomentText | None
    status_url: Annotated[str, Meta(description="The guest's own page of the order.")]


class WholeOrder(OrderView, kw_only=True, frozen=True):
    """An order with everything that happened to it."""

    history: list[OrderStep]


class OrderPage(Struct, kw_only=True, frozen=True):
    """Orders, newest first unless another order was asked for."""

    data: list[OrderView]
    next_cursor: str | None


class OrderMoney(Struct, kw_only=True, frozen=True):
    """What came for an order, or went back, in one way."""

    kind: Literal["payment", "refund"]
    method: PaidBy
    amount: float


class PaidByGift(Struct, kw_only=True, frozen=True):
    """What a gift card paid of an order, and how the order stands after it."""

    order_id: str
    status: State
    payment_status: PaymentState
    amount: Annotated[float, Meta(description="What the card paid.")]
    open: Annotated[float, Meta(description="What is left to pay of the order.")]
    gift_left: Annotated[float, Meta(description="What is left on the card.")]
    currency: str


class AnsweredOrderRequest(Struct, kw_only=True, frozen=True):
    """What staff said to a guest who wanted an order cancelled or changed."""

    id: str
    order_id: str
    answer: Literal["accepted", "refused"]
    answered_by: Annotated[str, Meta(description="A person's or a key's name.")]


class OrderRequestView(Struct, kw_only=True, frozen=True):
    """A guest who wants an order cancelled or changed that the kitchen has begun."""

    id: str
    order_id: str
    kind: Literal["cancel", "change"]
    words: Annotated[str, Meta(description="As the guest wrote it.")]
    created_at: MomentText
    age_s: int


class OrderRequestPage(Struct, kw_only=True, frozen=True):
    """Wishes that nobody answered yet, the longest waiting first."""

    data: list[OrderRequestView]
    next_cursor: str | None
