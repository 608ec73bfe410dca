"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal, TypedDict

from tablegram.restaurant.orders.states import Event, OrderType, PaidBy, PaymentMethod, PaymentState
from tablegram.restaurant.orders.states import State as OrderState

CallKind = Literal["waiter", "bill"]
PayBy = Literal["cash", "card"]
MoneyKind = Literal["payment", "refund"]
MoneyState = Literal["asked", "succeeded", "failed", "dropped"]
DraftState = Literal["open", "waiting", "confirmed", "dropped", "expired", "replaced"]
RequestKind = Literal["cancel", "change"]
RequestState = Literal["open", "replaced", "accepted", "refused"]


class VenueRow(TypedDict):
    account_id: int
    id: str
    name: str
    is_default: int
    instance_id: int | None
    currency: str
    time_zone: str
    locale: str
    # Lists as JSON; the hours and details are JSON too.
    languages: str
    order_types: str
    stations: str
    hours: str
    service_charge: int
    accepts_by_itself: int
    refuses_unsigned: int
    signing_key: str
    details: str
    menu_version: int
    created_at: int
    updated_at: int
    deleted_at: int | None


class SigningKey(TypedDict):
    account_id: int
    id: str
    signing_key: str


class WaiterRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    phone: str
    member_id: str | None
    created_at: int


class SectionRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    waiter_id: str | None
    position: int


class TableRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    label: str
    label_key: str
    section_id: str | None
    waiter_id: str | None
    seats: int | None
    position: int
    generation: int
    created_at: int
    # Of who serves it; empty where nobody does.
    section_name: str | None
    waiter_name: str | None
    waiter_phone: str | None


class CategoryRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    description: str
    position: int
    is_hidden: int
    image_id: str | None
    # JSON, as are the translations.
    availability: str
    translations: str


class ItemRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    category_id: str
    code: str
    name: str
    kitchen_name: str
    description: str
    price: int
    image_id: str | None
    # Lists as JSON.
    allergens: str
    tags: str
    station: str
    # JSON, as are the translations.
    availability: str
    sold_out_until: int | None
    is_hidden: int
    position: int
    translations: str
    updated_at: int
    vat: int | None


class GroupRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    code: str
    name: str
    required: int
    least: int
    most: int | None
    # JSON.
    translations: str


class OptionRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    group_id: str
    name: str
    kitchen_name: str
    price_delta: int
    most: int
    is_default: int
    sold_out_until: int | None
    position: int
    # A list as JSON; the translations are JSON too.
    opens: str
    translations: str


class JoinRow(TypedDict):
    account_id: int
    item_id: str
    group_id: str
    venue_id: str
    position: int


class PictureRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    width: int
    height: int
    created_at: int


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


class NamedItem(TypedDict):
    id: str
    name: str
