"""Messages that the product writes by itself: paid and queued in the transaction of what they tell of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from tablegram.accounts.money import quota
from tablegram.accounts.money.purse import Purse
from tablegram.accounts.money.rate_card import RateCard
from tablegram.errors import QuotaExhausted
from tablegram.flows.files.attachments import take_along
from tablegram.messaging.model import NORMAL, Category, Content, Stored, category_of, type_of, words_of
from tablegram.messaging.rows.messages import NewMessage
from tablegram.messaging.store import messages as store
from tablegram.settings import Settings
from tablegram.storage.database import Tx
from tablegram.values.authors import AUTOMATIC
from tablegram.values.clock import HOUR_MS
from tablegram.values.ids import new_id
from tablegram.values.phone import calling_code

Wake = Callable[[int, int], None]


class Way(msgspec.Struct, frozen=True):
    """The line that a message goes by; its kind is part of the price."""

    account_id: int
    instance_id: int
    kind: str


async def queue_all(tx: Tx, rows: Sequence[NewMessage]) -> None:
    """Messages that are paid for, in one statement."""
    if rows:
        await tx.many(store.INSERT, rows)


class Queueing:
    """Call `wake` after the commit, with the line that has something to send."""

    def __init__(self, card: RateCard, settings: Settings, wake: Wake) -> None:
        self._card = card
        self._prepaid = settings.billing == "prepaid"
        self._max_age_ms = int(settings.queue_max_age_h * HOUR_MS)
        self.wake = wake

    async def put(
        self, tx: Tx, way: Way, phone: str, content: Content, now: int, *,
        by: str = "notice", priority: int = NORMAL, category: Category | None = None, at: int = 0, media_id: str = "",
    ) -> str | None:  # fmt: skip
        """Queue a message and pay for it; returns its key. `by`: which part of the product writes it.

        Nothing where nobody can pay for it: what it tells of counts more. `category` says what it is for; it costs what
        it is (`category_of`). `at`: not before then. `media_id`: the file of our own store that the content is, which
        stays as long as its message needs it.
        """
        kept_as = category or category_of(content)
        row = self._row(way, new_id(now), phone, content, kept_as, now, max(now, at), by=by, priority=priority)
        files = await take_along(tx, media_id, row, shared=True) if media_id else []
        if not await self._pay(tx, row, now):
            return None
        await tx.run(store.INSERT, row)
        for query, params in files:
            await tx.run(query, params)
        return row["id"]

    async def purse(self, tx: Tx, account_id: int, now: int) -> Purse:
        """What the account pays with, for who queues many at once: `pay_for` each, then close it and `queue_all`."""
        return await Purse.open(tx, account_id, now, prepaid=self._prepaid)

    def pay_for(
        self, purse: Purse, way: Way, phone: str, content: Content, now: int, *, by: str, priority: int,
        category: Category,
    ) -> NewMessage | None:  # fmt: skip
        """The row of a message that is paid for out of a purse; nothing as in `put`."""
        row = self._row(way, new_id(now), phone, content, category, now, now, by=by, priority=priority)
        cost = purse.pay(row["id"], row["cost_micros"])
        if cost is None:
            return None
        row["cost_micros"] = cost
        return row

    async def _pay(self, tx: Tx, row: NewMessage, now: int) -> bool:
        try:
            row["cost_micros"] = await quota.charge(
                tx, row["account_id"], row["id"], row["cost_micros"], now, prepaid=self._prepaid
            )
        except QuotaExhausted:
            return False
        return True

    def _row(
        self, way: Way, key: str, phone: str, content: Content, category: str, now: int, starts: int, *,
        by: str, priority: int,
    ) -> NewMessage:  # fmt: skip
        return {
            "account_id": way.account_id,
            "id": key,
            "instance_id": way.instance_id,
            "direction": "out",
            "phone": phone,
            "type": type_of(content),
            "text": words_of(content),
            "content": msgspec.json.encode(Stored(content)).decode(),
            "state": "queued",
            "priority": priority,
            "due_at": starts,
            "expires_at": starts + self._max_age_ms,
            "claimed_by": None,
            "claimed_at": None,
            "category": category,
            # A template costs as what it was approved for, all else as a part of the conversation, whatever it is for.
            "cost_micros": self._card.price_micros(way.kind, calling_code(phone), category_of(content), now),
            "created_at": now,
            "sent_by": AUTOMATIC + by,
            "trace": None,
        }


class Waiting:
    """Lines that have something to send as soon as the transactions that queued it are committed."""

    def __init__(self, queue: Queueing) -> None:
        self._queue = queue
        self._lines: set[tuple[int, int]] = set()

    def add(self, account_id: int, instance_id: int) -> None:
        self._lines.add((account_id, instance_id))

    def committed(self) -> None:
        lines, self._lines = self._lines, set()
        for account_id, instance_id in lines:
            self._queue.wake(account_id, instance_id)
