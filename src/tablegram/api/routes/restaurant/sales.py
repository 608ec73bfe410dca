"""What a venue sold."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from tablegram.api.requests import ApiRequest, file, json
from tablegram.api.routes.restaurant.paths import MANAGE, VENUE, VenueId
from tablegram.api.routing import segment
from tablegram.errors import Invalid
from tablegram.flows.restaurant.answers.figures import DaySummary, SalesReport
from tablegram.flows.restaurant.desks.sales import By

_TAGS = ["Sales"]
DAY = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"
_WAYS = "What the rows stand for."

Since = Annotated[str | None, QueryParameter(pattern=DAY, description="The first day; 30 days before the last one.")]
Until = Annotated[str | None, QueryParameter(pattern=DAY, description="The last day; today unless it is said.")]


@get(f"{VENUE}/sales", opt=MANAGE, tags=_TAGS, summary="Sales", operation_id="getSales")
async def get_sales(
    request: ApiRequest,
    venue_id: VenueId,
    since: Since = None,
    until: Until = None,
    by: Annotated[By, QueryParameter(description=_WAYS)] = "day",
) -> Response[SalesReport]:
    """Orders and revenue by day, hour, item, waiter or kind of order, over at most 366 days.

    An order counts on the venue's business day on which it was placed; cancelled ones do not count.
    """
    first, last = read_day(since, "since"), read_day(until, "until")
    return json(await request.deps.restaurant.sales.figures(request.caller, segment(venue_id), by, first, last))


@get(f"{VENUE}/sales/export", opt=MANAGE, tags=_TAGS, summary="Sales as CSV", operation_id="exportSales")
async def export_sales(
    request: ApiRequest,
    venue_id: VenueId,
    since: Since = None,
    until: Until = None,
    by: Annotated[By, QueryParameter(description=_WAYS)] = "day",
) -> Response[bytes]:
    """The same as a file for table programs."""
    first, last = read_day(since, "since"), read_day(until, "until")
    table = await request.deps.restaurant.sales.table(request.caller, segment(venue_id), by, first, last)
    return file(table, "text/csv", f"sales-by-{by}.csv")


@get(f"{VENUE}/sales/summary", opt=MANAGE, tags=_TAGS, summary="The end of a day", operation_id="getDaySummary")
async def get_summary(
    request: ApiRequest,
    venue_id: VenueId,
    day: Annotated[
        str | None, QueryParameter(pattern=DAY, description="A business day of the venue; today unless it is said.")
    ] = None,
) -> Response[DaySummary]:
    """One day: what came in and by which payment, charges and discounts, what sold best, what was called off."""
    return json(await request.deps.restaurant.sales.summary(request.caller, segment(venue_id), read_day(day, "day")))


def read_day(text: str | None, field: str) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    # Before this nothing was ever sold, and after it no clock of ours goes.
    if not 1970 < day.year <= 2200:
        raise Invalid.field(field, "time_invalid", f"{field} must be a day such as 2026-03-01.")
    return day


HANDLERS = [get_sales, export_sales, get_summary]
