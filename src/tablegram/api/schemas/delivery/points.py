"""Points on earth in the bodies of calls."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Latitude = Annotated[float, Meta(ge=-90, le=90, description="In degrees; six decimals count.", examples=[40.987654])]
Longitude = Annotated[float, Meta(ge=-180, le=180, description="In degrees; six decimals count.", examples=[29.028765])]
VenueLatitude = Annotated[Latitude | None, Meta(description="Where it is, with `longitude`. Null: nobody knows.")]
VenueLongitude = Annotated[Longitude | None, Meta(description="Where it is, with `latitude`. Null: nobody knows.")]


class Corner(Struct, kw_only=True, forbid_unknown_fields=True):
    """A point on earth."""

    latitude: Latitude
    longitude: Longitude
