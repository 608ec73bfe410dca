"""What is answered about couriers and deliveries. Fields stand in the order in which they are sent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.delivery.tours.states import Action, State
from tablegram.restaurant.orders.states import PaymentMethod
from tablegram.restaurant.orders.states import State as OrderState
from tablegram.values.clock import MomentText


class ShiftView(Struct, kw_only=True, frozen=True):
    """When somebody worked, and the cash of it. Amounts are decimal numbers of the currency."""

    id: str
    courier_id: str
    courier_name: str
    venue_id: str
    currency: str
    started_at: MomentText
    started_by: str
    ended_at: MomentText | None
    ended_by: str
    orders_paid: Annotated[int, Meta(description="Orders for which the courier took money.")]
    cash_amount: Annotated[float, Meta(description="Cash that the courier took, to be handed in.")]
    card_amount: Annotated[float, Meta(description="Taken by card.")]
    counted_amount: Annotated[float | None, Meta(description="Cash that was handed in; null until it is counted.")]
    difference_amount: Annotated[float | None, Meta(description="Handed in, less what should have been.")]
    note: str
    counted_at: MomentText | None
    counted_by: str


class CourierView(Struct, kw_only=True, frozen=True):
    """Somebody who brings orders."""

    id: str
    venue_id: str
    name: str
    phone: Annotated[str, Meta(description="With the country code; empty where they have none here.")]
    member_id: str | None
    language: Literal["en", "tr"]
    active: bool
    open_deliveries: int
    shift: Annotated[ShiftView | None, Meta(description="The shift that they work right now; null for none.")]
    created_at: MomentText


class CourierLink(Struct, kw_only=True, frozen=True):
    """The way to a courier's own page."""

    courier_id: str
    url: Annotated[str, Meta(description="Theirs alone, to be opened on their phone; empty where they have none.")]
    pin: Annotated[str, Meta(description="Six digits, told once: where they were just made; else empty.")]


class CourierPage(Struct, kw_only=True, frozen=True):
    """Couriers, oldest first."""

    data: list[CourierView]
    next_cursor: str | None


class ShiftPage(Struct, kw_only=True, frozen=True):
    """Shifts of a courier, newest first."""

    data: list[ShiftView]


class DeliveryCourier(Struct, kw_only=True, frozen=True):
    """Who has it; the name is empty for somebody whose account is gone."""

    id: str
    name: str


class DeliveryCustomer(Struct, kw_only=True, frozen=True):
    """Who waits for it; what is not known is empty."""

    phone: str
    name: str


class DeliveryStep(Struct, kw_only=True, frozen=True):
    """Something that somebody did."""

    step_id: str
    action: str
    state: State
    by: str
    reason: Annotated[str, Meta(description="Why it was brought back; empty for none.")]
    via: Annotated[str, Meta(description="panel, api, page, message, or order: somebody moved the order itself.")]
    at: MomentText
    undone_at: MomentText | None


class OrderDeliveryView(Struct, kw_only=True, frozen=True):
    """An order in somebody's hands. Amounts are decimal numbers of the currency."""

    delivery_id: str
    order_id: str
    venue_id: str
    state: State
    courier: DeliveryCourier
    position: Annotated[int, Meta(description="Among the stops of the courier.")]
    order_status: OrderState
    customer: DeliveryCustomer
    address: str
    route_url: str
    notes: str
    collect_amount: Annotated[float, Meta(description="What the guest still has to pay; 0 when paid.")]
    payment_method: PaymentMethod
    collected_amount: float
    collected_by: Annotated[str, Meta(description="cash or card_on_delivery; empty while nothing was taken.")]
    currency: str
    promised_at: MomentText | None
    late_s: Annotated[int | None, Meta(description="Seconds past the promised time; negative while there is time.")]
    assigned_at: MomentText
    picked_up_at: MomentText | None
    ended_at: MomentText | None
    reason: Annotated[str, Meta(description="Why it was brought back; empty for none.")]
    step_id: Annotated[str, Meta(description="The last step: take it back by this within ten seconds.")]
    actions: Annotated[list[Action], Meta(description="What can be done to it right now.")]


class WholeOrderDelivery(OrderDeliveryView, kw_only=True, frozen=True):
    """A delivery with everything that happened to it."""

    steps: list[DeliveryStep]


class OrderDeliveryPage(Struct, kw_only=True, frozen=True):
    """Deliveries, newest first."""

    data: list[OrderDeliveryView]
    next_cursor: str | None


class Tour(Struct, kw_only=True, frozen=True):
    """What a courier brings, stop by stop."""

    courier_id: str
    courier_name: str
    stops: list[OrderDeliveryView]
    route_urls: Annotated[
        list[str], Meta(description="One link through all stops; another for each ten stops more. Empty: no addresses.")
    ]
