"""How an order comes to be and moves on, whoever does it: the order, its event and the word to the guest together.

A page, a text and a waiter's tablet all end here. `Ordering` works inside somebody's transaction and gives back the
planned events; `told` passes them on after the commit.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol

import msgspec

from tablegram.delivery.addresses import keeping as addresses
from tablegram.events.planning import Planner, Statement
from tablegram.flows.delivery import terms
from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.restaurant import destinations
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.lines import DishLine, PricedLine, Reckoning, reckon
from tablegram.restaurant.menu import keeping as menus
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.menu.pricing import MenuPrices
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.event import CREATED, order_event
from tablegram.restaurant.orders.keeping import OrderChange, Placed, Placing
from tablegram.restaurant.orders.methods import payment_methods
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.numbers import order_day
from tablegram.restaurant.orders.states import OrderType, PaymentMethod
from tablegram.restaurant.orders.totals import Extra, service_charge, subtotal, total
from tablegram.restaurant.paying.ports import GiftMoney, OnlineMoney, TabMoney
from tablegram.restaurant.tables import Table
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS

if TYPE_CHECKING:
    from tablegram.restaurant.reading import Vocabulary

# Of so many venues the menus are kept at hand.
MAX_MENUS = 200


def charges_for(
    venue: Venue, order_type: str, lines: tuple[PricedLine, ...], language: str, to: Destination | None = None
) -> tuple[Extra, ...]:
    """The venue's service charge, for guests who are served at a table; what bringing it costs, for a delivery."""
    if order_type == "delivery":
        return destinations.charge(to, subtotal(lines), speak(language)["delivery_fee"])
    if order_type != "dine_in":
        return ()
    return service_charge(lines, venue.service_charge, speak(language)["service"])


class OrderWish(msgspec.Struct, frozen=True, kw_only=True):
    """An order that somebody wishes for: priced lines, where they go, and who wants them."""

    order_type: OrderType
    lines: tuple[PricedLine, ...]
    language: str
    table: Table | None = None
    tab_id: str | None = None
    payment_method: PaymentMethod | None = None
    contact_id: str | None = None
    phone: str = ""
    name: str = ""
    notes: str = ""
    address: str = ""
    route_url: str = ""
    destination: Destination | None = None
    message_key: str | None = None
    by: str = "guest"
    # Whose order it is, where that is not the table's waiter.
    waiter: str = ""
    # A waiter's own order needs nobody's nod.
    by_staff: bool = False
    # Of somebody who proved neither a table nor a number: it always needs one.
    is_strangers: bool = False


class Menus:
    """Menus as transactions read them: whole, and prepared for reading texts, kept until they change."""

    def __init__(self) -> None:
        # By venue: the version with the time it was made, since a version that was rolled back may come again.
        self._kept: dict[str, tuple[tuple[int, int], Menu]] = {}
        self._vocabularies: dict[str, tuple[Menu, Vocabulary]] = {}

    async def load(self, tx: Tx, venue: Venue) -> Menu:
        edition = venue.menu_version, venue.updated_at
        known = self._kept.get(venue.id)
        if known is not None and known[0] == edition:
            return known[1]
        menu = await menus.load(tx, venue)
        while len(self._kept) >= MAX_MENUS:
            oldest = next(iter(self._kept))
            self._kept.pop(oldest, None)
            self._vocabularies.pop(oldest, None)
        self._kept[venue.id] = edition, menu
        return menu

    def vocabulary(self, venue: Venue, menu: Menu) -> Vocabulary:
        known = self._vocabularies.get(venue.id)
        if known is not None and known[0] is menu:
            return known[1]
        # Who reads nothing loads no reader.
        from tablegram.restaurant.reading import Vocabulary

        made = Vocabulary(menu)
        self._vocabularies[venue.id] = menu, made
        return made


class Rewards(Protocol):
    async def offered(self, tx: Tx, venue: Venue) -> bool:
        """Whether guests have anything to redeem here."""
        ...

    async def whose(self, tx: Tx, venue: Venue, proof: str, now: int) -> tuple[str, str]:
        """The contact and the number of the phone that a page has proved to be on. Raises `NotFound`."""
        ...

    async def takes_off(
        self, tx: Tx, venue: Venue, contact_id: str, order_type: str, lines: tuple[PricedLine, ...],
        charges: tuple[Extra, ...], now: int,
    ) -> tuple[Extra, ...]:  # fmt: skip
        """What somebody chose to redeem, as it would be taken off such an order; nothing is held for it."""
        ...

    async def due(
        self, tx: Tx, venue: Venue, wish: OrderWish, charges: tuple[Extra, ...], now: int
    ) -> tuple[Extra, ...]:
        """What the guest chose to redeem on the order that is being placed, as its discounts."""
        ...


