"""What time does to points: those that nobody used go by, and their owners are told ahead, once."""

from __future__ import annotations

from tablegram.engine.drains import Drain, Work
from tablegram.engine.leases import Leases
from tablegram.events.planning import Statement
from tablegram.flows.loyalty.telling import PointsTelling
from tablegram.flows.loyalty.warning import QueuedWarning, Warnings
from tablegram.loyalty import ledger, stamps
from tablegram.loyalty.store import points as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

# Points go by on a day, and not on a second.
LOOK_EVERY_S = 300.0


class PointsClock(Work):
    """Looks from time to time, in one process of the installation."""

    def __init__(self, db: Database, clock: Clock, warnings: Warnings, telling: PointsTelling, leases: Leases) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._warnings = warnings
        self._telling = telling
        self.drain = Drain("points clock", self, leases, retry_s=LOOK_EVERY_S)

    async def step(self) -> float:
        await self.see_to()
        return LOOK_EVERY_S

    async def see_to(self) -> None:
        if not await self.drain.hold():
            return
        now = self._clock.now_ms()
        for account_id, contact_id in await self._db.snapshot(lambda tx: ledger.whom(tx, store.EXPIRED, now)):
            await self._let_go_by(account_id, contact_id, now)
        for account_id, card_id, contact_id in await self._db.snapshot(lambda tx: stamps.expired(tx, now)):
            await self._let_stamps_go_by(account_id, card_id, contact_id, now)
        for account_id, contact_id in await self._db.snapshot(lambda tx: ledger.whom(tx, store.EXPIRING, now)):
            await self._warn(account_id, contact_id, now)

    async def _let_go_by(self, account_id: int, contact_id: str, now: int) -> None:
        await self._telling.refresh(account_id)

        async def work(tx: Tx) -> list[Statement]:
            await self.lease.guard(tx)
            found: list[Statement] = []
            for one in await ledger.let_go_by(tx, account_id, contact_id, now):
                found += await self._telling.moved(tx, one)
            return found

        self._telling.sent(account_id, await self._db.write(work))

    async def _let_stamps_go_by(self, account_id: int, card_id: str, contact_id: str, now: int) -> None:
        async def work(tx: Tx) -> None:
            await self.lease.guard(tx)
            await stamps.let_go_by(tx, account_id, card_id, contact_id, now)

        await self._db.write(work)

    async def _warn(self, account_id: int, contact_id: str, now: int) -> None:
        async def work(tx: Tx) -> QueuedWarning | None:
            await self.lease.guard(tx)
            return await self._warnings.warn(tx, account_id, contact_id, now)

        told = await self._db.write(work)
        if told is not None:
            self._warnings.sent(account_id, told)
