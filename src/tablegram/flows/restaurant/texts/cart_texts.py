"""A cart's code in a message: the cart becomes an order, once, at the prices of this moment; or the guest hears why not.

Only the code counts. Whatever else the text says about dishes and prices was written by the guest.
"""

from __future__ import annotations

import msgspec

from tablegram.errors import NotFound
from tablegram.events.planning import Statement
from tablegram.flows.delivery import terms
from tablegram.flows.delivery.words import refusal_words
from tablegram.flows.restaurant.guests.wishes import table_of
from tablegram.flows.restaurant.orders.ordering import Ordering, OrderWish, charges_for, needs_zone, promise
from tablegram.flows.restaurant.texts.said import Said, may_complain
from tablegram.restaurant import hours, venues
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.carts.codes import show
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.lines import Reckoning
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import revising
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.totals import total
from tablegram.restaurant.reading.dialogue.paying import wants_online
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.tables import Table
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx

# Who sends a code that was sent hears so, but not for ever.
MAX_REPEATS = 3


class CartTexts:
    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering
        self._telling = ordering.telling

    async def send(self, tx: Tx, said: Said, code: str) -> list[Statement]:
        """Order the cart behind a code. A code of another account is as unknown as any other."""
        try:
            cart = await carts.lock(tx, said.venue.account_id, code)
            venue = await _venue_of(tx, said, cart)
        except NotFound:
            await self._word(tx, said, "unknown", code)
            return []
        said = msgspec.structs.replace(said, venue=venue, language=cart.language)
        if cart.state == "ordered":
            return await self._again(tx, said, cart)
        if cart.phone and cart.phone != said.phone:
            await self._word(tx, said, "sent_by_other", code)
            return []
        if cart.is_withdrawn:
            await self._word(tx, said, "code_changed", code)
            return []
        if not cart.is_open(said.now):
            await self._word(tx, said, "cart_expired", code)
            return []
        return await self._order(tx, said, cart)

    async def _order(self, tx: Tx, said: Said, cart: Cart) -> list[Statement]:
        venue, now = said.venue, said.now
        standing = hours.look(venue.hours, now)
        if not standing.takes_orders:
            await carts.keep_longer(tx, cart, now)
            await self._telling.closed(tx, venue, said.phone, said.language, now, standing, keeps_cart=True)
            return []
        if not cart.lines:
            await self._word(tx, said, "empty", cart.code)
            return []
        if cart.order_type not in venue.order_types:
            await self._word(tx, said, "not_offered", cart.code)
            return []
        table = await table_of(tx, cart)
        if cart.order_type == "dine_in" and table is None:
            if cart.table_id is not None:
                await self._word(tx, said, "table_gone", cart.code)
            else:
                await carts.claim(tx, cart, said.phone, said.name, now)
                await self._telling.ask_where(tx, venue, said.phone, said.language, now)
            return []
        reckoned = await self._ordering.reckon(tx, venue, cart.lines, cart.order_type, cart.language, now)
        if reckoned.troubles:
            await self.offer_rest(tx, said, cart, reckoned)
            return []
        if cart.order_type == "delivery" and cart.destination is not None and cart.destination.point is not None:
            looked = await terms.look(tx, venue, cart.destination.point, now)
            refusal = refusal_words(speak(said.language), venue, looked, reckoned.subtotal, said.language)
            if refusal:
                # The cart stays as it is: its guest adds something, or says another place on the page.
                await self._telling.say(tx, venue, said.phone, refusal, now)
                return []
            cart = msgspec.structs.replace(cart, destination=looked.destination)
        return await self._place(tx, said, cart, table, reckoned)

    async def _place(self, tx: Tx, said: Said, cart: Cart, table: Table | None, reckoned: Reckoning) -> list[Statement]:
        venue, now = said.venue, said.now
        at_table = cart.order_type == "dine_in" and table is not None
        # The table's guests may have been thought gone since the cart was opened; whoever orders now sits there.
        tab_id = await tabs.join(tx, venue.account_id, venue.id, table.id, now) if at_table and table else None
        wish = OrderWish(
            order_type=cart.order_type,
            lines=reckoned.lines,
            language=cart.language,
            table=table,
            tab_id=tab_id,
            contact_id=said.contact_id,
            phone=said.phone,
            name=said.name,
            notes=cart.notes,
            destination=cart.destination,
            route_url="" if cart.destination is None else cart.destination.route_url,
            payment_method=await self._ordering.online_if_offered(
                tx, venue, cart.order_type, wants_online(said.text.strip().rpartition("\n")[2])
            ),
        )
        placed, statements = await self._ordering.place(tx, venue, wish, now, cart)
        await self._ordering.proven(tx, cart, placed.order)
        return statements

    async def offer_rest(self, tx: Tx, said: Said, cart: Cart, reckoned: Reckoning) -> None:
        """Take out of the cart what cannot be had, and say what remains; the same code then orders that."""
        fixed = await carts.fix(tx, cart, reckoned.remaining, said.now)
        charges = charges_for(said.venue, fixed.order_type, reckoned.lines, fixed.language, fixed.destination)
        await self._telling.sold_out(
            tx, said.venue, said.phone, said.language, said.now, reckoned.troubles, reckoned.lines,
            total(reckoned.lines, charges), fixed.code,
        )  # fmt: skip

    async def _again(self, tx: Tx, said: Said, cart: Cart) -> list[Statement]:
        """The text came once more. The guest hears of the order, and a stranger nothing about it."""
        row = await tx.first(order_store.BY_CART, {"b_account": cart.account_id, "b_code": cart.code})
        if row is None:
            await self._word(tx, said, "unknown", cart.code)
            return []
        order = from_row(row)
        is_own = order.customer_phone == said.phone
        if is_own and order.is_typed and order.closed_at is None:
            return await self._prove(tx, said, cart, order)
        repeats = await carts.note_repeat(tx, cart)
        if is_own and repeats <= MAX_REPEATS:
            await self._telling.again(tx, said.venue, order, said.now)
        elif not is_own and repeats <= MAX_REPEATS:
            await self._word(tx, said, "sent_by_other", cart.code)
        return []

    async def _prove(self, tx: Tx, said: Said, cart: Cart, order: Order) -> list[Statement]:
        """The number that was typed on the page writes itself: it is told of its order, which waits for nobody else."""
        venue, now = said.venue, said.now
        is_open = order.order_type == "delivery" and await needs_zone(tx, venue, order.destination)
        if order.state == "awaiting_confirmation" and venue.accepts_by_itself and not is_open:
            tab_id = order.tab_id
            if order.table_id is not None and tab_id is None:
                tab_id = await tabs.join(tx, venue.account_id, venue.id, order.table_id, now)
            change = await orders.happen(
                tx, venue.account_id, order.order_id, "accept", "guest", "guest", now, tab_id=tab_id,
                contact_id=said.contact_id, promised_at=promise(venue, order.destination, now),
            )  # fmt: skip
            await self._ordering.proven(tx, cart, change.order)
            return await self._ordering.follow(tx, venue, change, "accept", now)
        change = await revising.amend(
            tx, venue.account_id, order.order_id, {"contact_id": said.contact_id}, "guest", now
        )
        await self._ordering.proven(tx, cart, change.order)
        await self._telling.again(tx, venue, change.order, now)
        return await self._ordering.follow(tx, venue, change, "amend", now, tells=False)

    async def _word(self, tx: Tx, said: Said, kind: str, code: str) -> None:
        if await may_complain(tx, said):
            await self._telling.word(tx, said.venue, said.phone, said.language, said.now, kind, code=f"#{show(code)}")


async def _venue_of(tx: Tx, said: Said, cart: Cart) -> Venue:
    """The cart's venue; the answer goes out on the line that was written to."""
    if cart.venue_id == said.venue.id:
        return said.venue
    venue = await venues.find(tx, cart.account_id, cart.venue_id)
    return msgspec.structs.replace(venue, instance_id=said.venue.instance_id)
