"""Orders bring stamps: when they are completed and paid, for what was ordered or for the visit."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from tablegram.flows.loyalty.earning import guest_of
from tablegram.flows.loyalty.telling import PointsTelling
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.loyalty import coupons, redeeming, stamps
from tablegram.loyalty.stamps import Card, Source
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.opening_hours import zone


class Stamping:
    """`follow` works inside the order's transaction."""

    def __init__(self, ordering: Ordering, telling: PointsTelling) -> None:
        self._ordering = ordering
        self._telling = telling

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        """Stamps stay where a part of the money went back; they go where all of it did."""
        source = Source(order.id, order.order_id)
        if order.state in DEAD or order.payment_state == "refunded":
            await stamps.take_back(tx, order.account_id, source, now)
            return
        if order.state != "completed" or order.payment_state != "paid":
            return
        cards = [one for one in await stamps.cards(tx, order.account_id) if one.is_active]
        contact_id = await guest_of(tx, order) if cards else None
        if contact_id is None:
            return
        menu = await self._ordering.menus.load(tx, venue)
        categories = {item.id: item.category_id for item in menu.items}
        # Always in the same order: two orders of one guest wait for each other.
        for card in sorted(cards, key=lambda one: one.id):
            is_visit = card.item_id is None and card.category_id is None
            count = 1 if is_visit else await _count(tx, card, order, categories)
            if count > 0:
                day = _day(order.created_at, venue.time_zone) if is_visit else None
                earned = await stamps.earn(tx, card, contact_id, count, source, now, day=day)
                if earned is not None:
                    await self._telling.stamped(tx, card, contact_id, order.order_id, earned, now)


async def _count(tx: Tx, card: Card, order: Order, categories: dict[str, str]) -> int:
    """So many of the dish, or of the category; what a coupon gave for nothing brings none."""

    def fits(item_id: str | None, category_id: str | None) -> bool:
        if card.item_id is not None:
            return item_id == card.item_id
        return card.category_id in (category_id, categories.get(item_id or ""))

    many = sum(line.quantity for line in order.lines if fits(line.item_id, None))
    for one in await redeeming.of_order(tx, order.account_id, order.id):
        if one.coupon_id is not None and one.state in ("held", "final"):
            coupon = await coupons.find(tx, order.account_id, one.coupon_id)
            many -= coupon.gives == "item" and fits(coupon.item_id, coupon.category_id)
    return many


def _day(at: int, time_zone: str) -> tuple[int, int]:
    """The day of a moment, by the venue's clock."""
    there = datetime.fromtimestamp(at / 1_000, zone(time_zone))
    begin = datetime.combine(there.date(), time(), there.tzinfo)
    end = datetime.combine(there.date() + timedelta(days=1), time(), there.tzinfo)
    return int(begin.timestamp() * 1_000), int(end.timestamp() * 1_000)
