"""What the edges ask of the restaurant."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.loyalty.guest_rewards import GuestRewards
from tablegram.flows.restaurant.bills.bills import Bills
from tablegram.flows.restaurant.bills.links import BillLinks
from tablegram.flows.restaurant.desks.menu_desk import MenuDesk
from tablegram.flows.restaurant.desks.photos import Photos
from tablegram.flows.restaurant.desks.reader_desk import ReaderDesk
from tablegram.flows.restaurant.desks.regulars import Regulars
from tablegram.flows.restaurant.desks.sales import Sales
from tablegram.flows.restaurant.desks.table_desk import TableDesk
from tablegram.flows.restaurant.desks.takings import TakingsDesk
from tablegram.flows.restaurant.desks.turns import Turns
from tablegram.flows.restaurant.desks.venue_desk import VenueDesk
from tablegram.flows.restaurant.guests.calls import TableCalls
from tablegram.flows.restaurant.guests.guests import Guests
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.flows.restaurant.kitchen.displays import Displays
from tablegram.flows.restaurant.kitchen.kitchen import Kitchen
from tablegram.flows.restaurant.orders.orders import Orders
from tablegram.flows.restaurant.orders.requests import OrderRequests
from tablegram.flows.restaurant.paying.bill import GuestBill
from tablegram.flows.restaurant.paying.by_gift import GuestGifts
from tablegram.flows.restaurant.paying.counter_gifts import CounterGifts
from tablegram.flows.restaurant.paying.guest import GuestPaying
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
    counter_gifts: CounterGifts
    guest_rewards: GuestRewards
    kitchen: Kitchen
    displays: Displays
    regulars: Regulars
    turns: Turns
    order_requests: OrderRequests
    table_calls: TableCalls
    venue_desk: VenueDesk
    table_desk: TableDesk
    menu_desk: MenuDesk
    photos: Photos
    reader_desk: ReaderDesk
    sales: Sales
    takings: TakingsDesk
    till: TillDesk
    menu_watch: MenuWatch
