"""Points as forms and programs write them."""

from __future__ import annotations

from tablegram.errors import FieldError, Invalid
from tablegram.flows.delivery.answers import Corner
from tablegram.values.coordinates import MILLION, Point, point_of


def read_point(latitude: float | None, longitude: float | None, prefix: str = "") -> Point | None:
    """Both figures or none: half a point is no place. Raises `Invalid` that names what is wrong."""
    if latitude is None and longitude is None:
        return None
    errors = [
        FieldError(f"{prefix}{name}", "coordinate_needed", "A place has a latitude and a longitude. Give both.")
        for name, figure in (("latitude", latitude), ("longitude", longitude))
        if figure is None
    ]
    if latitude is None or longitude is None:
        raise Invalid.fields(errors)
    point = point_of(latitude, longitude)
    if point is None:
        detail = "Write degrees with a point: a latitude of -90 to 90 and a longitude of -180 to 180."
        wrong = "longitude" if point_of(latitude, 0) is not None else "latitude"
        raise Invalid.field(f"{prefix}{wrong}", "coordinate_invalid", detail)
    return point


def parse_degrees(text: str, field: str) -> float | None:
    """A figure that somebody typed; nothing where nothing was. A comma in its place is refused, not guessed at."""
    given = text.strip()
    if not given:
        return None
    try:
        # Python reads more than figures: `1_0`, `nan`, and digits of other scripts.
        figure = float(given) if given.isascii() and "_" not in given else float("nan")
    except ValueError:
        figure = float("nan")
    if not -180 <= figure <= 180:
        detail = "Write degrees with a point, such as 40.987654."
        raise Invalid.field(field, "coordinate_invalid", detail)
    return figure


def degrees_of(point: Point | None) -> tuple[float, float] | tuple[None, None]:
    """The latitude and the longitude, if there is a point."""
    return (None, None) if point is None else (point.latitude / MILLION, point.longitude / MILLION)


def corner_of(point: Point) -> Corner:
    return Corner(latitude=point.latitude / MILLION, longitude=point.longitude / MILLION)
