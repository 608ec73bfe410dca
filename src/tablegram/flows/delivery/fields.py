"""What may be given when a zone or an address is made or changed. What is not named is not there."""

from __future__ import annotations

from typing import TypedDict

from tablegram.values.opening_hours import Day


class CornerFields(TypedDict):
    latitude: float
    longitude: float


class HoursFields(TypedDict):
    day: Day
    opens: str
    closes: str


class ZoneFields(TypedDict, total=False):
    """A circle (`radius_m`) or an outline (`corners`); amounts are decimal numbers."""

    name: str
    radius_m: int | None
    corners: list[CornerFields] | None
    fee: float | None
    minimum: float | None
    free_from: float | None
    minutes: int
    position: int
    is_active: bool
    hours: list[HoursFields] | None


class AddressFields(TypedDict, total=False):
    address: str
    label: str
    latitude: float | None
    longitude: float | None


class RingFields(TypedDict):
    """The longitude first."""

    type: str
    coordinates: list[list[list[float]]]


class FeatureFields(TypedDict, total=False):
    """A feature of GeoJSON; its properties may name the terms of a zone."""

    type: str
    geometry: RingFields
    properties: ZoneFields | None
