"""Automatic replies at work: chosen, paid and queued in the transaction of the message that they answer."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.crm.auto_replies import Replies, Reply
from tablegram.crm.store import auto_replies as reply_store
from tablegram.flows.gateway.answering import AUTO_REPLIES, Answered, Heard, Written
from tablegram.flows.gateway.queueing import Queueing, Waiting, Way
from tablegram.messaging.model import Text
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS, Clock

# These are not said to anybody, so nothing is answered.
_SILENT = ("reaction", "call", "unsupported")


class AutoReplies:
    """Answers when nobody else does."""

    precedence = AUTO_REPLIES
    # A few tries before the inbox gives the message itself up.
    max_failures = 6

    def __init__(self, replies: Replies, clock: Clock, queue: Queueing) -> None:
        self._replies = replies
        self._clock = clock
        self._queue = queue
        self._waiting = Waiting(queue)

    async def prepare(self, written: Sequence[Written]) -> None:
        for account_id in {one.account_id for one in written}:
            await self._replies.refresh(account_id)

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        """Queue the reply to a message that was not seen before, if there is one."""
        said, item, contact = heard.written, heard.written.message, heard.contact
        applying = self._replies.applying(
            said.account_id, said.instance_id, item.at_ms, item.text, contact.previous_at_ms
        )
        if not applying or item.type in _SILENT or not item.address or said.change:
            return None
        now = self._clock.now_ms()
        if item.is_late(now):
            return None
        for ready in applying:
            if await _take(tx, ready.reply, contact.contact_id, now):
                line = ready.reply.account_id, ready.reply.instance_id
                reply = Text(ready.reply.message)
                way = Way(*line, ready.line_kind)
                if await self._queue.put(tx, way, item.address, reply, now, by=ready.reply.kind):
                    self._waiting.add(*line)
                return Answered()
        return None

    def committed(self) -> None:
        """The replies are committed: their lines may send them."""
        self._waiting.committed()


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
