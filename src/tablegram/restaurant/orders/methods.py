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


def payment_methods(
    venue: Venue, order_type: str, *, online: bool = False, is_known: bool = True
) -> tuple[PaymentMethod, ...]:
    """How an order of this kind may be paid; the first is meant where nothing is said.

    `online`: whether a payment provider is connected. `is_known`: whether the house knows the guest; of others it may
    want the money first.
    """
    methods = _METHODS[order_type]
    if not online or order_type not in venue.details.pays_online:
        return methods
    return ("online_card",) if order_type in venue.details.prepaid and not is_known else (*methods, "online_card")