# An order in its venue as it was (nothing when it is new) and as it is, with the time.
Follower = Callable[[Tx, Venue, Order | None, Order, int], Awaitable[None]]
# A cart that the guest's own phone has sent, and its order.
Proven = Callable[[Tx, Cart, Order], Awaitable[None]]


async def _nothing(tx: Tx, cart: Cart, order: Order) -> None:
    return None


class Ordering:
    def __init__(self, planner: Planner, telling: Telling, menus: Menus) -> None:
        self._planner = planner
        self.telling = telling
        self.menus = menus
        # Who hears that something about the orders of a venue was committed.
        self.listeners: list[Callable[[Venue], None]] = []
        # Who writes something of their own into the transaction of every change.
        self.followers: list[Follower] = []
        # Set by whoever keeps what guests agreed to.
        self.proven: Proven = _nothing
        # Set by whoever joins orders and payments; without, nothing is paid online.
        self.online: OnlineMoney | None = None
        self.tab_money: TabMoney | None = None
        # Set by whoever joins orders and loyalty; without, nothing is redeemed.
        self.rewards: Rewards | None = None
        self.gifts: GiftMoney | None = None

    async def refresh(self, account_id: int) -> None:
        """Call before a unit of work that orders."""
        await self._planner.refresh(account_id)

    async def methods(
        self, tx: Tx, venue: Venue, order_type: str, *, is_known: bool = True
    ) -> tuple[PaymentMethod, ...]:
        """How an order may be paid at this moment; the first is meant where nothing is said."""
        return payment_methods(venue, order_type, online=await self.takes_online(tx, venue), is_known=is_known)

    async def online_if_offered(self, tx: Tx, venue: Venue, order_type: str, is_wanted: bool) -> PaymentMethod | None:
        """The wish to pay online, where that can be done; else whatever is usual."""
        offered = await self.methods(tx, venue, order_type) if is_wanted else ()
        return "online_card" if "online_card" in offered else None

    async def takes_online(self, tx: Tx, venue: Venue) -> bool:
        """Whether the venue takes payment online, and a provider is connected."""
        return bool(venue.details.pays_online) and self.online is not None and await self.online.is_ready(tx, venue)

    async def _method(self, tx: Tx, venue: Venue, wish: OrderWish) -> PaymentMethod:
        """As the guest wishes, or the usual way; of somebody whom the house does not know, perhaps online only."""
        sits = wish.order_type == "dine_in" and wish.tab_id is not None
        is_known = wish.by_staff or sits or wish.order_type not in venue.details.prepaid
        if not is_known and wish.contact_id is not None:
            is_known = await orders.has_finished(tx, venue.account_id, venue.id, wish.contact_id)
        if is_known:
            return wish.payment_method or payment_methods(venue, wish.order_type)[0]
        offered = await self.methods(tx, venue, wish.order_type, is_known=False)
        return wish.payment_method if wish.payment_method in offered else offered[0]

    async def reckon(
        self, tx: Tx, venue: Venue, lines: tuple[DishLine, ...], order_type: str, language: str, now: int
    ) -> Reckoning:
        """The lines by the menu of this moment. Raises `Invalid` for more than an order can come to."""
        menu = await self.menus.load(tx, venue)
        reckoned = reckon(lines, MenuPrices(menu, now, order_type, language))
        # Found out here, before anything is written that could not be taken back.
        total(reckoned.lines, charges_for(venue, order_type, reckoned.lines, language))
        return reckoned

    async def place(
        self, tx: Tx, venue: Venue, wish: OrderWish, now: int, cart: Cart | None = None
    ) -> tuple[Placed, list[Statement]]:
        """Make the order, plan its event and tell the guest; a wish that came before makes nothing."""
        table = wish.table if wish.order_type == "dine_in" else None
        method = await self._method(tx, venue, wish)
        destination = wish.destination if wish.order_type == "delivery" else None
        charges = charges_for(venue, wish.order_type, wish.lines, wish.language, destination)
        discounts = () if self.rewards is None else await self.rewards.due(tx, venue, wish, charges, now)
        # What bringing it costs, or whether it can be brought at all, is not known: people decide.
        is_open = wish.order_type == "delivery" and await needs_zone(tx, venue, destination)
        if is_open and destination is None:
            destination = Destination(is_asked=True)
        # Whoever pays first needs nobody's nod, whoever they are.
        is_prepaid = method == "online_card" and total(wish.lines, charges, discounts) > 0
        placing = Placing(
            account_id=venue.account_id,
            venue_id=venue.id,
            day=order_day(now, venue.time_zone),
            currency=venue.currency,
            accepts_by_itself=(venue.accepts_by_itself and not is_open and not (wish.is_strangers and not is_prepaid))
            or wish.by_staff,
            order_type=wish.order_type,
            payment_method=method,
            lines=wish.lines,
            charges=charges,
            discounts=discounts,
            message_key=wish.message_key,
            table_id=None if table is None else table.id,
            table_label="" if table is None else table.label,
            tab_id=None if table is None else wish.tab_id,
            waiter=wish.waiter or ("" if table is None else table.waiter_name),
            contact_id=wish.contact_id,
            customer_phone=wish.phone,
            customer_name=wish.name,
            notes=wish.notes,
            address=wish.address if wish.order_type == "delivery" else "",
            route_url=wish.route_url if wish.order_type == "delivery" else "",
            destination=destination,
            language=wish.language,
            promised_at=promise(venue, destination, now),
            by=wish.by,
        )
        placed = await orders.place(tx, placing, now, cart)
        if not placed.is_new:
            return placed, []
        await _remember(tx, placed.order, now)
        statements = self.plan(placed.order, placed.announces)
        for follower in self.followers:
            await follower(tx, venue, None, placed.order, now)
        await self.telling.placed(tx, venue, placed.order, now)
        return placed, statements

    async def adopt(self, tx: Tx, venue: Venue, placing: Placing, now: int) -> tuple[Placed, list[Statement]]:
        """An order that was placed and confirmed elsewhere: everything but a word to the guest, who has had one."""
        placed = await orders.place(tx, placing, now)
        if not placed.is_new:
            return placed, []
        for follower in self.followers:
            await follower(tx, venue, None, placed.order, now)
        return placed, self.plan(placed.order, placed.announces)

    async def follow(
        self, tx: Tx, venue: Venue, change: OrderChange, event: str, now: int, *, reason: str = "", tells: bool = True
    ) -> list[Statement]:
        """What follows from a change of an order: its event and, unless they did it themselves, a word to the guest."""
        if not change.changed:
            return []
        for follower in self.followers:
            await follower(tx, venue, change.before, change.order, now)
        if tells:
            await self.telling.happened(tx, venue, change.order, event, reason, now)
        if event == "pay_in_person" and change.announces == CREATED:
            # What waited for money by link goes to the kitchen without it.
            await self.telling.happened(tx, venue, change.order, "accept", reason, now)
        if event == "revise" and change.order.state == "ready":
            # What was taken out was the last that was still to be made.
            await self.telling.happened(tx, venue, change.order, "finish", reason, now)
        return self.plan(change.order, change.announces, reason)

    def plan(self, order: Order, kind: str, reason: str = "") -> list[Statement]:
        # The events of one guest go in order, their messages included.
        sender = order.contact_id or order.order_id
        return self._planner.plan(order.account_id, kind, order_event(order, kind, reason=reason), sender)

    def announce(self, account_id: int, kind: str, body: Mapping[str, object], sender: str) -> list[Statement]:
        return self._planner.plan(account_id, kind, body, sender)

    def told(self, venue: Venue, statements: list[Statement]) -> None:
        """Call after the commit."""
        if statements:
            self._planner.planned(venue.account_id, statements)
        self.telling.sent(venue)
        for listener in self.listeners:
            listener(venue)


def promise(venue: Venue, destination: Destination | None, now: int) -> int:
    """When it is with the guest, or ready where nobody brings it."""
    minutes = None if destination is None else destination.minutes
    return now + (venue.details.preparation_min if minutes is None else minutes) * MINUTE_MS


async def needs_zone(tx: Tx, venue: Venue, destination: Destination | None) -> bool:
    """Whether the venue has zones, and it is not known that one of them reaches there."""
    is_settled = destination is not None and destination.standing == "inside"
    return not is_settled and await terms.has_zones(tx, venue)


async def _remember(tx: Tx, order: Order, now: int) -> None:
    """Where a contact has something brought to is offered the next time. What was only typed on a page is nobody's."""
    point = None if order.destination is None else order.destination.point
    if order.order_type != "delivery" or order.contact_id is None or not (order.address or point):
        return
    await addresses.note_use(tx, order.account_id, order.contact_id, order.address, point, now)


async def run_all(tx: Tx, statements: list[Statement]) -> None:
    for query, params in statements:
        await tx.run(query, params)
