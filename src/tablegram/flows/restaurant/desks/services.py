"""What only the API and the panel ask of the restaurant. It is loaded with the first of their addresses."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.restaurant.desks.menu_desk import MenuDesk
from tablegram.flows.restaurant.desks.reader_desk import ReaderDesk
from tablegram.flows.restaurant.desks.regulars import Regulars
from tablegram.flows.restaurant.desks.sales import Sales
from tablegram.flows.restaurant.desks.table_desk import TableDesk
from tablegram.flows.restaurant.desks.takings import TakingsDesk
from tablegram.flows.restaurant.desks.turns import Turns
from tablegram.flows.restaurant.kitchen.displays import Displays
from tablegram.flows.restaurant.kitchen.kitchen import Kitchen
from tablegram.flows.restaurant.paying.counter_gifts import CounterGifts
from tablegram.flows.restaurant.till.till_desk import TillDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class RestaurantDesks:
    counter_gifts: CounterGifts
    kitchen: Kitchen
    displays: Displays
    regulars: Regulars
    turns: Turns
    table_desk: TableDesk
    menu_desk: MenuDesk
    reader_desk: ReaderDesk
    sales: Sales
    takings: TakingsDesk
    till: TillDesk
