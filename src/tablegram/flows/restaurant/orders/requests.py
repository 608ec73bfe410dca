"""What guests want of orders that the kitchen has begun: staff accept or refuse it on the board, and the guest is told which."""

from __future__ import annotations

from typing import Literal

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import NotFound, no_such
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.answers import AnsweredOrderRequest, OrderRequestView
from tablegram.flows.restaurant.orders.ordering import Ordering, charges_for, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.orders import keeping, revising
from tablegram.restaurant.orders.event import UPDATED
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.texts import requests
from tablegram.restaurant.texts.requests import OrderRequest
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import SECOND_MS, Clock, iso

SCOPE = "orders:manage"
_ANSWERING = Call("answer a wish")


class OrderRequests:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, ordering: Ordering) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._ordering = ordering

    async def waiting(self, caller: Caller, venue_id: str) -> list[OrderRequestView]:
        """Every wish that nobody answered yet, the longest waiting first."""
        caller.require(SCOPE)

        async def look(tx: Tx) -> list[OrderRequest]:
            await venues.find(tx, caller.account_id, venue_id)
            return await requests.waiting(tx, caller.account_id, venue_id)

        now = self._clock.now_ms()
        return [request_view(one, now) for one in await self._db.snapshot(look)]

    async def answer(self, caller: Caller, request_id: str, *, accepts: bool) -> None:
        """Do what the guest wishes, or leave the order as it is. Raises where it cannot be done any more."""
        await self.answer_once(caller, None, request_id, accepts=accepts, call=_ANSWERING)

    async def answer_once(
        self, caller: Caller, venue_id: str | None, request_id: str, *, accepts: bool, call: Call
    ) -> Result[AnsweredOrderRequest]:
        """The same for programs, which name the venue as well."""
        caller.require(SCOPE)
        who = caller.key_name or caller.key_id
        after: list[tuple[Venue, list[Statement]]] = []
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[AnsweredOrderRequest]:
            after.clear()
            now = self._clock.now_ms()
            if venue_id is not None:
                await venues.find(tx, caller.account_id, venue_id)
            request = await requests.lock(tx, caller.account_id, request_id)
            if venue_id not in (None, request.venue_id):
                raise NotFound(no_such("wish", "venue"), code="order_request_unknown")
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
            after.append((venue, statements))
            answer: Literal["accepted", "refused"] = "accepted" if accepts else "refused"
            return Result(AnsweredOrderRequest(id=request.id, order_id=order.order_id, answer=answer, answered_by=who))

        answer = await self._idempotency.once_for(AnsweredOrderRequest, caller.account_id, call, work)
        for venue, statements in () if answer.replayed else after:
            self._ordering.told(venue, statements)
        return answer

    async def _fulfil(
        self, tx: Tx, venue: Venue, order: Order, request: OrderRequest, who: str, now: int
    ) -> OrderChange:
        if request.kind == "cancel":
            return await keeping.happen(tx, order.account_id, order.order_id, "cancel", "staff", who, now)
        reckoned = await self._ordering.reckon(tx, venue, request.lines, order.order_type, order.language, now)
        charges = charges_for(venue, order.order_type, reckoned.lines, order.language, order.destination)
        return await revising.revise(
            tx, order.account_id, order.order_id, reckoned.lines, charges, order.discounts, who, now
        )


def request_view(request: OrderRequest, now: int) -> OrderRequestView:
    return OrderRequestView(
        id=request.id,
        order_id=request.order_id,
        kind=request.kind,
        words=request.words,
        created_at=iso(request.created_at),
        age_s=max(0, now - request.created_at) // SECOND_MS,
    )
