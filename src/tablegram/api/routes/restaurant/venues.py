"""Venues."""

from __future__ import annotations

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VENUES, VenueId, given
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.venues import CreateVenue, UpdateVenue
from tablegram.flows.restaurant.answers.venues import VenuePage, VenueStanding, VenueView
from tablegram.flows.restaurant.venue_fields import VenueFields

_TAGS = ["Venues"]


@get(VENUES, opt=READ, tags=_TAGS, summary="List venues", operation_id="listVenues")
async def list_venues(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[VenuePage]:
    """The account's venues, oldest first."""
    return json(await request.deps.restaurant.venue_desk.page(request.caller, limit, cursor))


@post(VENUES, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add a venue", operation_id="createVenue")
async def create_venue(request: ApiRequest, data: JSONBody[CreateVenue]) -> Response[VenueView]:
    """Adds a restaurant. The account's first one becomes its default."""
    return answered(
        await request.deps.restaurant.venue_desk.create(request.caller, given(data, VenueFields), request.call())
    )


@get(VENUE, opt=READ, tags=_TAGS, summary="Look up a venue", operation_id="getVenue")
async def get_venue(request: ApiRequest, venue_id: VenueId) -> Response[VenueView]:
    """One venue."""
    return json(await request.deps.restaurant.venue_desk.get(request.caller, segment(venue_id)))


@patch(VENUE, opt=MANAGE, tags=_TAGS, summary="Change a venue", operation_id="updateVenue")
async def update_venue(request: ApiRequest, venue_id: VenueId, data: JSONBody[UpdateVenue]) -> Response[VenueView]:
    """Changes what is given and leaves the rest. Open menu pages follow at once."""
    return json(
        await request.deps.restaurant.venue_desk.update(request.caller, segment(venue_id), given(data, VenueFields))
    )


@delete(VENUE, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete a venue", operation_id="deleteVenue")
async def delete_venue(request: ApiRequest, venue_id: VenueId) -> None:
    """Closes a venue for good; its orders stay. Another one must be the default before, unless it is the last."""
    await request.deps.restaurant.venue_desk.delete(request.caller, segment(venue_id))


@get(f"{VENUE}/standing", opt=READ, tags=_TAGS, summary="Is a venue open?", operation_id="getVenueStanding")
async def get_standing(request: ApiRequest, venue_id: VenueId) -> Response[VenueStanding]:
    """Whether it is open and takes orders at this moment, until when, and when the next order can be had."""
    return json(await request.deps.restaurant.venue_desk.standing(request.caller, segment(venue_id)))


HANDLERS = [list_venues, create_venue, get_venue, update_venue, delete_venue, get_standing]
