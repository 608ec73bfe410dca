"""What time does to orders: those that nobody answers end, and so do carts that nobody sends and tables that were left."""

from __future__ import annotations

import logging

from tablegram.engine.drains import Drain, Work
from tablegram.engine.leases import Leases
from tablegram.errors import LeaseLost, Problem
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.bills.ending import leave
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.orders import keeping
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.store import orders as store
from tablegram.restaurant.texts import drafts
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import MINUTE_MS, Clock

log = logging.getLogger("tablegram.orders")

# Nobody waits for an order to expire.
LOOK_EVERY_S = 15.0


class OrderClock(Work):
    """Looks from time to time, in one process of the installation."""

    def __init__(self, db: Database, clock: Clock, ordering: Ordering, leases: Leases) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._ordering = ordering
        self.drain = Drain("orders clock", self, leases, retry_s=LOOK_EVERY_S)

    async def step(self) -> float:
        await self.end_due()
        return LOOK_EVERY_S

    async def end_due(self) -> int:
        """What nobody has accepted in the venue's own time expires; how many did."""
        if not await self.drain.hold():
            return 0
        now = self._clock.now_ms()
        await self._db.write(lambda tx: carts.expire_due(tx, now))
        for account_id, draft_id in await self._db.snapshot(lambda tx: drafts.due(tx, now)):
            await self._let_go(account_id, draft_id, now)
        for account_id, tab_id in await self._db.snapshot(lambda tx: bills.left(tx, now)):
            await self._leave(account_id, tab_id, now)
        ended = 0
        before = {"before": now - MINUTE_MS}
        for row in [*await self._db.all(store.UNANSWERED, before), *await self._db.all(store.UNPAID, before)]:
            try:
                ended += await self._end(row["account_id"], row["order_id"], now)
            except LeaseLost:
                raise
            except Problem as problem:
                # Somebody answered it in this very moment, or the venue is gone.
                log.info("order %s does not expire: %s", row["order_id"], problem.detail)
        return ended

    async def _let_go(self, account_id: int, draft_id: str, now: int) -> None:
        """What was read back and not confirmed ends, and its guest hears so once."""

        async def work(tx: Tx) -> Venue | None:
            await self.lease.guard(tx)
            draft = await drafts.lock(tx, account_id, draft_id)
            if draft is None or draft.state not in ("open", "waiting") or now < draft.expires_at:
                return None
            await drafts.end(tx, draft, "expired", now)
            if draft.state == "waiting":
                # It was never shown; whoever let the one before it go has heard so.
                return None
            venue = await venues.find_ever(tx, account_id, draft.venue_id)
            await self._ordering.telling.word(tx, venue, draft.phone, draft.language, now, "draft_expired")
            return venue

        venue = await self._db.write(work)
        if venue is not None:
            self._ordering.told(venue, [])

    async def _leave(self, account_id: int, tab_id: str, now: int) -> None:
        await self._ordering.refresh(account_id)

        async def work(tx: Tx) -> tuple[Venue, list[Statement]] | None:
            await self.lease.guard(tx)
            found = await leave(tx, self._ordering, account_id, tab_id, now)
            if found is not None:
                await run_all(tx, found[1])
            return found

        done = await self._db.write(work)
        if done is not None:
            self._ordering.told(*done)

    async def _end(self, account_id: int, order_id: str, now: int) -> bool:
        await self._ordering.refresh(account_id)

        async def work(tx: Tx) -> tuple[Venue, list[Statement]] | None:
            await self.lease.guard(tx)
            order = await keeping.find(tx, account_id, order_id)
            venue = await venues.find_ever(tx, order.account_id, order.venue_id)
            if now < _ends_at(venue, order):
                return None
            change = await keeping.happen(tx, account_id, order_id, "expire", "clock", "clock", now)
            statements = await self._ordering.follow(tx, venue, change, "expire", now)
            await run_all(tx, statements)
            return venue, statements

        done = await self._db.write(work)
        if done is None:
            return False
        self._ordering.told(*done)
        return True


def _ends_at(venue: Venue, order: Order) -> int:
    """When it ends by itself: so long after it came, or, where its payment link ran out, so long after that."""
    if order.state == "awaiting_payment":
        return order.updated_at + venue.details.pay_within_min * MINUTE_MS
    return order.created_at + venue.details.answer_within_min * MINUTE_MS
