"""An order as it is kept: what was ordered at which prices, by whom, for where, and how far it is."""

from __future__ import annotations

from typing import TypedDict

import msgspec

from tablegram.restaurant import destinations
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.states import OrderStanding, OrderType, PaymentMethod, PaymentState, State
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.rows.orders import OrderRow
from tablegram.storage.database import Params

_encode = msgspec.json.Encoder().encode
_decode_lines = msgspec.json.Decoder(tuple[PricedLine, ...]).decode
_decode_extras = msgspec.json.Decoder(tuple[Extra, ...]).decode


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """`id` is the key of its row, `order_id` what people call it."""

    account_id: int
    id: str
    venue_id: str
    order_id: str
    cart_code: str | None = None
    message_key: str | None = None
    order_type: OrderType
    state: State
    payment_method: PaymentMethod
    payment_state: PaymentState
    table_id: str | None = None
    table_label: str = ""
    tab_id: str | None = None
    waiter: str = ""
    contact_id: str | None = None
    # Digits with the country code, without a plus sign, as everywhere inside.
    customer_phone: str = ""
    customer_name: str = ""
    lines: tuple[PricedLine, ...]
    charges: tuple[Extra, ...] = ()
    discounts: tuple[Extra, ...] = ()
    total: int
    currency: str
    notes: str = ""
    # Of a delivery: where to, in the guest's words, and the way to the place that they shared.
    address: str = ""
    route_url: str = ""
    destination: Destination | None = None
    language: str = "en"
    promised_at: int | None = None
    revision: int = 1
    created_at: int
    updated_at: int
    closed_at: int | None = None

    @property
    def is_typed(self) -> bool:
        """Whether somebody filled in a form on the page, and nobody has heard from the number that stands there."""
        return self.cart_code is not None and self.contact_id is None

    @property
    def standing(self) -> OrderStanding:
        return OrderStanding(self.state, self.payment_state, self.order_type, self.payment_method, self.total)


class OrderChanges(TypedDict, total=False):
    """What may become of an order beside its states: `Order`, field by field."""

    table_id: str | None
    table_label: str
    tab_id: str | None
    waiter: str
    contact_id: str | None
    customer_phone: str
    customer_name: str
    lines: tuple[PricedLine, ...]
    charges: tuple[Extra, ...]
    discounts: tuple[Extra, ...]
    notes: str
    address: str
    route_url: str
    destination: Destination | None
    promised_at: int | None
    payment_method: PaymentMethod
    revision: int


def to_row(order: Order) -> Params:
    row = {name: getattr(order, name) for name in order.__struct_fields__}
    row["destination"] = destinations.write(order.destination)
    return {**row, **{name: _encode(row[name]).decode() for name in ("lines", "charges", "discounts")}}


def from_row(row: OrderRow) -> Order:
    return Order(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        order_id=row["order_id"],
        cart_code=row["cart_code"],
        message_key=row["message_key"],
        order_type=row["order_type"],
        state=row["state"],
        payment_method=row["payment_method"],
        payment_state=row["payment_state"],
        table_id=row["table_id"],
        table_label=row["table_label"],
        tab_id=row["tab_id"],
        waiter=row["waiter"],
        contact_id=row["contact_id"],
        customer_phone=row["customer_phone"],
        customer_name=row["customer_name"],
        lines=_decode_lines(row["lines"]),
        charges=_decode_extras(row["charges"]),
        discounts=_decode_extras(row["discounts"]),
        total=row["total"],
        currency=row["currency"],
        notes=row["notes"],
        address=row["address"],
        route_url=row["route_url"],
        destination=destinations.read(row["destination"]),
        language=row["language"],
        promised_at=row["promised_at"],
        revision=row["revision"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        closed_at=row["closed_at"],
    )
