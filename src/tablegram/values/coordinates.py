"""A place on earth, how far two are apart, and the link that leads a courier there.

What is kept and compared is whole millionths of a degree, a tenth of a metre: whole numbers are equal on every machine
and in every database, and what is reckoned with them is exact.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec

MILLION = 1_000_000
_EARTH_M = 6_371_008.8


class Point(msgspec.Struct, frozen=True, order=True):
    """Latitude and longitude in millionths of a degree."""

    latitude: int
    longitude: int

    @property
    def degrees(self) -> tuple[float, float]:
        return self.latitude / MILLION, self.longitude / MILLION


def is_place(latitude: Any, longitude: Any) -> bool:
    """Whether two values are a point on earth."""
    figures = (latitude, longitude)
    if not all(isinstance(figure, int | float) and not isinstance(figure, bool) for figure in figures):
        return False
    try:
        if not all(math.isfinite(figure) for figure in figures):
            return False
    except OverflowError:
        return False
    return bool(-90 <= latitude <= 90 and -180 <= longitude <= 180)


def point_of(latitude: Any, longitude: Any) -> Point | None:
    """The point of two figures in degrees; nothing for what is no place."""
    if not is_place(latitude, longitude):
        return None
    return Point(round(latitude * MILLION), round(longitude * MILLION))


def route_link(latitude: Any, longitude: Any) -> str | None:
    """Directions to the place, with a point and 6 decimals whatever the locale; nothing for what is no place."""
    if not is_place(latitude, longitude):
        return None
    return f"https://www.google.com/maps/dir/?api=1&destination={latitude:.6f},{longitude:.6f}"


def route_to(point: Point) -> str:
    latitude, longitude = point.degrees
    return f"https://www.google.com/maps/dir/?api=1&destination={latitude:.6f},{longitude:.6f}"


def metres_between(one: Point, other: Point) -> int:
    """As the crow flies, over a round earth."""
    (a, b), (c, d) = ((math.radians(figure) for figure in point.degrees) for point in (one, other))
    half = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return round(2 * _EARTH_M * math.asin(math.sqrt(min(1.0, half))))
