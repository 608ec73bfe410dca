"""How orders may be paid, by their kind."""

from __future__ import annotations

from typing import get_args

from tablegram.restaurant.orders.states import PaymentMethod
from tablegram.restaurant.venues import Venue

_METHODS: dict[str, tuple[PaymentMethod, ...]] = {
    "dine_in": ("pos_at_table", "cash"),
    "takeaway": ("cash", "pos_at_table"),
    "delivery": ("cash", "card_on_delivery"),
}
# What people of the restaurant take themselves.
IN_PERSON: tuple[PaymentMethod, ...] = tuple(one for one in get_args(PaymentMethod) if one != "online_card")


def payments_ready(venue: Venue) -> bool:
    """Whether guests of the venue can pay online. No payment provider is connected yet."""
    return False


def payment_methods(venue: Venue, order_type: str) -> tuple[PaymentMethod, ...]:
    """How an order of this kind may be paid; the first is meant where nothing is said."""
    methods = _METHODS[order_type]
    return (*methods, "online_card") if payments_ready(venue) else methods
