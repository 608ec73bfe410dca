"""What bringing something to a point means: its zone and that zone's terms, or what would be possible instead."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.delivery.zones import finding, keeping
from tablegram.delivery.zones.model import Zone
from tablegram.restaurant import venues
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.coordinates import Point


class Looked(msgspec.Struct, frozen=True):
    """Where to, and where that is outside every zone, what else there is."""

    destination: Destination
    nearest: str = ""
    beyond_m: int | None = None
    # Another venue of the account that delivers there.
    other_venue: str = ""


async def has_zones(tx: Tx, venue: Venue) -> bool:
    """Whether the venue says anywhere how far it delivers."""
    return any(zone.is_active for zone in await keeping.every(tx, venue.account_id, venue.id))


async def look(tx: Tx, venue: Venue, point: Point, now: int) -> Looked:
    """The terms of this moment. A venue without zones delivers as it always did: the point is noted, and no more."""
    zones = await keeping.every(tx, venue.account_id, venue.id)
    found = finding.find(zones, venue.point, point, venue.time_zone, now)
    where = Destination(latitude=point.latitude, longitude=point.longitude, distance_m=found.distance_m)
    if not any(zone.is_active for zone in zones):
        return Looked(where)
    if found.zone is not None:
        return Looked(_agreed(where, found.zone))
    outside = msgspec.structs.replace(where, standing="outside")
    nearest = "" if found.nearest is None else found.nearest.name
    return Looked(outside, nearest, found.beyond_m, await _other(tx, venue, point, now))


def _agreed(where: Destination, zone: Zone) -> Destination:
    return msgspec.structs.replace(
        where,
        standing="inside",
        zone_id=zone.id,
        zone=zone.name,
        fee=zone.fee,
        minimum=zone.minimum,
        free_from=zone.free_from,
        minutes=zone.minutes,
    )


async def _other(tx: Tx, venue: Venue, point: Point, now: int) -> str:
    others: Sequence[Venue] = await venues.every(tx, venue.account_id)
    for other in others:
        if other.id == venue.id or "delivery" not in other.order_types:
            continue
        zones = await keeping.every(tx, other.account_id, other.id)
        if finding.find(zones, other.point, point, other.time_zone, now).zone is not None:
            return other.name
    return ""
