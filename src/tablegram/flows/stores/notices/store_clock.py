"""The one drain of notices and carts: what is due goes, in one process of the installation."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from tablegram.engine.drains import Drain, Work
from tablegram.engine.leases import Leases
from tablegram.errors import LeaseLost, Problem
from tablegram.flows.stores.notices.reminding import Reminding
from tablegram.flows.stores.notices.speaking import QueuedNotice, Speaking
from tablegram.storage.database import Database, Tx
from tablegram.stores.carts import store as cart_store
from tablegram.stores.notifications import store as notice_store
from tablegram.values.clock import Clock

log = logging.getLogger("tablegram.stores")

# Other processes make notices too, and nobody rings for those.
LOOK_EVERY_S = 2.0
# In one look; they share a commit.
MOST = 100

Due = Callable[[Tx, int, str, int], Awaitable[QueuedNotice | None]]


class StoreClock(Work):
    """`prepare` is awaited with each account that has a cart due; `told` is called with each that has something changed."""

    def __init__(
        self, db: Database, clock: Clock, reminding: Reminding, speaking: Speaking, leases: Leases,
        prepare: Callable[[int], Awaitable[None]], told: Callable[[int], None],
    ) -> None:  # fmt: skip
        super().__init__()
        self._db = db
        self._clock = clock
        self._reminding = reminding
        self._speaking = speaking
        self._prepare = prepare
        self._told = told
        self.drain = Drain("store notices", self, leases, retry_s=LOOK_EVERY_S)

    async def step(self) -> float:
        done = await self.look()
        return 0.0 if done >= MOST else LOOK_EVERY_S

    async def look(self) -> int:
        """Everything that is due, as much as fits into one look; how much there was."""
        now = self._clock.now_ms()
        which = {"now": now, "most": MOST}
        notices = await self._db.all(notice_store.DUE, which)
        carts = await self._db.all(cart_store.DUE, which)
        for account_id in {row["account_id"] for row in carts}:
            await self._prepare(account_id)
        work: list[tuple[Due, int, str]] = [
            (self._reminding.notice_due, row["account_id"], row["id"]) for row in notices
        ]
        work += [(self._reminding.cart_due, row["account_id"], row["id"]) for row in carts]
        results = await asyncio.gather(*(self._do(*one, now) for one in work), return_exceptions=True)
        for result in results:
            if isinstance(result, LeaseLost) or (isinstance(result, BaseException) and not isinstance(result, Problem)):
                raise result
            if isinstance(result, Problem):
                # Somebody changed it in this very moment; the next look finds it again.
                log.info("a notice waits: %s", result.detail)
        for account_id in {account_id for _, account_id, _ in work}:
            self._told(account_id)
        return max(len(notices), len(carts))

    async def _do(self, due: Due, account_id: int, key: str, now: int) -> None:
        async def work(tx: Tx) -> QueuedNotice | None:
            await self.lease.guard(tx)
            return await due(tx, account_id, key, now)

        said = await self._db.write(work)
        if said is not None:
            self._speaking.sent(account_id, said.instance_id)
