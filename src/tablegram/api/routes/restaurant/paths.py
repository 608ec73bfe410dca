"""What the addresses below a venue share."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar.params import PathParameter

from tablegram.errors import Invalid
from tablegram.values.cursor import decode_cursor, encode_cursor

VENUES = "/restaurant/venues"
VENUE = VENUES + "/{venue_id:str}"

READ = {"scope": "restaurant:read"}
MANAGE = {"scope": "restaurant:manage"}

VenueId = Annotated[str, PathParameter(description="The venue.")]


def given(data: msgspec.Struct) -> dict[str, Any]:
    """What was given, as it was given; absent fields are not there."""
    fields: dict[str, Any] = msgspec.to_builtins(data)
    return fields


def page_of(things: list[dict[str, Any]], limit: int, cursor: str | None) -> dict[str, Any]:
    """A page of a list that is short enough to be read whole, in whatever order it has."""
    start = 0
    if cursor is not None:
        place, _, last = decode_cursor(cursor).partition(":")
        if not (place.isascii() and place.isdigit()):
            raise Invalid.field("cursor", "cursor_invalid", "Use the next_cursor of the previous page, unchanged.")
        known = [one["id"] for one in things]
        # Where the last one is gone, those behind it have moved up.
        start = known.index(last) + 1 if last in known else int(place[:9])
    shown = things[start : start + limit]
    is_more = start + limit < len(things)
    return {
        "data": shown,
        "next_cursor": encode_cursor(f"{start + limit - 1}:{shown[-1]['id']}") if is_more else None,
    }
