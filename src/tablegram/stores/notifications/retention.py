"""How long what was said is kept: notices and carts a year, purchases a season."""

from __future__ import annotations

from tablegram.engine.purging import Purge, days
from tablegram.stores.carts.store import forget_carts, forget_purchases
from tablegram.stores.notifications.store import forget_notices

KEPT_DAYS = 365
# Longer than any reminder of a cart waits.
PURCHASE_DAYS = 120

PURGES = (
    Purge("", days(KEPT_DAYS), forget_notices),
    Purge("", days(KEPT_DAYS), forget_carts),
    Purge("", days(PURCHASE_DAYS), forget_purchases),
)
