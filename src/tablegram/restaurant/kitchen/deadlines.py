"""By when a kitchen is to be done with an order, and from when on it is late."""

from __future__ import annotations

from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import Venue
from tablegram.values.clock import MINUTE_MS


def deadlines(venue: Venue, order: Order) -> tuple[int, int]:
    """When it was promised, and when who waits has waited twice as long."""
    promised = order.promised_at or order.created_at + venue.details.preparation_min * MINUTE_MS
    late = promised + max(promised - order.created_at, MINUTE_MS)
    if order.state == "awaiting_confirmation":
        # Who waits to hear whether there will be food at all is urgent well before the order ends by itself.
        patience = venue.details.answer_within_min * MINUTE_MS
        promised, late = order.created_at + patience // 3, order.created_at + 2 * patience // 3
    return promised, late
