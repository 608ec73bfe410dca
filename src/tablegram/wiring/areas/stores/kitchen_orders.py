"""Orders of food that were placed elsewhere go to the kitchen: where shops meet the restaurant."""

from __future__ import annotations

from tablegram.flows.stores.gloriafood import GloriaFoodOrders
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.areas.stores.sources import StoreWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, stores: StoreWorks, restaurant: RestaurantWorks) -> Contribution:
    orders = GloriaFoodOrders(ground.clock, restaurant.ordering)
    stores.events.preparing.append(orders.prepare)
    stores.events.followers.append(orders.follow)
    stores.events.listeners.append(orders.told)
    return Contribution()


PART = Part(name="orders from elsewhere", build=build)
