"""Bills and orders that are paid with gift cards: a card is charged with the payment, and has its value again when that goes back.

All of it runs in the transactions of bills and orders, which are locked before any card.
"""

from __future__ import annotations

from tablegram.engine.crash_points import reach
from tablegram.errors import Invalid
from tablegram.flows.loyalty.gifts.telling import GiftTelling
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.loyalty.gifts import codes, keeping
from tablegram.loyalty.gifts.keeping import Spending
from tablegram.loyalty.gifts.model import Move
from tablegram.restaurant.bills.model import TabPayment
from tablegram.restaurant.orders import payments
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import Payment
from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.paying.ports import HeldGift
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


class GiftPaying:
    def __init__(self, ordering: Ordering, telling: GiftTelling) -> None:
        self._ordering = ordering
        self._telling = telling

    def join(self) -> None:
        self._ordering.gifts = self
        self._ordering.followers.append(self.follow)

    async def offered(self, tx: Tx, account_id: int) -> bool:
        return await keeping.has_any(tx, account_id)

    async def hold(self, tx: Tx, venue: Venue, code: str, now: int, *, lock: bool = True) -> HeldGift:
        gift = await keeping.by_code(tx, venue.account_id, code, lock=lock)
        if gift is None:
            raise Invalid.field("gift_code", "gift_code_unknown", "There is no gift card with this code.")
        keeping.must_hold(gift, venue.currency, now)
        return HeldGift(gift.id, gift.balance, codes.hint(gift.code))

    async def spend(self, tx: Tx, venue: Venue, gift_id: str, payment: TabPayment | Payment, now: int) -> int:
        gift = await keeping.find(tx, venue.account_id, gift_id, lock=True)
        spending = Spending(
            payment_id=payment.id,
            tab_id=payment.tab_id if isinstance(payment, TabPayment) else None,
            venue_id=venue.id,
            amount=payment.amount,
            by=payment.by,
        )
        moved = await keeping.redeem(tx, gift, spending, payment.currency, now)
        reach("loyalty.gift_spent")
        await self._telling.moved(tx, gift, moved)
        return moved.balance

    async def give_back(self, tx: Tx, back: TabPayment, now: int) -> None:
        cause = f"back:{back.id}"
        await self._tell(
            tx,
            await keeping.give_back(
                tx, back.account_id, back.of or "", back.amount, cause, now, reason=back.reason, by=back.by
            ),
        )

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        """An order was called off, or all of its money went back from its own page: so goes onto cards what came by them."""
        if before is None or before.payment_state not in ("paid", "partly_paid"):
            return
        is_over = order.state in DEAD and before.state not in DEAD
        if order.payment_state != "refunded" and not is_over:
            return
        rows = [one for one in await payments.of_order(tx, order) if one.method == "gift_card"]
        came = [one for one in rows if one.kind == "payment" and one.state == "succeeded"]
        for refund in (one for one in rows if one.kind == "refund" and one.tab_payment_id is None):
            left = refund.amount
            for part in (one for one in came if one.tab_payment_id is None):
                amount = min(left, part.amount)
                left -= amount
                cause = f"refund:{refund.id}:{part.id}"
                back = await keeping.give_back(tx, order.account_id, part.id, amount, cause, now, by=refund.by)
                await self._tell(tx, back)
            for part in came:
                # What went back with its bill's payment is on the card already.
                gone = payments.went_back(one for one in rows if one.tab_payment_id == part.tab_payment_id)
                amount = min(left, part.amount - gone)
                if amount > 0 and part.tab_payment_id is not None:
                    left -= amount
                    cause = f"refund:{refund.id}:{part.tab_payment_id}"
                    back = await keeping.give_back(
                        tx, order.account_id, part.tab_payment_id, amount, cause, now, by=refund.by
                    )
                    await self._tell(tx, back)

    async def _tell(self, tx: Tx, moved: Move | None) -> None:
        if moved is not None:
            await self._telling.moved(tx, await keeping.find(tx, moved.account_id, moved.gift_id), moved)
