"""How tickets look on paper, by station."""

from __future__ import annotations

from litestar import Response, get, patch
from litestar.params import JSONBody

from tablegram.api.requests import ApiRequest, json
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VenueId
from tablegram.api.routing import segment
from tablegram.api.schemas.printing.layouts import SetLayout
from tablegram.flows.printing.layouts.answers import LayoutList
from tablegram.flows.printing.layouts.desk import LayoutDesk
from tablegram.flows.printing.services import PrintingServices

_TAGS = ["Printing"]
LAYOUTS = VENUE + "/layouts"


def _desk(request: ApiRequest) -> LayoutDesk:
    return request.deps.services.of(PrintingServices).layouts


@get(LAYOUTS, opt=READ, tags=_TAGS, summary="List layouts of tickets", operation_id="listLayouts")
async def list_layouts(request: ApiRequest, venue_id: VenueId) -> Response[LayoutList]:
    """How the tickets of each station look on paper, those of the pass, and receipts."""
    return json(await _desk(request).page(request.caller, segment(venue_id)))


@patch(LAYOUTS, opt=MANAGE, tags=_TAGS, summary="Choose a layout of tickets", operation_id="setLayout")
async def set_layout(request: ApiRequest, venue_id: VenueId, data: JSONBody[SetLayout]) -> Response[LayoutList]:
    """Chooses what is printed, in which order, size and language. Null goes back to the usual look."""
    return json(await _desk(request).choose(request.caller, segment(venue_id), data.kind, data.station, data.layout))


HANDLERS = [list_layouts, set_layout]
