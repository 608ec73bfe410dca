"""What the edges ask of the restaurant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablegram.flows.loyalty.guest_rewards import GuestRewards
from tablegram.flows.restaurant.bills.bills import Bills
from tablegram.flows.restaurant.bills.links import BillLinks
from tablegram.flows.restaurant.desks.photos import Photos
from tablegram.flows.restaurant.desks.venue_desk import VenueDesk
from tablegram.flows.restaurant.guests.calls import TableCalls
from tablegram.flows.restaurant.guests.guests import Guests
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.flows.restaurant.orders.orders import Orders
from tablegram.flows.restaurant.orders.requests import OrderRequests
from tablegram.flows.restaurant.paying.bill import GuestBill
from tablegram.flows.restaurant.paying.by_gift import GuestGifts
from tablegram.flows.restaurant.paying.guest import GuestPaying

if TYPE_CHECKING:
    from tablegram.flows.restaurant.desks.menu_desk import MenuDesk
    from tablegram.flows.restaurant.desks.reader_desk import ReaderDesk
    from tablegram.flows.restaurant.desks.regulars import Regulars
    from tablegram.flows.restaurant.desks.sales import Sales
    from tablegram.flows.restaurant.desks.services import RestaurantDesks
    from tablegram.flows.restaurant.desks.table_desk import TableDesk
    from tablegram.flows.restaurant.desks.takings import TakingsDesk
    from tablegram.flows.restaurant.desks.turns import Turns
    from tablegram.flows.restaurant.kitchen.displays import Displays
    from tablegram.flows.restaurant.kitchen.kitchen import Kitchen
    from tablegram.flows.restaurant.paying.counter_gifts import CounterGifts
    from tablegram.flows.restaurant.till.till_desk import TillDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class RestaurantServices:
    guests: Guests
    guest_paying: GuestPaying
    orders: Orders
    bills: Bills
    bill_links: BillLinks
    guest_bill: GuestBill
    guest_gifts: GuestGifts
    guest_rewards: GuestRewards
    order_requests: OrderRequests
    table_calls: TableCalls
    venue_desk: VenueDesk
    photos: Photos
    menu_watch: MenuWatch
    # The desks below: what nobody asks before the first address of the API, or the first page.
    desks: Callable[[], RestaurantDesks]

    @property
    def counter_gifts(self) -> CounterGifts:
        return self.desks().counter_gifts

    @property
    def kitchen(self) -> Kitchen:
        return self.desks().kitchen

    @property
    def displays(self) -> Displays:
        return self.desks().displays

    @property
    def regulars(self) -> Regulars:
        return self.desks().regulars

    @property
    def turns(self) -> Turns:
        return self.desks().turns

    @property
    def table_desk(self) -> TableDesk:
        return self.desks().table_desk

    @property
    def menu_desk(self) -> MenuDesk:
        return self.desks().menu_desk

    @property
    def reader_desk(self) -> ReaderDesk:
        return self.desks().reader_desk

    @property
    def sales(self) -> Sales:
        return self.desks().sales

    @property
    def takings(self) -> TakingsDesk:
        return self.desks().takings

    @property
    def till(self) -> TillDesk:
        return self.desks().till
