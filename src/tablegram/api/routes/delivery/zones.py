"""Zones: where a venue delivers to, and on which terms."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VenueId, given, page_of
from tablegram.api.routing import segment
from tablegram.api.schemas.delivery.zones import (
    CheckPlace,
    CreateZone,
    ImportZones,
    UpdateZone,
)
from tablegram.flows.delivery.answers import PlaceTerms, ZoneList, ZoneMap, ZonePage, ZoneView
from tablegram.flows.delivery.fields import FeatureFields, ZoneFields
from tablegram.flows.delivery.services import DeliveryServices
from tablegram.flows.delivery.zone_desk import ZoneDesk

_TAGS = ["Delivery"]
_ALL = f"{VENUE}/zones"
_ONE = _ALL + "/{zone_id:str}"

ZoneId = Annotated[str, PathParameter(description="The zone.")]


def _desk(request: ApiRequest) -> ZoneDesk:
    return request.deps.services.of(DeliveryServices).zones


@get(_ALL, opt=READ, tags=_TAGS, summary="List zones", operation_id="listZones")
async def list_zones(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 200, cursor: Cursor = None
) -> Response[ZonePage]:
    """The zones of a venue in their order: where two overlap, the first one counts."""
    found = await _desk(request).zones(request.caller, segment(venue_id))
    return json(page_of(ZonePage, found, limit, cursor))


@post(_ALL, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add a zone", operation_id="createZone")
async def create_zone(request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateZone]) -> Response[ZoneView]:
    """Adds a circle around the venue, or an outline."""
    return answered(
        await _desk(request).add(request.caller, segment(venue_id), given(data, ZoneFields), request.call())
    )


@post(f"{_ALL}/check", status_code=200, opt=READ, tags=_TAGS, summary="Check a place", operation_id="checkPlace")
async def check_place(request: ApiRequest, venue_id: VenueId, data: JSONBody[CheckPlace]) -> Response[PlaceTerms]:
    """On which terms something is brought to a place now; outside, what would be possible instead. Changes nothing."""
    desk = _desk(request)
    return answered(
        await desk.once(
            PlaceTerms,
            request.caller,
            request.call(),
            lambda: desk.check(request.caller, segment(venue_id), data.latitude, data.longitude),
        )
    )


@get(f"{_ALL}/geojson", opt=READ, tags=_TAGS, summary="Export zones", operation_id="exportZones")
async def export_zones(request: ApiRequest, venue_id: VenueId) -> Response[ZoneMap]:
    """The zones as a collection of GeoJSON (RFC 7946). A circle is a point with `radius_m` among its properties."""
    return json(await _desk(request).geojson(request.caller, segment(venue_id)))


@post(f"{_ALL}/geojson", status_code=201, opt=MANAGE, tags=_TAGS, summary="Import zones", operation_id="importZones")
async def import_zones(request: ApiRequest, venue_id: VenueId, data: JSONBody[ImportZones]) -> Response[ZoneList]:
    """Each outline of a collection of GeoJSON becomes a zone behind the others: all of them, or none."""
    features = [given(one, FeatureFields) for one in data.features]
    return answered(await _desk(request).add_geojson(request.caller, segment(venue_id), features, request.call()))


@get(_ONE, opt=READ, tags=_TAGS, summary="Look up a zone", operation_id="getZone")
async def get_zone(request: ApiRequest, venue_id: VenueId, zone_id: ZoneId) -> Response[ZoneView]:
    """One zone."""
    return json(await _desk(request).get(request.caller, segment(venue_id), segment(zone_id)))


@patch(_ONE, opt=MANAGE, tags=_TAGS, summary="Change a zone", operation_id="updateZone")
async def update_zone(
    request: ApiRequest, venue_id: VenueId, zone_id: ZoneId, data: JSONBody[UpdateZone]
) -> Response[ZoneView]:
    """Changes what is given and leaves the rest."""
    return json(
        await _desk(request).change(request.caller, segment(venue_id), segment(zone_id), given(data, ZoneFields))
    )


@delete(_ONE, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete a zone", operation_id="deleteZone")
async def delete_zone(request: ApiRequest, venue_id: VenueId, zone_id: ZoneId) -> None:
    """Takes a zone away; orders that were placed in it keep what was agreed."""
    await _desk(request).remove(request.caller, segment(venue_id), segment(zone_id))


HANDLERS = [
    list_zones,
    create_zone,
    # Before a single zone: none is called `geojson`.
    check_place,
    export_zones,
    import_zones,
    get_zone,
    update_zone,
    delete_zone,
]
