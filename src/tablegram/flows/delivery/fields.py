"""What may be given when a zone or an address is made or changed. What is not named is not there."""

from __future__ import annotations

from typing import Literal, TypedDict

from tablegram.flows.wire import DayFields


class CornerFields(TypedDict):
    latitude: float
    longitude: float


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
    hours: list[DayFields] | None


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


class CashFields(TypedDict, total=False):
    """The cash of a shift that was handed in; `note` says why it differs."""

    counted_amount: float | str | None
    note: str


class AssignFields(TypedDict):
    order_id: str
    courier_id: str


class StepFields(TypedDict, total=False):
    """`paid`: what was open was taken on the way."""

    paid: Literal["cash", "card_on_delivery"] | None
    reason: str
