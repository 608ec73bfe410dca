"""What couriers hear by message: what is theirs, where to, whom to ring up, and how much to collect."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.delivery.couriers.model import Courier
from tablegram.delivery.tours.reading import short_number
from tablegram.delivery.tours.routes import stop_of, tour_links
from tablegram.flows.delivery.couriers.words import speak
from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.money import written

_MAX_NOTE = 300


class CourierTelling:
    """Each message is queued in the transaction of what it tells of."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling

    async def say(self, tx: Tx, venue: Venue, courier: Courier, text: str, now: int) -> None:
        await self._telling.say(tx, venue, courier.phone, text, now, by="courier")

    async def given(
        self, tx: Tx, venue: Venue, courier: Courier, order: Order, left: int, tour: Sequence[Order], now: int
    ) -> None:
        """An order is the courier's; `left` is what the guest still has to pay, `tour` all orders they bring now."""
        if not courier.phone:
            return
        words = speak(courier.language)
        number = short_number(order.order_id)
        phone = f"+{order.customer_phone}" if order.customer_phone.isdecimal() else ""
        guest = " ".join(part for part in (tidy(order.customer_name), phone) if part)
        parts = [
            words["given"].format(number=number),
            words["where"].format(address=order.address)
            if order.address
            else ("" if order.route_url else words["no_address"]),
            words["guest"].format(guest=guest) if guest else "",
            words["note"].format(note=tidy(order.notes)[:_MAX_NOTE]) if order.notes else "",
            to_collect(order, left, courier.language),
            words["route"].format(url=route_to(order)) if route_to(order) else "",
        ]
        if len(tour) > 1:
            links = tour_links([stop_of(one.route_url, one.address) for one in tour])
            parts += [words["tour"].format(count=len(tour), url=link) for link in links]
        parts.append(words["how"])
        if len(tour) > 1:
            parts.append(words["how_many"].format(number=number))
        await self.say(tx, venue, courier, "\n".join(part for part in parts if part), now)

    async def word(self, tx: Tx, venue: Venue, courier: Courier, kind: str, now: int, **facts: str | int) -> None:
        if courier.phone:
            await self.say(tx, venue, courier, speak(courier.language)[kind].format(**facts), now)


def route_to(order: Order) -> str:
    """The way to the place that the guest shared, or to the address in words."""
    if order.route_url:
        return order.route_url
    links = tour_links([order.address])
    return links[0] if links else ""


def to_collect(order: Order, left: int, language: str) -> str:
    words = speak(language)
    if left == 0:
        return words["nothing_to_collect"]
    amount = written(left, order.currency, language)
    return words["collect"].format(amount=amount, method=words[method_of(order)])


def method_of(order: Order) -> str:
    """How a courier takes what is open: by card where the guest said so, else in cash."""
    return "card_on_delivery" if order.payment_method == "card_on_delivery" else "cash"
