"""Staff take a gift card for an order that is on no bill: a takeaway, a delivery, an order at the counter."""

from __future__ import annotations

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.bills.bills import may, who_is
from tablegram.flows.restaurant.bills.forms import figure
from tablegram.flows.restaurant.fields import GiftPaymentFields
from tablegram.flows.restaurant.orders.answers import PaidByGift
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.flows.restaurant.paying.by_gift import pay_order
from tablegram.restaurant import venues
from tablegram.restaurant.orders import gifts, payments
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.money import to_wire


class CounterGifts:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, ordering: Ordering) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._ordering = ordering

    async def open_of(self, caller: Caller, order_id: str) -> float | None:
        """What a card could pay of an order; nothing where it pays none, or the house never made one."""
        may(caller)
        money = self._ordering.gifts

        async def look(tx: Tx) -> float | None:
            order = await orders.find(tx, caller.account_id, order_id)
            if money is None or not gifts.takes_gifts(order) or not await money.offered(tx, caller.account_id):
                return None
            return to_wire(await payments.left_to_pay(tx, order), order.currency)

        return await self._db.snapshot(look)

    async def pay(self, caller: Caller, order_id: str, fields: GiftPaymentFields, call: Call) -> Result[PaidByGift]:
        """`amount`, else as much as is left on the card of `gift_code` and to pay."""
        may(caller)
        code, who = fields.get("gift_code") or "", who_is(caller)
        if not code:
            raise Invalid.field("gift_code", "gift_code_missing", "Type the code of the gift card.")
        after: list[tuple[Venue, list[Statement]]] = []
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[PaidByGift]:
            after.clear()
            now = self._clock.now_ms()
            order = await orders.lock(tx, caller.account_id, order_id, None)
            venue = await venues.find_ever(tx, caller.account_id, order.venue_id)
            amount = figure(fields.get("amount"), "amount", order.currency)
            changed, paid, statements = await pay_order(
                tx, self._ordering, venue, order, code, amount, now, by="staff", who=who
            )
            await run_all(tx, statements)
            after.append((venue, statements))
            told = PaidByGift(
                order_id=changed.order_id,
                status=changed.state,
                payment_status=changed.payment_state,
                amount=to_wire(paid.amount, changed.currency),
                open=to_wire(paid.open, changed.currency),
                gift_left=to_wire(paid.gift_left, changed.currency),
                currency=changed.currency,
            )
            return Result(told, 201)

        answer = await self._idempotency.once_for(PaidByGift, caller.account_id, call, work)
        if not answer.replayed:
            for venue, statements in after:
                self._ordering.told(venue, statements)
        return answer
