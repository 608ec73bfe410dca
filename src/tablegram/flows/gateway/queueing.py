"""Messages that the product writes by itself: paid and queued in the transaction of what they tell of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.accounts.money import quota
from tablegram.accounts.money.rate_card import RateCard
from tablegram.errors import QuotaExhausted
from tablegram.messaging.model import NORMAL, Stored, Text
from tablegram.messaging.store import messages as store
from tablegram.settings import Settings
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS
from tablegram.values.ids import new_id
from tablegram.values.phone import calling_code

Wake = Callable[[int, int], None]


class Queueing:
    """Call `wake` after the commit, with the line that has something to send."""

    def __init__(self, card: RateCard, settings: Settings, wake: Wake) -> None:
        self._card = card
        self._prepaid = settings.billing == "prepaid"
        self._max_age_ms = int(settings.queue_max_age_h * HOUR_MS)
        self.wake = wake

    async def put(
        self, tx: Tx, account_id: int, instance_id: int, line_kind: str, phone: str, text: str, now: int,
        priority: int = NORMAL,
    ) -> bool:  # fmt: skip
        """Queue a text; not where nobody can pay for it, because what it tells of counts more."""
        key = new_id(now)
        price = self._card.price_micros(line_kind, calling_code(phone), "service", now)
        try:
            cost = await quota.charge(tx, account_id, key, price, now, self._prepaid)
        except QuotaExhausted:
            return False
        row = self._row(account_id, instance_id, key, phone, text, cost, now)
        await tx.run(store.INSERT, {**row, "priority": priority})
        return True

    def _row(
        self, account_id: int, instance_id: int, key: str, phone: str, text: str, cost: int, now: int
    ) -> dict[str, Any]:
        return {
            "account_id": account_id,
            "id": key,
            "instance_id": instance_id,
            "direction": "out",
            "phone": phone,
            "type": "text",
            "text": text,
            "content": msgspec.json.encode(Stored(Text(text))).decode(),
            "state": "queued",
            "due_at": now,
            "expires_at": now + self._max_age_ms,
            "claimed_by": None,
            "claimed_at": None,
            "category": "service",
            "cost_micros": cost,
            "created_at": now,
        }
