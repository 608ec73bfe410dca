"""The event that tells of an order: the fields of the specification, always all of them, and ours beside them."""

from __future__ import annotations

from typing import TypedDict

from tablegram.restaurant.destinations import ZoneReach
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import OrderType, PaymentMethod, PaymentState, State
from tablegram.restaurant.orders.totals import Extra
from tablegram.values.clock import iso
from tablegram.values.money import to_wire

CREATED = "restaurant.order_created"
UPDATED = "restaurant.order_updated"


class ToldCustomer(TypedDict):
    phone: str
    name: str


class ToldItem(TypedDict):
    name: str
    quantity: int
    unit_price: float
    options: list[str]
    station: str
    note: str
    kitchen_name: str
    kitchen_options: list[str]
    item_id: str


class ToldExtra(TypedDict):
    kind: str
    name: str
    amount: float


class ToldDestination(TypedDict):
    standing: ZoneReach
    zone_id: str
    zone: str
    latitude: float | None
    longitude: float | None
    distance_m: int | None


class OrderEvent(TypedDict):
    event: str
    order_id: str
    order_type: OrderType
    table_number: str
    waiter_assigned: str
    customer: ToldCustomer
    items: list[ToldItem]
    notes: str
    total_amount: float
    payment_method: PaymentMethod
    status: State
    payment_status: PaymentState
    currency: str
    charges: list[ToldExtra]
    discounts: list[ToldExtra]
    venue_id: str
    contact_id: str
    address: str
    route_url: str
    destination: ToldDestination | None
    language: str
    revision: int
    reason: str
    promised_at: str | None
    created_at: str
    updated_at: str


def order_event(order: Order, kind: str = UPDATED, *, reason: str = "") -> OrderEvent:
    """The body. Amounts are decimal numbers of the venue's currency; what is empty is `""`, never absent."""
    return {
        "event": kind,
        "order_id": order.order_id,
        "order_type": order.order_type,
        "table_number": order.table_label,
        "waiter_assigned": order.waiter,
        "customer": {"phone": _international(order.customer_phone), "name": order.customer_name},
        "items": [_item(line, order.currency) for line in order.lines],
        "notes": order.notes,
        "total_amount": to_wire(order.total, order.currency),
        "payment_method": order.payment_method,
        "status": order.state,
        # What the specification does not show.
        "payment_status": order.payment_state,
        "currency": order.currency,
        "charges": [_extra(one, order.currency) for one in order.charges],
        "discounts": [_extra(one, order.currency) for one in order.discounts],
        "venue_id": order.venue_id,
        "contact_id": order.contact_id or "",
        "address": order.address,
        "route_url": order.route_url,
        "destination": _destination(order),
        "language": order.language,
        "revision": order.revision,
        "reason": reason,
        "promised_at": iso(order.promised_at),
        "created_at": iso(order.created_at),
        "updated_at": iso(order.updated_at),
    }


def _destination(order: Order) -> ToldDestination | None:
    """The point that a delivery goes to and its zone; nothing where neither is known."""
    where = order.destination
    if where is None:
        return None
    point = where.point
    return {
        "standing": where.standing,
        "zone_id": where.zone_id,
        "zone": where.zone,
        "latitude": None if point is None else point.degrees[0],
        "longitude": None if point is None else point.degrees[1],
        "distance_m": where.distance_m,
    }


def _item(line: PricedLine, currency: str) -> ToldItem:
    return {
        "name": line.name,
        "quantity": line.quantity,
        "unit_price": to_wire(line.unit_price, currency),
        "options": list(line.options),
        "station": line.station,
        "note": line.note,
        "kitchen_name": line.kitchen_name or line.name,
        "kitchen_options": list(line.kitchen_options or line.options),
        "item_id": line.item_id,
    }


def _extra(one: Extra, currency: str) -> ToldExtra:
    return {"kind": one.kind, "name": one.name, "amount": to_wire(one.amount, currency)}


def _international(phone: str) -> str:
    """With a plus sign; nothing for who hides the number and is known by the network's id."""
    digits = phone.lstrip("+")
    return f"+{digits}" if digits.isdecimal() else ""
