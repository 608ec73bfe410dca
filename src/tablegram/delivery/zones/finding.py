"""Which zone a point lies in, and what is nearest where it lies in none."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.delivery.zones.model import Zone
from tablegram.values.coordinates import Point, metres_between


class Found(msgspec.Struct, frozen=True):
    """The zone that holds; without one, how far the nearest edge is and whose it is."""

    zone: Zone | None
    distance_m: int | None = None
    nearest: Zone | None = None
    beyond_m: int | None = None


def find(zones: Sequence[Zone], venue: Point | None, point: Point, time_zone: str, now_ms: int) -> Found:
    """The first of the zones that hold at this moment and reach the point."""
    distance = None if venue is None else metres_between(venue, point)
    on = [zone for zone in zones if zone.is_on(time_zone, now_ms)]
    for zone in on:
        if zone.holds(venue, point):
            return Found(zone, distance)
    gaps = [
        (beyond, number) for number, zone in enumerate(on) if (beyond := zone.metres_beyond(venue, point)) is not None
    ]
    if not gaps:
        return Found(None, distance)
    beyond, number = min(gaps)
    return Found(None, distance, on[number], beyond)
