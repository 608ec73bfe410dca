"""Stations at work: each moves its own share of an order, and the order follows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.fields import TapFields
from tablegram.flows.restaurant.kitchen.answers import OrderProgress
from tablegram.flows.restaurant.kitchen.views import progress_view
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.kitchen import keeping as progress
from tablegram.restaurant.kitchen import taps
from tablegram.restaurant.kitchen.taps import Tapped
from tablegram.restaurant.orders import keeping
from tablegram.restaurant.orders.keeping import TO_STATE
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

SCOPE = "orders:manage"


class Kitchen:
    """`notice` tells open pages that an order changed, also where the order itself did not."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, ordering: Ordering,
        notice: Callable[[int, str, list[str]], None],
    ) -> None:  # fmt: skip
        self._db = db
        self._notice = notice
        self._idempotency = idempotency
        self._clock = clock
        self._ordering = ordering

    async def progress(self, caller: Caller, order_id: str) -> OrderProgress:
        """How far an order is, and who did what."""
        caller.require(SCOPE)

        async def look(tx: Tx) -> OrderProgress:
            order = await keeping.find(tx, caller.account_id, order_id)
            return progress_view(order, await progress.look(tx, order), await taps.taps_of(tx, order))

        return await self._db.snapshot(look)

    async def tap(self, caller: Caller, order_id: str, fields: TapFields, call: Call) -> Result[OrderProgress]:
        """`action` (start, finish, recall) on the lines of `station`, on `line_ids`, or on the whole order."""
        who = caller.key_name or caller.key_id

        async def work(tx: Tx, now: int) -> Tapped:
            return await taps.tap(
                tx, caller.account_id, order_id, fields["action"], who, now, station=fields.get("station") or "",
                lines=fields.get("line_ids") or (), revision=fields.get("revision"),
            )  # fmt: skip

        return await self._move(caller, call, work)

    async def undo(self, caller: Caller, order_id: str, tap_id: str, call: Call) -> Result[OrderProgress]:
        """Take a tap back within its ten seconds; a second time changes nothing."""
        who = caller.key_name or caller.key_id

        async def work(tx: Tx, now: int) -> Tapped:
            return await taps.undo(tx, caller.account_id, order_id, tap_id, who, now)

        return await self._move(caller, call, work)

    async def _move(
        self, caller: Caller, call: Call, move: Callable[[Tx, int], Awaitable[Tapped]]
    ) -> Result[OrderProgress]:
        caller.require(SCOPE)
        after: list[tuple[Venue, list[Statement]]] = []
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[OrderProgress]:
            after.clear()
            now = self._clock.now_ms()
            tapped = await move(tx, now)
            order = tapped.change.order
            venue = await venues.find_ever(tx, caller.account_id, order.venue_id)
            statements = await self._follow(tx, venue, tapped, now)
            await run_all(tx, statements)
            if tapped.tap_id:
                after.append((venue, statements))
            return Result(progress_view(order, tapped.shares, await taps.taps_of(tx, order), tapped.tap_id or ""))

        answer = await self._idempotency.once_for(OrderProgress, caller.account_id, call, work)
        if not answer.replayed:
            for venue, statements in after:
                self._ordering.told(venue, statements)
                self._notice(caller.account_id, "orders", [answer.value.order_id])
        return answer

    async def _follow(self, tx: Tx, venue: Venue, tapped: Tapped, now: int) -> list[Statement]:
        change = tapped.change
        if not change.changed:
            return []
        event = TO_STATE[change.before.state, change.order.state]
        # Whoever was told that it is ready does not hear it again after it was taken back for a moment.
        steps = [row["event"] for row in await keeping.history(tx, change.order)]
        return await self._ordering.follow(tx, venue, change, event, now, tells=steps.count(event) == 1)
