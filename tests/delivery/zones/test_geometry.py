"""Which polygons are any, and which points lie in one: against reckoning it out in other ways."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tablegram.delivery.zones import geometry
from tablegram.delivery.zones.model import MAX_CORNERS, Shape, check_shape
from tablegram.values.coordinates import MILLION, Point, metres_between
from tests.cases import cases

_SQUARE = [Point(0, 0), Point(0, 10), Point(10, 10), Point(10, 0)]
# A small grid: points on edges, corners and in one line come up all the time.
_grid = st.builds(Point, st.integers(-4, 4), st.integers(-4, 4))
_outlines = st.lists(_grid, min_size=3, max_size=8, unique=True)


def _winding(corners: list[Point], point: Point) -> bool:
    """By how often the outline goes around the point; the edge is looked for with fractions."""
    wound = 0
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        if _is_on(a, b, point):
            return True
        side = (b.longitude - a.longitude) * (point.latitude - a.latitude) - (point.longitude - a.longitude) * (
            b.latitude - a.latitude
        )
        if a.latitude <= point.latitude < b.latitude and side > 0:
            wound += 1
        elif b.latitude <= point.latitude < a.latitude and side < 0:
            wound -= 1
    return wound != 0


def _is_on(a: Point, b: Point, point: Point) -> bool:
    lengths = (b.latitude - a.latitude, b.longitude - a.longitude)
    ways = (point.latitude - a.latitude, point.longitude - a.longitude)
    parts = {Fraction(way, length) for way, length in zip(ways, lengths, strict=True) if length}
    still = all(way == 0 for way, length in zip(ways, lengths, strict=True) if not length)
    return still and len(parts) == 1 and 0 <= next(iter(parts)) <= 1


def _crosses_by_force(corners: list[Point]) -> bool:
    """Whether two edges share more than the corner that joins them, by solving for the point where they meet."""
    edges = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    for one, other in combinations(edges, 2):
        shared = {*one} & {*other}
        if any(_is_on(*one, end) and end not in shared for end in other):
            return True
        if any(_is_on(*other, end) and end not in shared for end in one):
            return True
        if not shared and _meet_within(*one, *other):
            return True
    return False


def _meet_within(a: Point, b: Point, c: Point, d: Point) -> bool:
    u = (b.longitude - a.longitude, b.latitude - a.latitude)
    v = (d.longitude - c.longitude, d.latitude - c.latitude)
    across = u[0] * v[1] - u[1] * v[0]
    if across == 0:
        return False
    w = (c.longitude - a.longitude, c.latitude - a.latitude)
    along, other = Fraction(w[0] * v[1] - w[1] * v[0], across), Fraction(w[0] * u[1] - w[1] * u[0], across)
    return 0 <= along <= 1 and 0 <= other <= 1


def _is_sound(corners: list[Point]) -> bool:
    flat = geometry.flatten(corners)
    return len(flat) >= 3 and not geometry.is_line(flat) and not geometry.crosses_itself(flat)


@given(_outlines, _grid)
def test_a_point_is_inside_exactly_when_the_outline_goes_around_it_or_runs_through_it(
    corners: list[Point], point: Point
) -> None:
    if _is_sound(corners):
        assert geometry.holds(corners, point) == _winding(corners, point)


@given(_outlines)
def test_an_outline_crosses_itself_exactly_when_two_edges_share_more_than_a_corner(corners: list[Point]) -> None:
    assert geometry.crosses_itself(geometry.flatten(corners)) == _crosses_by_force(corners)


@given(_outlines, _grid, st.integers(-180 * MILLION, 180 * MILLION), st.integers(-80 * MILLION, 80 * MILLION))
def test_what_is_inside_is_so_wherever_on_earth_the_zone_lies(
    corners: list[Point], point: Point, east: int, north: int
) -> None:
    """Across the 180th meridian too, from whatever corner one begins and whichever way one goes around."""

    def moved(one: Point) -> Point:
        turned = (one.longitude + east + 180 * MILLION) % (360 * MILLION) - 180 * MILLION
        return Point(one.latitude + north, turned)

    if not _is_sound(corners):
        return
    inside = geometry.holds(corners, point)
    there = [moved(one) for one in corners]
    for outline in (there, there[::-1], [*there[2:], *there[:2]], [*there, there[0]]):
        assert _is_sound(outline)
        assert geometry.holds(outline, moved(point)) == inside


def test_edges_and_corners_belong_to_a_zone_and_a_tenth_of_a_metre_beyond_does_not() -> None:
    inside = [*_SQUARE, Point(0, 5), Point(5, 10), Point(10, 5), Point(5, 0), Point(5, 5)]
    outside = [Point(-1, 5), Point(11, 5), Point(5, -1), Point(5, 11), Point(-1, -1), Point(11, 11), Point(0, 11)]
    assert all(geometry.holds(_SQUARE, one) for one in inside)
    assert not any(geometry.holds(_SQUARE, one) for one in outside)
    fiji = [Point(-17 * MILLION, 179_900_000), Point(-17 * MILLION, -179_900_000), Point(-18 * MILLION, -179_900_000),
            Point(-18 * MILLION, 179_900_000)]  # fmt: skip
    assert check_shape(Shape("polygon", corners=tuple((one.latitude, one.longitude) for one in fiji)), None) == []
    west, east = Point(-17_500_000, 179_950_000), Point(-17_500_000, -179_950_000)
    assert geometry.holds(fiji, west)
    assert geometry.holds(fiji, east)
    assert geometry.holds(fiji, Point(-17_500_000, 180 * MILLION))
    assert geometry.holds(fiji, Point(-17_500_000, -180 * MILLION))
    assert not geometry.holds(fiji, Point(-17_500_000, 0))
    assert not geometry.holds(fiji, Point(-17_500_000, 179_800_000))
    assert abs(metres_between(west, east) - 10_600) < 50
    assert geometry.metres_to_edge(fiji, Point(-17_500_000, 179_800_000)) in range(10_500, 10_700)


def test_outlines_that_are_none_are_refused_with_what_to_do() -> None:
    far = 90 * MILLION
    many = tuple((1_000 * n, n * n) for n in range(MAX_CORNERS + 1))
    wrong: dict[str, tuple[tuple[tuple[int, int], ...], str]] = {
        "a bow tie": (((0, 0), (10, 10), (10, 0), (0, 10)), "polygon_crosses"),
        "two loops that touch in a corner": (
            ((0, 0), (0, 4), (4, 4), (8, 8), (8, 4), (4, 4), (4, 0)),
            "polygon_crosses",
        ),
        "a needle": (((0, 0), (0, 10), (5, 5), (0, 8), (0, 20), (9, 9)), "polygon_crosses"),
        "a way there and back": (((0, 0), (0, 10), (10, 10), (0, 10)), "polygon_crosses"),
        "a line": (((0, 0), (5, 5), (10, 10)), "polygon_flat"),
        "two points": (((0, 0), (5, 5)), "corners_count"),
        "two points, again and again": (((0, 0), (5, 5), (0, 0), (5, 5)), "corners_count"),
        "one point": (((3, 3), (3, 3), (3, 3), (3, 3)), "corners_count"),
        "nothing": ((), "corners_count"),
        "more corners than anybody draws": (many, "corners_count"),
        "beyond the pole": (((0, 0), (0, 10), (far + 1, 0)), "coordinate_invalid"),
        "beyond the date line": (((0, 0), (0, 180 * MILLION + 1), (10, 0)), "coordinate_invalid"),
        "half the earth": (((0, 0), (0, far), (far - 1, 0)), "polygon_too_large"),
    }

    with cases() as tried:
        for name, (corners, code) in wrong.items():
            with tried.case(name):
                errors = check_shape(Shape("polygon", corners=corners), None)
                assert [(one.field, one.code) for one in errors] == [("corners", code)], errors
    closed = ((0, 0), (0, 10), (10, 10), (10, 0), (0, 0))
    assert check_shape(Shape("polygon", corners=closed), None) == []
    circle = Shape("circle", radius_m=3_000)
    assert [one.code for one in check_shape(circle, None)] == ["venue_nowhere"]
    assert check_shape(circle, Point(0, 0)) == []
    assert [one.code for one in check_shape(Shape("circle", radius_m=10), Point(0, 0))] == ["out_of_range"]
