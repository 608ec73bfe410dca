"""What may be given when something of a venue is made or changed. What is not named is not there."""

from __future__ import annotations

from typing import Literal, NotRequired, Required, TypedDict

from tablegram.restaurant.kitchen.progress import Tap
from tablegram.restaurant.orders.states import OrderType, PaymentMethod

# A decimal number of a currency, or what somebody typed in its place.
Figure = float | str | None


class TableFields(TypedDict, total=False):
    label: str
    section_id: str | None
    waiter_id: str | None
    seats: int | None
    position: int


class WaiterFields(TypedDict, total=False):
    """Calls from their tables are sent to `phone`; who signs in as them is `member_id`."""

    name: str
    phone: str | None
    member_id: str | None


class SectionFields(TypedDict, total=False):
    name: str
    waiter_id: str | None
    position: int


class PaidLineFields(TypedDict):
    """So many of one dish: its order, and its place in it."""

    order_id: str
    line: int
    quantity: NotRequired[int]


class SplitFields(TypedDict, total=False):
    """One of these says how much, or none of them: all that is open."""

    amount: Figure
    order_ids: list[str]
    lines: list[PaidLineFields]
    parts: int | None
    expected_open: Figure


class PaymentFields(SplitFields, total=False):
    method: Required[Literal["cash", "card", "gift"]]
    gift_code: str
    tip: Figure
    given: Figure


class BillLinkFields(SplitFields, total=False):
    phone: str | None
    language: str


class DiscountFields(TypedDict, total=False):
    """An amount or a percentage; with an order and a line, of that dish."""

    reason: str
    amount: Figure
    percent: Figure
    order_id: str | None
    line: int | None


class GiftPaymentFields(TypedDict, total=False):
    gift_code: str
    amount: Figure


class CashMoveFields(TypedDict, total=False):
    kind: Required[str]
    amount: Figure
    reason: str


class NoteFields(TypedDict, total=False):
    """So many notes or coins of one value."""

    value: Figure
    count: int | None


class CountFields(TypedDict, total=False):
    counted_amount: Figure
    notes: list[NoteFields]
    kept_amount: Figure
    reason: str
    expected_amount: Figure


class TapFields(TypedDict, total=False):
    action: Required[Tap]
    station: str | None
    line_ids: list[str]
    revision: int | None


class ChoiceFields(TypedDict):
    option_id: str
    quantity: NotRequired[int]


class LineFields(TypedDict, total=False):
    item_id: Required[str]
    quantity: int
    choices: list[ChoiceFields]
    note: str


class PlaceFields(TypedDict, total=False):
    latitude: float | None
    longitude: float | None


class TakeFields(PlaceFields, total=False):
    """An order that staff take; `taken_by` is who does at a device that several share."""

    venue_id: str
    lines: list[LineFields]
    order_type: OrderType | None
    table_id: str | None
    notes: str
    customer_name: str
    customer_phone: str | None
    address: str
    payment_method: PaymentMethod | None
    language: str | None
    taken_by: str


class ChangeFields(PlaceFields, total=False):
    lines: list[LineFields] | None
    notes: str | None
    table_id: str
    waiter_id: str
    waiter: str
    customer_name: str
    address: str
    revision: int | None


class ActFields(TypedDict, total=False):
    """What comes with an action. `lines` of a refund are places among the items."""

    reason: str
    minutes: int | None
    payment_method: PaymentMethod | None
    paid: bool
    amount: float | None
    lines: list[int]
    revision: int | None


class GuestBillFields(TypedDict, total=False):
    """What a guest pays of the table's bill, in minor units. `key` names the tap, `instead` the link before it."""

    key: Required[str]
    amount: int | None
    parts: int | None
    tip: int | None
    tip_percent: int | None
    language: str
    instead: str


class GuestGiftFields(TypedDict, total=False):
    """What a guest pays with a gift card, in minor units; as much as it has where nothing is said."""

    key: Required[str]
    code: Required[str]
    amount: int | None
    instead: str


class CartFields(TypedDict, total=False):
    """A guest's cart, or what changed of it. `key` names the cart that a phone opens, `offers` the sentence it agrees to."""

    lines: list[LineFields]
    notes: str
    language: str
    order_type: OrderType
    place: PlaceFields | None
    offers: str
    revision: int
    key: str


class OrderFormFields(TypedDict, total=False):
    """What a guest fills in beside a cart to order it. `proof` is of the phone that sent the page's message."""

    name: str
    phone: str
    proof: str
    payment_method: str
    address: str
    notes: str
    gift_code: str
