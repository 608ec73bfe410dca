"""What time does to gift cards: their owners are told ahead, once, and what nobody spent expires."""

from __future__ import annotations

from tablegram.engine.drains import Drain, Work
from tablegram.engine.leases import Leases
from tablegram.errors import NotFound
from tablegram.events.planning import Statement
from tablegram.flows.loyalty.gifts.telling import GiftTelling
from tablegram.loyalty.gifts import keeping
from tablegram.loyalty.store import gifts as store
from tablegram.restaurant import venues
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

# A card expires on a day, and not on a second.
LOOK_EVERY_S = 300.0


class GiftClock(Work):
    """Looks from time to time, in one process of the installation."""

    def __init__(self, db: Database, clock: Clock, telling: GiftTelling, leases: Leases) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._telling = telling
        self.drain = Drain("gift clock", self, leases, retry_s=LOOK_EVERY_S)

    async def step(self) -> float:
        await self.see_to()
        return LOOK_EVERY_S

    async def see_to(self) -> None:
        if not await self.drain.hold():
            return
        now = self._clock.now_ms()
        for row in await self._db.all(store.EXPIRED, {"now": now}):
            await self._let_expire(row["account_id"], row["id"], now)
        for row in await self._db.all(store.EXPIRING, {"now": now, "soon": now + keeping.WARN_MS}):
            await self._warn(row["account_id"], row["id"], now)

    async def _let_expire(self, account_id: int, gift_id: str, now: int) -> None:
        await self._telling.refresh(account_id)

        async def work(tx: Tx) -> list[Statement]:
            await self.lease.guard(tx)
            gift = await keeping.find(tx, account_id, gift_id, lock=True)
            moved = await keeping.let_expire(tx, gift, now)
            return [] if moved is None else await self._telling.moved(tx, gift, moved)

        self._telling.sent(account_id, await self._db.write(work))

    async def _warn(self, account_id: int, gift_id: str, now: int) -> None:
        """It is about money that is theirs: only who wants no message at all hears nothing. Told once, or left out."""

        async def work(tx: Tx) -> Venue | None:
            await self.lease.guard(tx)
            gift = await keeping.find(tx, account_id, gift_id, lock=True)
            if gift.warned_at is not None or gift.contact_id is None or not gift.balance:
                return None
            await keeping.change(tx, gift, now, warned_at=now)
            try:
                venue = await venues.find(tx, account_id, gift.venue_id)
            except NotFound:
                return None
            return venue if await self._telling.warn(tx, venue, gift, now) else None

        self._telling.sent(account_id, [], await self._db.write(work))
