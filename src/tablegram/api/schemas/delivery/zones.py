"""Bodies of the calls about zones. Amounts are decimal numbers of the venue's currency."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line, optional_line
from tablegram.flows.delivery.answers import Corner, Latitude, Longitude
from tablegram.flows.wire import OpenDay

_MAX = 1_000_000_000
_Name = Annotated[str, line(60, "What guests and couriers call it.", "Moda")]
_Radius = Annotated[
    int, Meta(ge=50, le=100_000, description="A circle of so many metres around the venue.", examples=[3000])
]
_Corners = Annotated[
    list[Corner],
    Meta(
        min_length=3,
        max_length=101,
        description="An outline, corner by corner, that does not cross itself. What lies on it is inside.",
    ),
]
_Fee = Annotated[float, Meta(ge=0, le=_MAX, description="What bringing it costs.", examples=[35])]
_Minimum = Annotated[float, Meta(ge=0, le=_MAX, description="For less nothing is brought.", examples=[250])]
_FreeFrom = Annotated[
    Annotated[float, Meta(gt=0, le=_MAX)] | None, Meta(description="From so much on it costs nothing. Null: never.")
]
_Minutes = Annotated[int, Meta(ge=1, le=1_440, description="From the order to the door.", examples=[40])]
_Position = Annotated[
    int, Meta(ge=0, le=10_000, description="Where zones overlap, the one with the smallest number counts.")
]
_Hours = Annotated[
    Annotated[list[OpenDay], Meta(max_length=50)] | None,
    Meta(description="When it is used, by the venue's clock. Null: whenever the venue takes orders."),
]


class CreateZone(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new zone: a circle (`radius_m`) or an outline (`corners`), behind the others unless it names its position."""

    name: _Name
    radius_m: Annotated[_Radius | None, Meta(description="Metres around the venue, or null for an outline.")] = None
    corners: Annotated[_Corners | None, Meta(description="The outline, or null for a circle.")] = None
    fee: _Fee | UnsetType = UNSET
    minimum: _Minimum | UnsetType = UNSET
    free_from: _FreeFrom | UnsetType = UNSET
    minutes: _Minutes | UnsetType = UNSET
    position: _Position | UnsetType = UNSET
    is_active: Annotated[bool, Meta(description="false: it is kept, but not used.")] | UnsetType = UNSET
    hours: _Hours | UnsetType = UNSET


class UpdateZone(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. Orders that were placed keep what was agreed."""

    name: _Name | UnsetType = UNSET
    radius_m: Annotated[_Radius, Meta(description="Makes it a circle.")] | UnsetType = UNSET
    corners: Annotated[_Corners, Meta(description="Makes it an outline.")] | UnsetType = UNSET
    fee: _Fee | UnsetType = UNSET
    minimum: _Minimum | UnsetType = UNSET
    free_from: _FreeFrom | UnsetType = UNSET
    minutes: _Minutes | UnsetType = UNSET
    position: _Position | UnsetType = UNSET
    is_active: bool | UnsetType = UNSET
    hours: _Hours | UnsetType = UNSET


class CheckPlace(Struct, kw_only=True, forbid_unknown_fields=True):
    """A place that something might be brought to."""

    latitude: Latitude
    longitude: Longitude


class ZoneGeometry(Struct, kw_only=True, forbid_unknown_fields=True):
    """An outline: one ring, with the longitude first. A file may also hold circles, as points."""

    type: Literal["Polygon"]
    coordinates: Annotated[
        list[
            Annotated[
                list[Annotated[list[float], Meta(min_length=2, max_length=3)]], Meta(min_length=3, max_length=101)
            ]
        ],
        Meta(min_length=1, max_length=1),
    ]


class ZoneProperties(Struct, kw_only=True):
    """The terms of a zone; everything else here is left alone."""

    name: _Name | UnsetType = UNSET
    fee: _Fee | UnsetType = UNSET
    minimum: _Minimum | UnsetType = UNSET
    free_from: _FreeFrom | UnsetType = UNSET
    minutes: _Minutes | UnsetType = UNSET
    is_active: bool | UnsetType = UNSET


class ZoneFeature(Struct, kw_only=True):
    """A feature of GeoJSON."""

    type: Literal["Feature"]
    geometry: ZoneGeometry
    properties: ZoneProperties | None = None


class ImportZones(Struct, kw_only=True, forbid_unknown_fields=True):
    """A collection of GeoJSON (RFC 7946). What programs write beside the features is taken and left alone."""

    type: Literal["FeatureCollection"]
    features: Annotated[list[ZoneFeature], Meta(min_length=1, max_length=50)]
    name: Annotated[str, optional_line(200, "Of the collection.")] | UnsetType = UNSET
    bbox: Annotated[list[float], Meta(max_length=6)] | UnsetType = UNSET
