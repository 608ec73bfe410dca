"""The way through several stops: links for the map, and a proposal for their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import asin, cos, radians, sin, sqrt
from typing import TypeVar
from urllib.parse import quote

# So many stops before the last the map's links take; what is more goes on in a second link.
MAX_WAYPOINTS = 9
EARTH_KM = 6371.0
_DIRECTIONS = "https://www.google.com/maps/dir/?api=1"
_PLACE = re.compile(r"[?&]destination=(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)(?:&|$)")

Point = tuple[float, float]
Key = TypeVar("Key")


def point_of(route_url: str) -> Point | None:
    """The place that an order's own route link leads to."""
    found = _PLACE.search(route_url)
    return None if found is None else (float(found[1]), float(found[2]))


def stop_of(route_url: str, address: str) -> str:
    """How the map is told of a stop: by its place, or by the address in words; empty where neither is known."""
    point = point_of(route_url)
    return address if point is None else f"{point[0]:.6f},{point[1]:.6f}"


def tour_links(stops: Sequence[str]) -> list[str]:
    """Links through all stops in their order; a link begins where the one before it ended."""
    known = [one for one in stops if one]
    step = MAX_WAYPOINTS + 1
    return [_link(known[at : at + step]) for at in range(0, len(known), step)]


def _link(stops: Sequence[str]) -> str:
    *waypoints, last = (quote(one, safe=",") for one in stops)
    between = f"&waypoints={'%7C'.join(waypoints)}" if waypoints else ""
    return f"{_DIRECTIONS}&destination={last}{between}"


def distance_km(one: Point, other: Point) -> float:
    """As the crow flies."""
    (lat, lng), (lat2, lng2) = ((radians(a), radians(b)) for a, b in (one, other))
    chord = sin((lat2 - lat) / 2) ** 2 + cos(lat) * cos(lat2) * sin((lng2 - lng) / 2) ** 2
    return 2 * EARTH_KM * asin(min(1.0, sqrt(chord)))


def nearest_first(start: Point | None, stops: Sequence[tuple[Key, Point | None]]) -> list[Key]:
    """From each stop to the nearest that is left. Stops without a place come last, in the order they had."""
    left = [(key, place) for key, place in stops if place is not None]
    here = start
    found: list[Key] = []
    while left:
        place = here
        following = left[0] if place is None else min(left, key=lambda one: distance_km(place, one[1]))
        left.remove(following)
        found.append(following[0])
        here = following[1]
    return [*found, *(key for key, place in stops if place is None)]
