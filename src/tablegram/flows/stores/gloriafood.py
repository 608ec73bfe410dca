"""Orders that guests placed at GloriaFood, on the board of the restaurant and in its kitchen.

The venue is the one that the source names, else the one that is called as the restaurant is called there; where none is,
nothing happens. Dishes are found on
the menu by their names, for the station that makes them. What is not found is made all the same: it stands in the order
under the name that it has there, and in a note. Prices are those that the guest has agreed to, whatever the menu says.
"""

from __future__ import annotations

from collections import OrderedDict

from tablegram.errors import Conflict
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering, promise, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.carts.contents import MAX_NOTE, MAX_NOTES
from tablegram.restaurant.lines import PricedLine, tidy
from tablegram.restaurant.menu.model import Item, Menu
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.keeping import Placing
from tablegram.restaurant.orders.model import from_row
from tablegram.restaurant.orders.numbers import order_day
from tablegram.restaurant.orders.states import OrderType, PaymentMethod
from tablegram.restaurant.orders.totals import Extra, subtotal
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.stores.model import Followed, ToldEvent
from tablegram.stores.ports import Good, StoreEvent
from tablegram.values.clock import Clock
from tablegram.values.folding import words
from tablegram.values.texts.reasons import MAX_REASON
from tablegram.values.words import Words

PLATFORM = "gloriafood"
WHAT = "kitchen_order"
# Planned events that wait for their commit. What was rolled back is forgotten in its turn.
MAX_PLANNED = 200

_TYPES: dict[str, OrderType] = {"delivery": "delivery", "pickup": "takeaway", "dine_in": "dine_in"}
# For the kitchen, in the venue's language.
_WORDS = Words(__file__)
_ON_THE_SPOT: dict[OrderType, PaymentMethod] = {"dine_in": "pos_at_table"}


class GloriaFoodOrders:
    """Follows what shops tell (`stores.following`)."""

    def __init__(self, clock: Clock, ordering: Ordering) -> None:
        self._clock = clock
        self._ordering = ordering
        self._planned: OrderedDict[tuple[str, str], tuple[Venue, list[Statement]]] = OrderedDict()

    async def prepare(self, account_id: int) -> None:
        await self._ordering.refresh(account_id)

    async def follow(self, tx: Tx, told: ToldEvent) -> Followed | None:
        event = told.event
        if told.source.platform != PLATFORM or told.delivery.is_test:
            return None
        # What an earlier try planned was rolled back with it.
        self._planned.pop(_key(told), None)
        if event.kind == "order_cancelled":
            return await self._cancel(tx, told)
        if event.kind != "order_created" or not event.goods:
            return None
        if told.is_older:
            return Followed(code="older", what=WHAT)
        venue = await _venue_of(tx, told)
        if venue is None:
            detail = "No venue is called as the restaurant is called there. Choose one in the settings of the source."
            return Followed(code="off", what=WHAT, detail=detail)
        if event.currency != venue.currency:
            return Followed(
                code="off", what=WHAT, detail=f"The order is not in {venue.currency}, the currency of the venue."
            )
        if event.amount is None:
            return Followed(code="off", what=WHAT, detail="The order has no total that can be read.")
        return await self._place(tx, told, venue)

    def told(self, told: ToldEvent) -> None:
        """After the commit."""
        venue, statements = self._planned.pop(_key(told), (None, []))
        if venue is not None:
            self._ordering.told(venue, statements)

    async def _place(self, tx: Tx, told: ToldEvent, venue: Venue) -> Followed:
        now = self._clock.now_ms()
        menu = await self._ordering.menus.load(tx, venue)
        lines, unknown = _lines(told.event.goods, menu)
        placing = _placing(told, venue, lines, unknown, now)
        placed, statements = await self._ordering.adopt(tx, venue, placing, now)
        order = placed.order
        if not placed.is_new:
            return Followed(code="duplicate", what=WHAT, detail=order.order_id)
        if _field(told.event, "payment") == "ONLINE" and order.total > 0:
            # Whoever serves it must not ask for the money again.
            paid = await orders.happen(tx, venue.account_id, order.order_id, "pay", "staff", PLATFORM, now)
            statements += await self._ordering.follow(tx, venue, paid, "pay", now, tells=False)
        await self._keep(tx, told, venue, statements)
        missing = f" Not on the menu: {', '.join(unknown)}." if unknown else ""
        return Followed(code="recorded", what=WHAT, detail=f"{order.order_id}.{missing}"[:500])

    async def _cancel(self, tx: Tx, told: ToldEvent) -> Followed | None:
        which = {"b_account": told.source.account_id, "b_message": _message_key(told)}
        row = await tx.first(order_store.BY_MESSAGE, which)
        if row is None:
            return None
        order = from_row(row)
        venue = await venues.find_ever(tx, order.account_id, order.venue_id)
        now, reason = self._clock.now_ms(), tidy(told.event.reason)[:MAX_REASON]
        try:
            change = await orders.happen(
                tx, order.account_id, order.order_id, "cancel", "staff", PLATFORM, now, reason=reason or "GloriaFood"
            )
        except Conflict as error:
            return Followed(code="duplicate", what=WHAT, detail=f"{order.order_id}. {error.detail}"[:500])
        await self._keep(tx, told, venue, await self._ordering.follow(tx, venue, change, "cancel", now, tells=False))
        return Followed(code="cancelled", what=WHAT, detail=order.order_id)

    async def _keep(self, tx: Tx, told: ToldEvent, venue: Venue, statements: list[Statement]) -> None:
        await run_all(tx, statements)
        while len(self._planned) >= MAX_PLANNED:
            self._planned.popitem(last=False)
        self._planned[_key(told)] = venue, statements


