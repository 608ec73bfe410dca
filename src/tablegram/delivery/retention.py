"""How long it is kept who brought what: a season, for questions about service; counted cash as long as orders."""

from __future__ import annotations

from tablegram.delivery.couriers.store import forget_calls
from tablegram.delivery.tours.store import forget_brought, forget_steps
from tablegram.engine.purging import Purge, days

DELIVERY_DAYS = 90

PURGES = (
    Purge("", days(DELIVERY_DAYS), forget_steps),
    Purge("", days(DELIVERY_DAYS), forget_calls),
    Purge("deliveries_brought", days(DELIVERY_DAYS), forget_brought),
)
