"""How a venue takes payment online."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tablegram.api.schemas.fields import optional_line
from tablegram.restaurant.menu.model import OrderType

PaysOnline = Annotated[
    list[OrderType],
    Meta(
        max_length=3,
        description="Kinds of orders that may be paid online, where a payment provider is connected.",
        extra_json_schema={"uniqueItems": True},
    ),
]
Prepaid = Annotated[
    list[OrderType],
    Meta(
        max_length=3,
        description="Of the kinds in `pays_online`: those that guests without a finished order at the venue must pay online.",
        extra_json_schema={"uniqueItems": True},
    ),
]
PayWithin = Annotated[
    int, Meta(ge=5, le=1_440, description="Minutes that a payment link is open. A provider may want more.")
]
PaymentProviderId = Annotated[str, optional_line(64, "A payment provider of the account; empty for its default one.")]
Vat = Annotated[
    float,
    Meta(ge=0, le=100, description="VAT that prices include, in percent with two decimals; null for none of its own."),
]