def _key(told: ToldEvent) -> tuple[str, str]:
    return told.delivery.id, told.event.reference


def _message_key(told: ToldEvent) -> str:
    """An order has one such key, and it is unique: whatever comes again leads to the same order."""
    return f"store:{told.source.id}:{told.event.reference}"


def _field(event: StoreEvent, name: str) -> str:
    return next((value for known, value in event.fields if known == name), "")


async def _venue_of(tx: Tx, told: ToldEvent) -> Venue | None:
    """The one that was chosen; one that was closed since is none. Else the one that has the name."""
    called = words(_field(told.event, "restaurant"))
    chosen = told.source.venue_id
    found = await venues.every(tx, told.source.account_id) if called or chosen else []
    if chosen:
        return next((venue for venue in found if venue.id == chosen), None)
    return next((venue for venue in found if words(venue.name) == called), None)


def _lines(goods: tuple[Good, ...], menu: Menu) -> tuple[tuple[PricedLine, ...], list[str]]:
    """Each dish as a line, and the names of those that the menu does not have."""
    known = _by_name(menu)
    station = menu.stations[0] if menu.stations else "kitchen"
    lines, unknown = [], []
    for good in goods:
        item = known.get(" ".join(words(good.name)))
        name = tidy(good.name)
        if item is None:
            unknown.append(name)
        lines.append(
            PricedLine(
                item_id=f"elsewhere:{' '.join(words(name))}"[:64] if item is None else item.id,
                name=name if item is None else item.name,
                kitchen_name=name if item is None else item.kitchen_name or item.name,
                station=station if item is None else item.station,
                quantity=good.quantity,
                unit_price=0 if good.amount is None else good.amount // good.quantity,
                options=tuple(map(tidy, good.options)),
                kitchen_options=tuple(map(tidy, good.options)),
                note=tidy(good.note)[:MAX_NOTE],
                vat=menu.vat if item is None or item.vat is None else item.vat,
            )
        )
    return tuple(lines), list(dict.fromkeys(unknown))


def _by_name(menu: Menu) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for item in menu.items:
        named = [item.name, item.kitchen_name, *(told.get("name", "") for told in item.translations.values())]
        for key in (" ".join(words(name)) for name in named if name):
            found.setdefault(key, item)
    return found


def _placing(told: ToldEvent, venue: Venue, lines: tuple[PricedLine, ...], unknown: list[str], now: int) -> Placing:
    event = told.event
    order_type = _TYPES.get(event.service, "takeaway")
    is_cash = _field(event, "payment") == "CASH"
    # What is no dish (fees, a tip, offers) makes the difference to what the guest has agreed to pay.
    more = (event.amount or 0) - subtotal(lines)
    language = event.person.language or venue.locale
    name = "GloriaFood"
    missing = f"{_WORDS.of(venue.locale)['not_on_menu']}: {', '.join(unknown)}" if unknown else ""
    notes = " · ".join(filter(None, (f"{name} {event.number}", missing, tidy(event.note))))
    return Placing(
        account_id=venue.account_id,
        venue_id=venue.id,
        day=order_day(now, venue.time_zone),
        currency=venue.currency,
        # It was accepted there, and the guest knows.
        accepts_by_itself=True,
        order_type=order_type,
        payment_method="cash" if is_cash else _ON_THE_SPOT.get(order_type, "card_on_delivery"),
        lines=lines,
        charges=(Extra("fees", name, more),) if more > 0 else (),
        discounts=(Extra("discount", name, -more),) if more < 0 else (),
        message_key=_message_key(told),
        table_label=tidy(_field(event, "table"))[:40] if order_type == "dine_in" else "",
        contact_id=told.contact_id,
        customer_phone=told.phone,
        customer_name=tidy(event.person.name),
        notes=notes[:MAX_NOTES],
        address=tidy(event.address) if order_type == "delivery" else "",
        language=language.partition("-")[0].lower(),
        promised_at=event.due_at or promise(venue, None, now),
        by=PLATFORM,
    )
