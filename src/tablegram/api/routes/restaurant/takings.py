"""The money that came in."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from tablegram.api.requests import ApiRequest, file, json
from tablegram.api.routes.restaurant.paths import MANAGE, VENUE, VenueId
from tablegram.api.routes.restaurant.sales import DAY, read_day
from tablegram.api.routing import segment
from tablegram.flows.restaurant.answers.figures import TakingsReport
from tablegram.flows.restaurant.desks.takings import By

_TAGS = ["Sales"]

Since = Annotated[str | None, QueryParameter(pattern=DAY, description="The first business day; the last one, if not.")]
Until = Annotated[str | None, QueryParameter(pattern=DAY, description="The last one; today unless it is said.")]


@get(f"{VENUE}/takings", opt=MANAGE, tags=_TAGS, summary="Takings", operation_id="getTakings")
async def get_takings(
    request: ApiRequest, venue_id: VenueId, since: Since = None, until: Until = None
) -> Response[TakingsReport]:
    """The money that came in over at most 366 business days, by method, person, day and hour.

    What is still open and what nobody pays any more, tips, discounts and refunds stand apart; the days before stand beside it.
    """
    first, last = read_day(since, "since"), read_day(until, "until")
    return json(await request.deps.restaurant.takings.figures(request.caller, segment(venue_id), first, last))


@get(f"{VENUE}/takings/export", opt=MANAGE, tags=_TAGS, summary="Takings as CSV", operation_id="exportTakings")
async def export_takings(
    request: ApiRequest,
    venue_id: VenueId,
    since: Since = None,
    until: Until = None,
    by: Annotated[By, QueryParameter(description="What the rows stand for.")] = "day",
) -> Response[bytes]:
    """The same as a file for table programs."""
    first, last = read_day(since, "since"), read_day(until, "until")
    table = await request.deps.restaurant.takings.table(request.caller, segment(venue_id), by, first, last)
    return file(table, "text/csv", f"takings-by-{by}.csv")


HANDLERS = [get_takings, export_takings]
