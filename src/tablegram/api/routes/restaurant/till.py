"""The drawer: what should be in it, cash put in and paid out, and counts of it."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import VENUE, VenueId, given
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.till import CountTill, MoveCash
from tablegram.flows.restaurant.fields import CashMoveFields, CountFields
from tablegram.flows.restaurant.till.answers import TillCount, TillCountDetails, TillCountPage, TillView

_ORDERS = {"scope": "orders:manage"}
_TAGS = ["Cash"]
_TILL = f"{VENUE}/till"

CountId = Annotated[str, PathParameter(description="The count.")]


@get(_TILL, opt=_ORDERS, tags=_TAGS, summary="The drawer", operation_id="getTill")
async def get_till(request: ApiRequest, venue_id: VenueId) -> Response[TillView]:
    """What should be in the drawer now, and what came and went since it was counted.

    Cash payments and refunds of orders and bills are in it already; what couriers took is added when it is handed in.
    """
    return json(await request.deps.restaurant.till.get(request.caller, segment(venue_id)))


@post(
    f"{_TILL}/movements",
    status_code=201,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Put cash in or pay it out",
    operation_id="moveCash",
)
async def move_cash(request: ApiRequest, venue_id: VenueId, data: JSONBody[MoveCash]) -> Response[TillView]:
    """Cash that is put in or paid out, with a reason. With an Idempotency-Key, a call that is repeated moves it once."""
    move = request.deps.restaurant.till.move
    return answered(await move(request.caller, segment(venue_id), given(data, CashMoveFields), request.call()))


@get(f"{_TILL}/counts", opt=_ORDERS, tags=_TAGS, summary="List counts", operation_id="listTillCounts")
async def list_counts(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 50, cursor: Cursor = None
) -> Response[TillCountPage]:
    """Counts of the drawer, newest first."""
    counts = request.deps.restaurant.till.counts
    return json(await counts(request.caller, segment(venue_id), limit=limit, cursor=cursor))


@post(
    f"{_TILL}/counts",
    status_code=201,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Count the drawer",
    operation_id="countTill",
)
async def count_till(request: ApiRequest, venue_id: VenueId, data: JSONBody[CountTill]) -> Response[TillCount]:
    """Closes everything that came and went since the count before. A count never changes.

    Each payment is of one count: what is taken or given back afterwards is of the next.
    """
    count = request.deps.restaurant.till.count
    return answered(await count(request.caller, segment(venue_id), given(data, CountFields), request.call()))


@get(_TILL + "/counts/{count_id:str}", opt=_ORDERS, tags=_TAGS, summary="Look up a count", operation_id="getTillCount")
async def get_count(request: ApiRequest, venue_id: VenueId, count_id: CountId) -> Response[TillCountDetails]:
    """A count with everything that it closed."""
    get_one = request.deps.restaurant.till.get_count
    return json(await get_one(request.caller, segment(venue_id), segment(count_id)))


HANDLERS = [get_till, move_cash, list_counts, count_till, get_count]
