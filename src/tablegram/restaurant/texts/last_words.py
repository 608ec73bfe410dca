"""How often somebody was told that people will answer: two machines that answer each other come to an end."""

from __future__ import annotations

from tablegram.restaurant.store import texts as store
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS

# Who still writes after so many has been told.
MOST = 4
WITHIN_MS = HOUR_MS


async def may_say(tx: Tx, account_id: int, venue_id: str, phone: str, now: int) -> bool:
    """Whether one more may be said; it is counted."""
    row = {"account_id": account_id, "venue_id": venue_id, "phone": phone, "since": now, "count": 1}
    counted = await tx.first(store.COUNT_WORD, {**row, "before": now - WITHIN_MS})
    return counted is not None and counted["count"] <= MOST
