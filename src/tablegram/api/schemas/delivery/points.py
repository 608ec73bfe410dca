"""Points on earth in the bodies of calls."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tablegram.flows.delivery.answers import Latitude as Latitude
from tablegram.flows.delivery.answers import Longitude as Longitude

VenueLatitude = Annotated[Latitude | None, Meta(description="Where it is, with `longitude`. Null: nobody knows.")]
VenueLongitude = Annotated[Longitude | None, Meta(description="Where it is, with `latitude`. Null: nobody knows.")]
