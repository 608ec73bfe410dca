"""What guests want of orders that the kitchen has begun: staff accept or refuse it on the board, and the guest is told which."""

from __future__ import annotations

from typing import Any

from tablegram.accounts.keys.keys import Caller
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering, charges_for, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.orders import keeping
from tablegram.restaurant.orders.event import UPDATED
from tablegram.restaurant.orders.keeping import Change
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.texts import requests
from tablegram.restaurant.texts.requests import OrderRequest
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import SECOND_MS, Clock, iso


class OrderRequests:
    def __init__(self, db: Database, clock: Clock, ordering: Ordering) -> None:
        self._db = db
        self._clock = clock
        self._ordering = ordering

    async def answer(self, caller: Caller, request_id: str, *, accepts: bool) -> None:
        """Do what the guest wishes, or leave the order as it is. Raises where it cannot be done any more."""
        caller.require("orders:manage")
        who = caller.key_name or caller.key_id
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> tuple[Venue, list[Statement]]:
            now = self._clock.now_ms()
            request = await requests.lock(tx, caller.account_id, request_id)
            order = await keeping.find(tx, caller.account_id, request.order_id)
            venue = await venues.find_ever(tx, caller.account_id, order.venue_id)
            if accepts:
                change = await self._fulfil(tx, venue, order, request, who, now)
                event = "cancel" if request.kind == "cancel" else "revise"
                statements = await self._ordering.follow(tx, venue, change, event, now)
            else:
                word, phone = f"{request.kind}_refused", order.customer_phone
                telling = self._ordering.telling
                await telling.word(tx, venue, phone, order.language, now, word, order=order.order_id)
                statements = self._ordering.plan(order, UPDATED)
            await requests.answer(tx, request, accepts=accepts, by=who, now=now)
            await run_all(tx, statements)
            return venue, statements

        venue, statements = await self._db.write(work)
        self._ordering.told(venue, statements)

    async def _fulfil(self, tx: Tx, venue: Venue, order: Order, request: OrderRequest, who: str, now: int) -> Change:
        if request.kind == "cancel":
            return await keeping.happen(tx, order.account_id, order.order_id, "cancel", "staff", who, now)
        reckoned = await self._ordering.reckon(tx, venue, request.lines, order.order_type, order.language, now)
        charges = charges_for(venue, order.order_type, reckoned.lines, order.language)
        return await keeping.revise(
            tx, order.account_id, order.order_id, reckoned.lines, charges, order.discounts, who, now
        )


def request_view(request: OrderRequest, now: int) -> dict[str, Any]:
    return {
        "id": request.id,
        "order_id": request.order_id,
        "kind": request.kind,
        "words": request.words,
        "created_at": iso(request.created_at),
        "age_s": max(0, now - request.created_at) // SECOND_MS,
    }
