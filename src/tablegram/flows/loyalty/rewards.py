"""What guests redeem on orders: points and coupons become discounts, which follow the order to its end.

`due` and `follow` work inside the order's own transactions. What is chosen is taken when an order is placed; what staff apply
to an order that runs is taken at once. An order that is called off, refunded or loses its discount gives it back.
"""

from __future__ import annotations

import msgspec

from tablegram.crm.contacts import known_phones
from tablegram.engine.crash_points import reach
from tablegram.errors import Conflict, NotFound
from tablegram.flows.loyalty.telling import PointsTelling
from tablegram.flows.restaurant.orders.ordering import Ordering, OrderWish
from tablegram.loyalty import coupons, ledger, programme, proofs, redeeming, stamps
from tablegram.loyalty.coupons import Dish, Occasion
from tablegram.loyalty.redeeming import Redemption
from tablegram.restaurant.bills import rewards as discounts
from tablegram.restaurant.bills.rewards import REWARD, rewards_of
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import payments
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.orders.totals import Extra, subtotal, total
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


class OrderRewards:
    def __init__(self, ordering: Ordering, telling: PointsTelling) -> None:
        self._ordering = ordering
        self._telling = telling

    def join(self) -> None:
        self._ordering.rewards = self
        self._ordering.followers.append(self.follow)

    async def offered(self, tx: Tx, venue: Venue) -> bool:
        return await offered(tx, venue)

    async def whose(self, tx: Tx, venue: Venue, proof: str, now: int) -> tuple[str, str]:
        code, _, secret = proof.partition(".")
        one = await proofs.find(tx, venue.account_id, venue.id, code, secret, now)
        who = (venue.account_id, one.contact_id or "")
        phone = (await known_phones(tx, [who])).get(who, "")
        if not phone:
            raise NotFound("Nobody has sent this message.", code="proof_unknown")
        return who[1], phone

    async def due(
        self, tx: Tx, venue: Venue, wish: OrderWish, charges: tuple[Extra, ...], now: int
    ) -> tuple[Extra, ...]:
        if wish.contact_id is None:
            return ()
        return await self.takes_off(tx, venue, wish.contact_id, wish.order_type, wish.lines, charges, now, lock=True)

    async def takes_off(
        self, tx: Tx, venue: Venue, contact_id: str, order_type: str, lines: tuple[PricedLine, ...],
        charges: tuple[Extra, ...], now: int, *, lock: bool = False,
    ) -> tuple[Extra, ...]:  # fmt: skip
        """What somebody chose, as it would be taken off such an order."""
        found: list[Extra] = []
        for one in await redeeming.chosen(tx, venue.account_id, contact_id, now):
            occasion = await self._occasion(tx, venue, order_type, lines, total(lines, charges, found))
            try:
                priced = await self.price(tx, one, occasion, now, lock=lock)
            except (Conflict, NotFound):
                # It holds no longer, or not for this order: the order stands without it.
                continue
            found.append(Extra(REWARD, priced.name, priced.amount, one.id))
        return tuple(found)

    async def price(self, tx: Tx, one: Redemption, occasion: Occasion, now: int, *, lock: bool = True) -> Redemption:
        """With what it takes off this order. Coupon and points are locked until the transaction ends, if asked for."""
        if one.coupon_id is not None:
            read = coupons.lock if lock else coupons.find
            coupon = await read(tx, one.account_id, one.coupon_id)
            await coupons.refuse(tx, coupon, one.contact_id, now)
            amount, points = coupons.worth(coupon, occasion), 0
        else:
            rules = await programme.find(tx, one.account_id)
            rate = rules.rates.get(occasion.currency)
            if not rules.is_on or rate is None or not rate.worth:
                raise Conflict("Points cannot be used here.", code="points_not_offered")
            who = (one.account_id, one.contact_id)
            member = await ledger.lock(tx, *who, now) if lock else await ledger.member(tx, *who)
            # Without a figure: as many as there are, and as the order needs.
            points = min(one.points or member.balance, -(-occasion.open // rate.worth))
            if points > member.balance:
                raise Conflict(f"Only {member.balance} points are there.", code="points_missing")
            amount = min(points * rate.worth, occasion.open)
            if amount <= 0:
                code = "nothing_open" if member.balance else "points_missing"
                raise Conflict("There is nothing to take off.", code=code)
        return msgspec.structs.replace(one, amount=amount, points=points, currency=occasion.currency)

    async def apply(self, tx: Tx, venue: Venue, order: Order, one: Redemption, who: str, now: int) -> OrderChange:
        """Redeem on an order that runs; it and its bill are locked. What follows of the order is for who called."""
        came = payments.came_in(await payments.of_order(tx, order))
        occasion = await self._occasion(tx, venue, order.order_type, order.lines, max(0, order.total - came))
        priced = await self.price(tx, one, occasion, now)
        placed = msgspec.structs.replace(priced, order_key=order.id, order_id=order.order_id, venue_id=order.venue_id)
        extra = Extra(REWARD, placed.name, placed.amount, placed.id)
        change = await orders.discount(tx, order, (*order.discounts, extra), who, now, placed.name)
        await self._hold(tx, change.order, placed, extra, now)
        return change

    async def take_back(self, tx: Tx, order: Order, redemption_id: str, who: str, now: int) -> OrderChange:
        """It is not to be used on this order after all; the order is locked."""
        if redemption_id not in rewards_of(order):
            raise NotFound("Nothing of this was redeemed on the order.", code="redemption_unknown")
        rest = tuple(one for one in order.discounts if one.ref != redemption_id)
        return await orders.discount(tx, order, rest, who, now, "")

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        old, new = rewards_of(before), rewards_of(order)
        for ref, extra in new.items():
            if before is None:
                one = await redeeming.find(tx, order.account_id, ref)
                placed = await self.price(
                    tx, one, await self._occasion(tx, venue, order.order_type, order.lines, extra.amount), now
                )
                placed = msgspec.structs.replace(
                    placed, order_key=order.id, order_id=order.order_id, venue_id=order.venue_id, amount=extra.amount
                )
                await self._hold(tx, order, placed, extra, now)
        for ref in old.keys() & new.keys():
            if new[ref].amount < old[ref].amount:
                await self._shrink(tx, order, new[ref], now)
        for ref in old.keys() - new.keys():
            await self._give_back(tx, order, ref, now)
        if not new:
            return
        if order.state in DEAD or order.payment_state == "refunded":
            for ref in new:
                await self._give_back(tx, order, ref, now)
        elif order.state == "completed":
            await redeeming.finish(tx, order.account_id, order.id, now)

    async def _hold(self, tx: Tx, order: Order, one: Redemption, extra: Extra, now: int) -> None:
        moved = await redeeming.hold(tx, one, now)
        await discounts.note(tx, order, extra, one.by or "guest", now)
        reach("loyalty.redeemed")
        if moved is not None:
            await self._telling.moved(tx, moved)
        if one.coupon_id is not None:
            coupon = await coupons.find(tx, one.account_id, one.coupon_id)
            await self._telling.redeemed(tx, one, coupon, now)

    async def _shrink(self, tx: Tx, order: Order, extra: Extra, now: int) -> None:
        """A revision left less to pay than is taken off."""
        months = (await programme.find(tx, order.account_id)).expires_months
        back = await redeeming.shrink(
            tx, order.account_id, extra.ref, extra.amount, now, expires_months=months, by="order"
        )
        await discounts.change(tx, order.account_id, extra)
        if back is not None:
            await self._telling.moved(tx, back)

    async def _give_back(self, tx: Tx, order: Order, ref: str, now: int) -> None:
        rules = await programme.find(tx, order.account_id)
        back = await redeeming.give_back(
            tx, order.account_id, ref, now, expires_months=rules.expires_months, by="order"
        )
        if back is None:
            return
        await discounts.take_back(tx, order.account_id, ref, "order", now)
        if back[1] is not None:
            await self._telling.moved(tx, back[1])

    async def _occasion(
        self, tx: Tx, venue: Venue, order_type: str, lines: tuple[PricedLine, ...], open_: int
    ) -> Occasion:
        menu = await self._ordering.menus.load(tx, venue)
        categories = {item.id: item.category_id for item in menu.items}
        return Occasion(
            venue_id=venue.id, order_type=order_type, currency=venue.currency, subtotal=subtotal(lines), open=open_,
            dishes=tuple(
                Dish(one.item_id, categories.get(one.item_id, ""), one.unit_price, one.quantity) for one in lines
            ),
        )  # fmt: skip


async def offered(tx: Tx, venue: Venue) -> bool:
    """Whether guests have anything to look at: points, a coupon that holds, or a stamp card."""
    if (await programme.find(tx, venue.account_id)).is_on or await coupons.has_any(tx, venue.account_id):
        return True
    return any(card.is_active for card in await stamps.cards(tx, venue.account_id))
