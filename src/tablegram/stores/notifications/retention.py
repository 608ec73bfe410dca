"""How long what was said is kept: notices and carts a year, purchases a season."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import store_carts, store_notices, store_purchases

KEPT_DAYS = 365
# Longer than any reminder of a cart waits.
PURCHASE_DAYS = 120

_BEFORE: BindParameter[int] = bindparam("before")
n, c, p = store_notices.c, store_carts.c, store_purchases.c

PURGES = (
    Purge("", days(KEPT_DAYS), old_rows(store_notices, and_(n.created_at < _BEFORE, n.state != "waiting"), n.id)),
    Purge("", days(KEPT_DAYS), old_rows(store_carts, and_(c.updated_at < _BEFORE, c.due_at.is_(None)), c.id)),
    Purge("", days(PURCHASE_DAYS), old_rows(store_purchases, p.created_at < _BEFORE, p.reference)),
)
