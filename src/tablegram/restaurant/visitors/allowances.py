"""What visitors whom nobody knows may cause in an hour: counted by address, table, venue and in all.

Each is a budget that holds a whole hour's worth and fills up again evenly. Who proved the table by its code has one of
their own, so that strangers, however many, use up nothing that guests need. Processes tell each other what they granted.
"""

from __future__ import annotations

import time
from typing import Literal, NamedTuple

from tablegram.engine.bus.port import Bus
from tablegram.errors import TooMany
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.settings import Settings
from tablegram.values.clock import HOUR_MS, SECOND_MS
from tablegram.web.limits import Limiter, share_limits

Cause = Literal["cart", "order", "call", "proof", "gift"]

# A full house stands behind one address: a table is a tenth of it, a venue has guests on networks of their own too, and
# an installation has many venues.
OF_TABLE, OF_VENUE, OF_ALL = 0.1, 4.0, 20.0

_WORDS: dict[Cause, str] = {
    "cart": "Too many carts were opened {where} within an hour. Please order with the staff.",
    "order": "Too many orders were placed {where} within an hour. Please order with the staff.",
    "call": "There were too many calls {where} within an hour. Please wave to the staff.",
    "proof": "Points were asked for too often {where} within an hour. Please ask the staff.",
    "gift": "Gift cards were typed too often {where} within an hour. Please pay with the staff.",
}


class Visitor(NamedTuple):
    """Who asks, as far as anybody can tell: an address, and perhaps a table that was proved or only named."""

    venue: Venue
    table: Table | None = None
    signed: bool = False
    # As requests are counted by; empty for who comes by no network, who is not counted by it.
    address: str = ""


class Allowances:
    def __init__(self, settings: Settings) -> None:
        self._limiter = Limiter()
        self._per_hour: dict[Cause, int] = {
            "cart": settings.guest_carts_h,
            "order": settings.guest_orders_h,
            "call": settings.guest_calls_h,
            # As often as a cart is opened, and counted for itself.
            "proof": settings.guest_carts_h,
            # As often as somebody orders: whoever tries codes by hand or by machine finds none in all their life.
            "gift": settings.guest_orders_h,
        }
        self._share = settings.stranger_share

    def share(self, bus: Bus) -> None:
        """From now on what other processes granted counts here too."""
        share_limits(bus, "guests", self._limiter)

    def take(self, cause: Cause, visitor: Visitor) -> None:
        """Count one more, or refuse it in words. What is refused by one budget may have been counted by another."""
        whole = self._per_hour[cause]
        if whole == 0:
            return
        share = 1.0 if visitor.signed else self._share
        kind = f"{cause} {'guest' if visitor.signed else 'stranger'}"
        venue, table = visitor.venue, visitor.table
        budgets = [(f"venue {venue.id}", OF_VENUE, "at this restaurant"), ("all", OF_ALL, "here")]
        if table is not None:
            budgets.insert(0, (f"table {table.id}", OF_TABLE, "at this table"))
        if visitor.address:
            budgets.insert(0, (f"address {visitor.address}", 1.0, "from your network"))
        for name, times, where in budgets:
            most = max(1, round(whole * share * times))
            decision = self._limiter.take(f"{kind} {name}", most * SECOND_MS / HOUR_MS, most, time.monotonic())
            if not decision.allowed:
                raise TooMany(
                    _WORDS[cause].format(where=where), code="guests_limit", retry_after_s=decision.retry_after_s
                )
