"""A zone: its shape and its terms."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.delivery.zones import geometry
from tablegram.errors import FieldError
from tablegram.values.coordinates import MILLION, Point, metres_between
from tablegram.values.money import MAX_AMOUNT
from tablegram.values.opening_hours import OpeningHours, WeekSpan

MAX_ZONES = 50
MAX_NAME = 60
MIN_CORNERS, MAX_CORNERS = 3, 100
MIN_RADIUS_M, MAX_RADIUS_M = 50, 100_000
# Nobody brings a meal further; a figure that was typed wrong is found out by it.
MAX_SPAN_M = 500_000
MIN_MINUTES, MAX_MINUTES = 1, 24 * 60
MAX_SPANS = 50


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """A circle around the venue, or a polygon; corners are pairs of latitude and longitude in millionths of a degree."""

    kind: Literal["circle", "polygon"]
    radius_m: int = 0
    corners: tuple[tuple[int, int], ...] = ()

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(Point(*corner) for corner in self.corners)


class Zone(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    venue_id: str
    name: str
    shape: Shape
    fee: int = 0
    minimum: int = 0
    free_from: int | None = None
    minutes: int = 40
    position: int = 0
    is_active: bool = True
    # When it holds, in the venue's own time; nothing for always.
    hours: tuple[WeekSpan, ...] | None = None
    created_at: int = 0
    updated_at: int = 0

    def holds(self, venue: Point | None, point: Point) -> bool:
        """Whether it reaches a point; its edge belongs to it."""
        if self.shape.kind == "circle":
            return venue is not None and metres_between(venue, point) <= self.shape.radius_m
        return geometry.holds(self.shape.points, point)

    def metres_beyond(self, venue: Point | None, point: Point) -> int | None:
        """How far a point outside is from its edge; nothing for a circle around nowhere."""
        if self.shape.kind == "polygon":
            return geometry.metres_to_edge(self.shape.points, point)
        return None if venue is None else max(metres_between(venue, point) - self.shape.radius_m, 0)

    def is_on(self, time_zone: str, now_ms: int) -> bool:
        if not self.is_active:
            return False
        return self.hours is None or OpeningHours(time_zone, list(self.hours)).is_open(now_ms)


def check_shape(shape: Shape, venue: Point | None) -> list[FieldError]:
    """What is wrong with a shape; nothing when it may be kept."""
    if shape.kind == "circle":
        if venue is None:
            return [FieldError("radius_m", "venue_nowhere", "Set the venue's location first: a circle goes around it.")]
        if not MIN_RADIUS_M <= shape.radius_m <= MAX_RADIUS_M:
            return [FieldError("radius_m", "out_of_range", f"A radius is {MIN_RADIUS_M} to {MAX_RADIUS_M} metres.")]
        return []
    if not MIN_CORNERS <= len(shape.corners) <= MAX_CORNERS + 1:
        return [_corners("corners_count", f"A polygon has {MIN_CORNERS} to {MAX_CORNERS} corners.")]
    for number, (latitude, longitude) in enumerate(shape.corners, start=1):
        if abs(latitude) > 90 * MILLION or abs(longitude) > 180 * MILLION:
            return [
                _corners(
                    "coordinate_invalid",
                    f"Corner {number} is not on the map: latitude is -90 to 90, longitude -180 to 180.",
                )
            ]
    flat = geometry.flatten(shape.points)
    if len(set(flat)) < MIN_CORNERS:
        return [_corners("corners_count", f"A polygon has at least {MIN_CORNERS} different corners.")]
    if len(flat) > MAX_CORNERS:
        return [_corners("corners_count", f"A polygon has {MIN_CORNERS} to {MAX_CORNERS} corners.")]
    if geometry.is_line(flat):
        return [_corners("polygon_flat", "All corners lie on one line. Move one of them aside.")]
    if geometry.crosses_itself(flat):
        return [_corners("polygon_crosses", "The outline crosses or touches itself. Go around once, corner by corner.")]
    first = shape.points[0]
    if any(metres_between(first, one) > MAX_SPAN_M for one in shape.points):
        far = f"A zone reaches at most {MAX_SPAN_M // 1_000} km. Look at the order of latitude and longitude."
        return [_corners("polygon_too_large", far)]
    return []


def check_terms(zone: Zone) -> list[FieldError]:
    errors: list[FieldError] = []

    def need(holds: bool, field: str, code: str, detail: str) -> None:
        if not holds:
            errors.append(FieldError(field, code, detail))

    need(0 < len(zone.name) <= MAX_NAME, "name", "name_invalid", f"A name has 1 to {MAX_NAME} characters.")
    for field in ("fee", "minimum"):
        need(0 <= getattr(zone, field) <= MAX_AMOUNT, field, "out_of_range", "An amount of 0 or more is needed.")
    need(
        zone.free_from is None or 0 < zone.free_from <= MAX_AMOUNT,
        "free_from",
        "out_of_range",
        "Say from which amount it is free, or leave it empty.",
    )
    minutes = f"It takes {MIN_MINUTES} to {MAX_MINUTES} minutes."
    need(MIN_MINUTES <= zone.minutes <= MAX_MINUTES, "minutes", "out_of_range", minutes)
    need(0 <= zone.position <= 1_000_000, "position", "out_of_range", "A position is 0 or more.")
    spans = zone.hours or ()
    need(len(spans) <= MAX_SPANS, "hours", "too_many", f"At most {MAX_SPANS} spans.")
    return errors


def _corners(code: str, detail: str) -> FieldError:
    return FieldError("corners", code, detail)
