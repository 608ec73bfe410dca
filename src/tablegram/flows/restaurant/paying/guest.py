"""What a guest sees and chooses about paying an order online, by the link to the order."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.errors import Conflict, NotFound
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.answers.guests import PayingView
from tablegram.flows.restaurant.orders.ordering import Ordering, promise, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.gifts import takes_gifts
from tablegram.restaurant.orders.methods import payment_methods
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import left_to_pay
from tablegram.restaurant.orders.states import CLOSED, PaymentMethod
from tablegram.restaurant.venues import Venue
from tablegram.restaurant.visitors.following import order_by_token
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

# A link, or money into somebody's hand.
Way = Literal["link", "person"]


def may_pay_in_person(venue: Venue, order: Order) -> bool:
    """Whether a guest may choose by themselves to pay staff instead: somebody whom the house can find, and trusts."""
    is_there = order.tab_id is not None or order.contact_id is not None
    return is_there and not (order.order_type in venue.details.prepaid and order.tab_id is None)


async def pay_in_person(tx: Tx, ordering: Ordering, venue: Venue, order: Order, now: int) -> list[Statement]:
    """The guest pays staff after all, and the kitchen begins; the link is taken back."""
    if order.state != "awaiting_payment" or not may_pay_in_person(venue, order):
        raise Conflict("This order is paid online. Ask our staff if you cannot.", code="payment_conflict")
    change = await orders.happen(
        tx, order.account_id, order.order_id, "pay_in_person", "guest", "guest", now,
        payment_method=payment_methods(venue, order.order_type)[0],
        promised_at=promise(venue, order.destination, now),
    )  # fmt: skip
    return await ordering.follow(tx, venue, change, "pay_in_person", now)


async def methods_on_page(tx: Tx, ordering: Ordering, venue: Venue) -> dict[str, list[PaymentMethod]]:
    """How each kind of order may be paid by who orders on the page: known there is only who sits at a table."""
    return {one: list(await ordering.methods(tx, venue, one, is_known=one == "dine_in")) for one in venue.order_types}


async def paying_view(tx: Tx, ordering: Ordering, venue: Venue, order: Order) -> PayingView | None:
    """How the guest can pay on their phone; nothing where there is no way to."""
    if order.state in CLOSED or order.payment_state in ("paid", "refunded") or not order.total:
        return None
    online = await _by_link(tx, ordering, venue, order)
    gift = ordering.gifts is not None and takes_gifts(order) and await ordering.gifts.offered(tx, order.account_id)
    if online is None and not gift:
        return None
    return msgspec.structs.replace(online or PayingView(), gift=gift, left=await left_to_pay(tx, order))


async def _by_link(tx: Tx, ordering: Ordering, venue: Venue, order: Order) -> PayingView | None:
    online, waits = ordering.online, order.state == "awaiting_payment"
    if online is None or order.state == "awaiting_confirmation":
        return None
    is_on_bill = order.payment_state == "partly_paid" and order.tab_id is not None
    if not waits and (order.order_type not in venue.details.pays_online or is_on_bill):
        return None
    face = await online.face(tx, order)
    if face is None and not await ordering.takes_online(tx, venue):
        return None
    return PayingView(
        state="none" if face is None else "over" if face.state == "paid" else face.state,
        url="" if face is None or face.state != "open" else face.url,
        expires_ms=None if face is None else face.expires_at,
        in_person=waits and may_pay_in_person(venue, order),
    )


class GuestPaying:
    def __init__(self, db: Database, box: SecretBox, clock: Clock, ordering: Ordering) -> None:
        self._db = db
        self._box = box
        self._clock = clock
        self._ordering = ordering

    async def choose(self, token: str, way: Way) -> None:
        """A new link, or paying in person after all; by the guest's own link to the order."""
        venue, _ = await self._db.snapshot(lambda tx: order_by_token(tx, self._box, token))
        await self._ordering.refresh(venue.account_id)

        async def work(tx: Tx) -> list[Statement]:
            now = self._clock.now_ms()
            present, order = await order_by_token(tx, self._box, token)
            order = await orders.lock(tx, order.account_id, order.order_id, None)
            if way == "person":
                statements = await pay_in_person(tx, self._ordering, present, order, now)
                await run_all(tx, statements)
                return statements
            if self._ordering.online is None:
                raise Conflict("This order cannot be paid online. Ask our staff.", code="online_not_offered")
            await self._ordering.online.send_link(tx, present, order, "guest", now)
            return []

        self._ordering.told(venue, await self._db.write(work))

    async def landing(self, account_id: int, link_id: str) -> str:
        """Where somebody lands who comes back from the provider's page: at the order's own page."""

        async def look(tx: Tx) -> str:
            online = self._ordering.online
            key = None if online is None else await online.order_of(tx, account_id, link_id)
            order = None if key is None else await orders.by_key(tx, account_id, key)
            if order is None:
                raise NotFound("There is no such payment.", code="payment_link_unknown")
            venue = await venues.find_ever(tx, order.account_id, order.venue_id)
            return self._ordering.telling.status_url(venue, order)

        return await self._db.snapshot(look)
