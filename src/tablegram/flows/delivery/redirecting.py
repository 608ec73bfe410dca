"""Staff say where an order goes, or that it goes elsewhere: its zone and what that costs are found anew."""

from __future__ import annotations

from typing import TypedDict

from tablegram.errors import Invalid
from tablegram.flows.delivery import terms
from tablegram.restaurant import destinations
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.totals import Extra, subtotal
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.coordinates import Point


class PlaceChanges(TypedDict, total=False):
    """What changes of an order that goes elsewhere."""

    destination: Destination
    route_url: str


async def where_to(tx: Tx, venue: Venue, order_type: str, point: Point | None, now: int) -> Destination | None:
    """The terms of a place that staff name. They may take what is outside, or too little: they know what they do."""
    if point is None:
        return None
    if order_type != "delivery":
        raise Invalid.field("latitude", "not_allowed", "Only a delivery goes to a place.")
    return (await terms.look(tx, venue, point, now)).destination


async def redirected(tx: Tx, venue: Venue, order: Order, address: str, point: Point | None, now: int) -> PlaceChanges:
    """What changes with the place. Other words without a point are another place, whose zone nobody knows."""
    if point is not None:
        to = await where_to(tx, venue, order.order_type, point, now)
        return {} if to is None else {"destination": to, "route_url": to.route_url}
    if order.order_type != "delivery" or address == order.address or not order.address:
        return {}
    if order.destination is None:
        return {"route_url": ""}
    unknown = Destination(fee=order.destination.fee, free_from=order.destination.free_from)
    return {"destination": unknown, "route_url": ""}


def costs(order: Order, changes: PlaceChanges, name: str) -> tuple[Extra, ...] | None:
    """What the order costs on top once it goes elsewhere; nothing changes where the sum is settled or the zone unknown."""
    to = changes.get("destination")
    if to is None or to.point is None or order.payment_state != "unpaid":
        return None
    others = tuple(one for one in order.charges if one.kind != "delivery")
    return (*others, *destinations.charge(to, subtotal(order.lines), name))
