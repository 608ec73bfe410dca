"""What a guest is told about the payment link of an order, by a message of the venue's line."""

from __future__ import annotations

from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.flows.restaurant.paying.guest import may_pay_in_person
from tablegram.messaging.model import Button
from tablegram.payments.model import Link, Refund
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.figures.writing import clock
from tablegram.values.money import written
from tablegram.values.opening_hours import zone

# What begins the id of our buttons; behind it stand the order's key and what was tapped.
MARK = "pay"


class PayTelling:
    def __init__(self, telling: Telling) -> None:
        self._telling = telling

    async def link(self, tx: Tx, venue: Venue, order: Order, link: Link, now: int) -> None:
        """Where to pay; with the whole order as long as the kitchen waits for it."""
        text = speak(order.language)["pay_here"].format(
            total=written(link.amount, link.currency, order.language), time=_time(link.expires_at, venue), url=link.url
        )
        if order.state == "awaiting_payment":
            await self._telling.say_whole(tx, venue, order, "awaiting_payment", now, more=[text])
        else:
            await self._telling.tell(tx, venue, order, text, now)

    async def link_is_late(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        """The provider does not answer: the order waits, and the link follows by itself."""
        text = speak(order.language)["pay_soon"]
        if order.state == "awaiting_payment":
            await self._telling.say_whole(tx, venue, order, "awaiting_payment", now, more=[text])
        else:
            await self._telling.tell(tx, venue, order, text, now)

    async def paid(self, tx: Tx, venue: Venue, before: Order, order: Order, link: Link, now: int) -> None:
        if before.state == "awaiting_payment":
            await self._telling.say_whole(tx, venue, order, "paid_confirmed", now)
            return
        kind = "money_for_nothing" if before.state in DEAD else "paid_thanks"
        await self._say(tx, venue, order, kind, now, link.received)

    async def link_is_over(self, tx: Tx, venue: Venue, order: Order, link: Link, now: int) -> None:
        """What the guest can do now; by buttons where the line has them."""
        words = speak(order.language)
        lead = words["link_failed" if link.state == "failed" else "link_over"].format(order=order.order_id)
        choices = ["new_link", *([order.order_type] if may_pay_in_person(venue, order) else [])]
        text = "\n".join([lead, "", *(words[f"reply_{one}"] for one in choices)])
        buttons = [Button(f"{MARK}:{order.id}:{_SIGNS[one]}", words[f"button_{one}"]) for one in choices]
        await self._telling.tell(tx, venue, order, text, now, buttons=buttons)

    async def refunded(self, tx: Tx, venue: Venue, order: Order, refund: Refund, now: int) -> None:
        await self._say(tx, venue, order, "refunded", now, refund.amount)

    async def _say(self, tx: Tx, venue: Venue, order: Order, kind: str, now: int, amount: int) -> None:
        total = written(amount, order.currency, order.language)
        text = speak(order.language)[kind].format(order=order.order_id, total=total)
        await self._telling.tell(tx, venue, order, text, now)


_SIGNS = {"new_link": "link", "dine_in": "person", "takeaway": "person", "delivery": "person"}


def _time(at_ms: int, venue: Venue) -> str:
    return clock(at_ms, zone(venue.time_zone))
