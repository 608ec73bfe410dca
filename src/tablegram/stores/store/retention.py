"""How long deliveries are kept: a month. Orders stay, for the books."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, or_

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import store_deliveries

DELIVERY_DAYS = 30
# What somebody was to see to, and did not.
ASKED_DAYS = 365

_BEFORE: BindParameter[int] = bindparam("before")
d = store_deliveries.c
_SEEN_TO = and_(d.received_at < _BEFORE, or_(d.attention == "", d.settled_at.is_not(None)))

PURGES = (
    Purge("store_deliveries", days(DELIVERY_DAYS), old_rows(store_deliveries, _SEEN_TO, d.id)),
    Purge("", days(ASKED_DAYS), old_rows(store_deliveries, d.received_at < _BEFORE, d.id)),
)
