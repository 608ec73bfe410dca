"""A place on earth, and the link that leads a courier there."""

from __future__ import annotations

import math
from typing import Any


def is_place(latitude: Any, longitude: Any) -> bool:
    """Whether two values are a point on earth."""
    figures = (latitude, longitude)
    if not all(
        isinstance(figure, int | float) and not isinstance(figure, bool) and math.isfinite(figure) for figure in figures
    ):
        return False
    return bool(-90 <= latitude <= 90 and -180 <= longitude <= 180)


def route_link(latitude: Any, longitude: Any) -> str | None:
    """Directions to the place, with a point and 6 decimals whatever the locale; nothing for what is no place."""
    if not is_place(latitude, longitude):
        return None
    return f"https://www.google.com/maps/dir/?api=1&destination={latitude:.6f},{longitude:.6f}"
