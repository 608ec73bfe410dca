"""Automatic replies at work: chosen, paid and queued in the transaction of the message that they answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.accounts import quota
from tablegram.accounts.rate_card import RateCard
from tablegram.crm.auto_replies import Ready, Replies, Reply
from tablegram.crm.contacts import Recognised
from tablegram.crm.store import auto_replies as reply_store
from tablegram.errors import QuotaExhausted
from tablegram.messaging.incoming import InboundMessage
from tablegram.messaging.model import NORMAL, Stored, Text
from tablegram.messaging.store import messages as store
from tablegram.settings import Settings
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS, SECOND_MS, Clock
from tablegram.values.ids import new_id
from tablegram.values.phone import calling_code

# A customer whose message was held up for longer would wonder at an answer.
MAX_AGE_MS = HOUR_MS
# These are not said to anybody, so nothing is answered.
_SILENT = ("reaction", "unsupported")

Wake = Callable[[int, int], None]


class AutoReplies:
    """`wake` is told, after the commit, of a line that has something to send."""

    def __init__(self, replies: Replies, card: RateCard, clock: Clock, settings: Settings, wake: Wake) -> None:
        self._replies = replies
        self._card = card
        self._clock = clock
        self._prepaid = settings.billing == "prepaid"
        self._max_age_ms = int(settings.queue_max_age_h * HOUR_MS)
        self._wake = wake
        self._waiting: set[tuple[int, int]] = set()

    async def refresh(self, account_id: int) -> None:
        """Call before a unit of work that answers."""
        await self._replies.refresh(account_id)

    async def answer(
        self, tx: Tx, account_id: int, instance_id: int, item: InboundMessage, contact: Recognised
    ) -> None:
        """Queue the reply to a message that was not seen before, if there is one."""
        applying = self._replies.applying(account_id, instance_id, item.at_ms, item.text, contact.previous_at_ms)
        if not applying or item.type in _SILENT or not item.sender_phone:
            return
        now = self._clock.now_ms()
        if now - item.at_ms > MAX_AGE_MS:
            return
        for ready in applying:
            if await _take(tx, ready.reply, contact.contact_id, now):
                await self._queue(tx, ready, item.sender_phone, now)
                return

    async def _queue(self, tx: Tx, ready: Ready, phone: str, now: int) -> None:
        reply, key = ready.reply, new_id(now)
        price = self._card.price_micros(ready.line_kind, calling_code(phone), "service", now)
        try:
            cost = await quota.charge(tx, reply.account_id, key, price, now, self._prepaid)
        except QuotaExhausted:
            # The customer's message counts; an answer that nobody can pay for is left out.
            return
        await tx.run(store.INSERT, self._row(reply, key, phone, cost, now))
        self._waiting.add((reply.account_id, reply.instance_id))

    def _row(self, reply: Reply, key: str, phone: str, cost: int, now: int) -> dict[str, Any]:
        return {
            "account_id": reply.account_id,
            "id": key,
            "instance_id": reply.instance_id,
            "direction": "out",
            "phone": phone,
            "type": "text",
            "text": reply.message,
            "content": msgspec.json.encode(Stored(Text(reply.message))).decode(),
            "state": "queued",
            "priority": NORMAL,
            "due_at": now,
            "expires_at": now + self._max_age_ms,
            "claimed_by": None,
            "claimed_at": None,
            "category": "service",
            "cost_micros": cost,
            "created_at": now,
        }

    def answered(self) -> None:
        """The replies are committed: their lines may send them."""
        waiting, self._waiting = self._waiting, set()
        for account_id, instance_id in waiting:
            self._wake(account_id, instance_id)


async def _take(tx: Tx, reply: Reply, contact_id: str, now: int) -> bool:
    """Whether the reply's cool-down for this contact was over; it begins anew."""
    use = {
        "account_id": reply.account_id,
        "contact_id": contact_id,
        "reply_id": reply.id,
        "last_at": now,
        "before": now - reply.cooldown_s * SECOND_MS,
    }
    return await tx.first(reply_store.TAKE, use) is not None
