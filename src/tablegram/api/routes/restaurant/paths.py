"""What the addresses below a venue share."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response
from litestar.params import PathParameter

VENUES = "/restaurant/venues"
VENUE = VENUES + "/{venue_id:str}"

READ = {"scope": "restaurant:read"}
MANAGE = {"scope": "restaurant:manage"}

VenueId = Annotated[str, PathParameter(description="The venue.")]


def given(data: msgspec.Struct) -> dict[str, Any]:
    """What was given, as it was given; absent fields are not there."""
    fields: dict[str, Any] = msgspec.to_builtins(data)
    return fields


def file(body: bytes, media_type: str, filename: str) -> Response[bytes]:
    """A file to save."""
    fields = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return Response(body, media_type=media_type, headers=fields)
