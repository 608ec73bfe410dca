"""Links and refunds that are due, access by access: one that does not answer delays no other."""

from __future__ import annotations

from tablegram.engine.drains import Depth, KeyedDrain, Work
from tablegram.engine.leases import Leases
from tablegram.engine.timers import Tasks
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.model import Link
from tablegram.payments.store import links as store
from tablegram.storage.database import Database
from tablegram.values.clock import Clock

# At once with one access; what is more takes its turn.
MOST = 8

Key = tuple[int, str]


class LinkWork(Work):
    def __init__(self, caretaker: Caretaker, key: Key) -> None:
        super().__init__()
        self._caretaker = caretaker
        self._key = key

    async def step(self) -> float | None:
        return 0.0 if await self._caretaker.look(*self._key, MOST) else None


class LinkDrain:
    def __init__(self, db: Database, clock: Clock, caretaker: Caretaker, leases: Leases, tasks: Tasks) -> None:
        self._db = db
        self._clock = clock
        self._caretaker = caretaker
        self.drain: KeyedDrain[Key, LinkWork] = KeyedDrain(
            "payment links", leases, tasks, open=lambda key: LinkWork(caretaker, key),
            lease=lambda key: f"payments:{key[1]}", find=self._find, depth=Depth(db, clock, store.DEPTH),
        )  # fmt: skip

    async def _find(self) -> list[Key]:
        rows = await self._db.all(store.WAITING, {"now": self._clock.now_ms()})
        return [(row["account_id"], row["provider_id"]) for row in rows]

    def wake(self, link: Link) -> None:
        self.drain.wake((link.account_id, link.provider_id))

    def told(self, link: Link) -> None:
        """A link changed: it may be due now."""
        if link.ask_at is not None and link.ask_at <= self._clock.now_ms():
            self.wake(link)
