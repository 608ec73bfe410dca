"""What the flows of contacts answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


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
    created_at: _MomentText


class ContactOrderPage(Struct, kw_only=True, frozen=True):
    """What a contact ordered, newest first."""

    data: list[ContactOrder]
    next_cursor: str | None
