"""An order as it stands in the list of a person's orders. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from msgspec import Struct

from tablegram.restaurant.orders.model import Order
from tablegram.values.clock import MomentText, iso
from tablegram.values.money import to_wire


class OrderedItem(Struct, kw_only=True, frozen=True):
    """A dish, and how often."""

    name: str
    quantity: int


class ContactOrder(Struct, kw_only=True, frozen=True):
    """An order of a contact. `GET /orders/{order_id}` tells everything about it."""

    order_id: str
    venue_id: str
    order_type: str
    table_number: str
    status: str
    payment_status: str
    items: list[OrderedItem]
    total_amount: float
    currency: str
    created_at: MomentText


def brief(order: Order) -> ContactOrder:
    return ContactOrder(
        order_id=order.order_id,
        venue_id=order.venue_id,
        order_type=order.order_type,
        table_number=order.table_label,
        status=order.state,
        payment_status=order.payment_state,
        items=[OrderedItem(name=line.name, quantity=line.quantity) for line in order.lines],
        total_amount=to_wire(order.total, order.currency),
        currency=order.currency,
        created_at=iso(order.created_at),
    )
