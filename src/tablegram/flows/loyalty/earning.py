"""Orders bring points: once each, when they are completed and paid; what is given back takes them away again."""

from __future__ import annotations

from tablegram.engine.crash_points import reach
from tablegram.flows.loyalty.telling import PointsTelling
from tablegram.loyalty import ledger, programme, redeeming
from tablegram.loyalty.ledger import Cause
from tablegram.restaurant.orders import payments
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx

# Who is written down for what follows from an order.
BY = "order"


class Earning:
    """`follow` works inside the order's transaction."""

    def __init__(self, telling: PointsTelling) -> None:
        self._telling = telling

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        """Whatever happened last: an order's points are what was paid for it and stayed here."""
        if order.state != "completed":
            return
        contact_id = await guest_of(tx, order)
        if contact_id is not None:
            await self.settle(tx, order, contact_id, now)

    async def settle(self, tx: Tx, order: Order, contact_id: str, now: int) -> None:
        moved = await ledger.of_order(tx, order.account_id, order.id)
        earned = next((one for one in moved if one.kind == "earn"), None)
        if earned is not None:
            await self._reverse(tx, order, now)
            return
        rules = await programme.find(tx, order.account_id)
        rate = rules.rates.get(order.currency)
        if not rules.is_on or rate is None or order.payment_state != "paid":
            return
        points = await _kept(tx, order) // rate.per
        if points <= 0:
            return
        cause = Cause(name=f"earn:{order.id}", order_key=order.id, order_id=order.order_id, rate=rate.per, by=BY)
        made = await ledger.add(
            tx, order.account_id, contact_id, "earn", points, cause, now, expires_months=rules.expires_months
        )
        reach("loyalty.earned")
        if made is not None:
            await self._telling.moved(tx, made)

    async def _reverse(self, tx: Tx, order: Order, now: int) -> None:
        """Less of the money is here than brought the points: the difference goes."""
        moved = await ledger.of_order(tx, order.account_id, order.id)
        earned = next(one for one in moved if one.kind == "earn")
        standing = earned.points - sum(one.short - one.points for one in moved if one.kind == "reverse")
        due = await _kept(tx, order) // earned.rate
        if due >= standing:
            return
        # What is left of an order's points only shrinks: the figure names the step.
        cause = Cause(name=f"reverse:{order.id}:{due}", order_key=order.id, order_id=order.order_id, by=BY)
        made = await ledger.take(
            tx, order.account_id, earned.contact_id, "reverse", standing - due, cause, now, all_or_nothing=False
        )
        reach("loyalty.reversed")
        if made is not None:
            await self._telling.moved(tx, made)


async def guest_of(tx: Tx, order: Order) -> str | None:
    """Whose order it is; where nobody wrote, who redeemed something on it."""
    if order.contact_id is not None:
        return order.contact_id
    found = await redeeming.of_order(tx, order.account_id, order.id)
    used = [one.contact_id for one in found if one.state in ("held", "final")]
    return used[0] if used else None


async def _kept(tx: Tx, order: Order) -> int:
    """What was paid for an order and did not go back; what came twice counts once."""
    rows = await payments.of_order(tx, order)
    return max(0, min(order.total, payments.came_in(rows)) - payments.went_back(rows))
