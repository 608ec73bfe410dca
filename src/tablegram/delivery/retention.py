"""How long it is kept who brought what: a season, for questions about service; counted cash as long as orders."""

from __future__ import annotations

from sqlalchemy import BindParameter, bindparam

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import courier_calls, delivery_steps, order_deliveries

DELIVERY_DAYS = 90

_BEFORE: BindParameter[int] = bindparam("before")

PURGES = (
    Purge("", days(DELIVERY_DAYS), old_rows(delivery_steps, delivery_steps.c.at < _BEFORE, delivery_steps.c.id)),
    Purge("", days(DELIVERY_DAYS), old_rows(courier_calls, courier_calls.c.at < _BEFORE, courier_calls.c.order_key)),
    Purge(
        "deliveries_brought",
        days(DELIVERY_DAYS),
        old_rows(order_deliveries, order_deliveries.c.ended_at < _BEFORE, order_deliveries.c.id),
    ),
)
