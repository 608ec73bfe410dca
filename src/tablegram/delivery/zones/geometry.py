"""Polygons on earth: which are any, and which points lie in one.

Everything is reckoned with whole millionths of a degree, so that there is nothing to round: a point on an edge or a
corner lies inside, always. A zone is small against the earth; longitudes are counted from the polygon's first corner, so
that one that lies across the 180th meridian is like any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tablegram.values.coordinates import MILLION, Point

_TURN = 360 * MILLION
# Metres in a millionth of a degree of latitude.
_METRES = math.radians(1 / MILLION) * 6_371_008.8

# Corners as x (longitude from the first corner) and y (latitude).
Flat = tuple[int, int]


def flatten(corners: Sequence[Point]) -> list[Flat]:
    """Each corner on the near side of the first one, without repeated ones, and without the first as the last again."""
    flat: list[Flat] = []
    for corner in corners:
        one = near(corner, corners[0].longitude)
        if not flat or flat[-1] != one:
            flat.append(one)
    return flat[:-1] if len(flat) > 1 and flat[0] == flat[-1] else flat


def near(point: Point, longitude: int) -> Flat:
    """A point as seen from a longitude: at most half a turn away."""
    return (point.longitude - longitude + _TURN // 2) % _TURN - _TURN // 2, point.latitude


def turn(a: Flat, b: Flat, c: Flat) -> int:
    """Larger than 0 where c lies to the left of the way from a to b, 0 where it lies on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_between(a: Flat, b: Flat, c: Flat) -> bool:
    """Whether c, which lies on the line of a and b, lies between them."""
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def holds(corners: Sequence[Point], point: Point) -> bool:
    """Whether a point lies in a polygon; its edge belongs to it."""
    flat = flatten(corners)
    x, y = near(point, corners[0].longitude)
    is_inside = False
    for a, b in zip(flat, [*flat[1:], flat[0]], strict=True):
        side = turn(a, b, (x, y))
        if side == 0 and is_between(a, b, (x, y)):
            return True
        # A ray to the right crosses the edge; of a corner only the upper edge counts.
        if (a[1] > y) != (b[1] > y) and (side > 0) == (b[1] > a[1]):
            is_inside = not is_inside
    return is_inside


def crosses_itself(flat: Sequence[Flat]) -> bool:
    """Whether two edges meet anywhere but in the corner that they share."""
    edges = list(zip(flat, [*flat[1:], flat[0]], strict=True))
    count = len(edges)
    for one in range(count):
        for other in range(one + 1, count):
            is_next = other == one + 1 or (one == 0 and other == count - 1)
            if is_next:
                first, second = (edges[one], edges[other]) if other == one + 1 else (edges[other], edges[one])
                if _folds_back(*first, second[1]):
                    return True
            elif _meet(*edges[one], *edges[other]):
                return True
    return False


def _folds_back(a: Flat, b: Flat, c: Flat) -> bool:
    """Whether the way from b to c runs back over the one from a to b."""
    return turn(a, b, c) == 0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0


def _meet(a: Flat, b: Flat, c: Flat, d: Flat) -> bool:
    sides = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b))
    if _apart(sides[0], sides[1]) and _apart(sides[2], sides[3]):
        return True
    ends = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(side == 0 and is_between(*end) for side, end in zip(sides, ends, strict=True))


def _apart(one: int, other: int) -> bool:
    return (one > 0 > other) or (one < 0 < other)


def is_line(flat: Sequence[Flat]) -> bool:
    """Whether all corners lie on one line."""
    first, second = flat[0], next(one for one in flat if one != flat[0])
    return all(turn(first, second, one) == 0 for one in flat)


def metres_to_edge(corners: Sequence[Point], point: Point) -> int:
    """How far a point is from the nearest edge; on a plane, which is true enough for a town."""
    flat = flatten(corners)
    origin = near(point, corners[0].longitude)
    narrow = math.cos(math.radians(point.latitude / MILLION))

    def metres(one: Flat) -> tuple[float, float]:
        return (one[0] - origin[0]) * _METRES * narrow, (one[1] - origin[1]) * _METRES

    def from_edge(a: Flat, b: Flat) -> float:
        (ax, ay), (bx, by) = metres(a), metres(b)
        length = (bx - ax) ** 2 + (by - ay) ** 2
        along = 0.0 if length == 0 else min(1.0, max(0.0, -(ax * (bx - ax) + ay * (by - ay)) / length))
        return math.hypot(ax + along * (bx - ax), ay + along * (by - ay))

    return round(min(from_edge(a, b) for a, b in zip(flat, [*flat[1:], flat[0]], strict=True)))
