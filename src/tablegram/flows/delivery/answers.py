"""What is answered about addresses and zones. Amounts are decimal numbers of the venue's currency, points are degrees."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.flows.wire import OpenDay
from tablegram.values.clock import MomentText

Latitude = Annotated[float, Meta(ge=-90, le=90, description="In degrees; six decimals count.", examples=[40.987654])]
Longitude = Annotated[float, Meta(ge=-180, le=180, description="In degrees; six decimals count.", examples=[29.028765])]


class Corner(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """A point on earth."""

    latitude: Latitude
    longitude: Longitude


class AddressView(Struct, kw_only=True, frozen=True):
    """An address of a contact."""

    id: str
    contact_id: str
    label: str
    address: str
    latitude: float | None
    longitude: float | None
    route_url: Annotated[str, Meta(description="Directions to the door; empty without a coordinate.")]
    used_at: MomentText
    created_at: MomentText
    updated_at: MomentText


class AddressPage(Struct, kw_only=True, frozen=True):
    """Addresses of a contact, the last used first."""

    data: list[AddressView]
    next_cursor: str | None


class ZoneView(Struct, kw_only=True, frozen=True):
    """A zone."""

    id: str
    name: str
    kind: Literal["circle", "polygon"]
    radius_m: int | None
    corners: list[Corner] | None
    fee: float
    minimum: float
    free_from: float | None
    minutes: int
    position: int
    is_active: bool
    hours: list[OpenDay] | None
    created_at: MomentText
    updated_at: MomentText


class ZonePage(Struct, kw_only=True, frozen=True):
    """Zones in their order."""

    data: list[ZoneView]
    next_cursor: str | None


class ZoneList(Struct, kw_only=True, frozen=True):
    """Zones that were made."""

    data: list[ZoneView]


class PlaceTerms(Struct, kw_only=True, frozen=True):
    """On which terms something is brought to a place at this moment."""

    standing: Annotated[
        Literal["inside", "outside", "unknown"],
        Meta(description="unknown: the venue has no zones, and says itself how far it delivers."),
    ]
    zone_id: str | None
    zone: str
    fee: float
    minimum: float
    free_from: float | None
    minutes: Annotated[int | None, Meta(description="From the order to the door; null outside.")]
    distance_m: Annotated[
        int | None, Meta(description="As the crow flies; null where nobody knows where the venue is.")
    ]
    nearest_zone: Annotated[str, Meta(description="Outside: whose edge is nearest.")]
    beyond_m: Annotated[int | None, Meta(description="Outside: how far that edge is.")]
    other_venue: Annotated[str, Meta(description="Outside: another venue of the account that delivers there.")]
    route_url: Annotated[str, Meta(description="Directions to the place.")]


class PointOnMap(Struct, kw_only=True, frozen=True, tag_field="type", tag="Point"):
    """Longitude and latitude."""

    coordinates: list[float | None]


class OutlineOnMap(Struct, kw_only=True, frozen=True, tag_field="type", tag="Polygon"):
    """One ring that ends where it begins, with the longitude first."""

    coordinates: list[list[list[float]]]


class ZoneOnMapTerms(Struct, kw_only=True, frozen=True):
    """The terms of a zone; `radius_m` of a circle."""

    name: str
    fee: float
    minimum: float
    free_from: float | None
    minutes: int
    is_active: bool
    radius_m: int | None
    position: int
    hours: list[OpenDay] | None


class ZoneOnMap(Struct, kw_only=True, frozen=True):
    """A zone as a feature; a circle is the venue's point."""

    type: Literal["Feature"] = "Feature"
    id: str
    geometry: PointOnMap | OutlineOnMap
    properties: ZoneOnMapTerms


class ZoneMap(Struct, kw_only=True, frozen=True):
    """Zones as a collection of GeoJSON (RFC 7946)."""

    type: Literal["FeatureCollection"] = "FeatureCollection"
    features: list[ZoneOnMap]
