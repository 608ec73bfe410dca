"""Sales: by day, hour, item, waiter and kind of order, and the summary of one day.

GET /panel/sales            ?venue=, ?days= or ?since=&until=, ?by=, ?sort=
GET /panel/sales/day        ?venue=, ?day=, ?best=: the end of a day on one sheet
GET /panel/sales/export     the same days as CSV
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Response, get

from tablegram.errors import Invalid
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.desks.sales import TOP_ITEMS, By
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import arranged, asked, choice
from tablegram.panel.i18n import format_date, format_moment
from tablegram.panel.pages.restaurant import sales_charts
from tablegram.panel.pages.restaurant.venues import look_at
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.sales import SalesDays, Sold, Tally
from tablegram.values.folding import fold
from tablegram.values.money import written

_MANAGE = {"scope": "restaurant:manage"}
PERIODS = (1, 7, 30, 90)
DEFAULT_DAYS = 7
# What the table may be put in order by.
_COLUMNS: dict[str, Callable[[tuple[str, Tally]], Any]] = {
    "name": lambda row: fold(row[0]),
    "count": lambda row: row[1].count,
    "revenue": lambda row: row[1].revenue,
    "each": lambda row: row[1].average,
}
WAYS: tuple[By, ...] = ("day", "hour", "item", "waiter", "order_type")


@get("/sales", opt=_MANAGE)
async def show_sales(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/sales/none.html")
    today = await deps.restaurant.sales.today(visitor.caller, place.id)
    default = today - timedelta(days=DEFAULT_DAYS - 1), today
    problem = None
    try:
        first, last = asked_days(request, *default)
        report = await deps.restaurant.sales.report(visitor.caller, place.id, first, last)
    except Invalid as error:
        problem, (first, last) = error, default
        report = await deps.restaurant.sales.report(visitor.caller, place.id, first, last)
    by, sort = _by(request), asked(request, "sort")
    rows = _rows(visitor, report, by)
    return page(
        request,
        visitor,
        "restaurant/sales/sales.html",
        problem=problem,
        place=place,
        by=by,
        first=first,
        last=last,
        periods=PERIODS,
        chosen_days=(last - first).days + 1 if last == today else 0,
        report=report,
        sort=sort,
        rows=arranged(rows, sort, _COLUMNS),
        sold=Tally(sum(one.count for _, one in rows), sum(one.revenue for _, one in rows)),
        days_chart=sales_charts.by_day(visitor, report) if len(report.by_day) > 1 else None,
        hours_chart=sales_charts.by_hour(visitor, report),
        cash=_money(visitor, report.currency),
    )


@get("/sales/day", opt=_MANAGE)
async def show_day(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    """The end of a day: what came in and how, what was given away, what sold best."""
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/sales/none.html")
    today = await deps.restaurant.sales.today(visitor.caller, place.id)
    problem, day = None, today
    try:
        day = _day(asked(request, "day"), today, "day")
    except Invalid as error:
        problem = error
    report = await deps.restaurant.sales.report(visitor.caller, place.id, day, day)
    best = choice(request, "best", ("revenue", "count"))
    return page(
        request,
        visitor,
        "restaurant/sales/day.html",
        counted_words=_counted(visitor, place.venue, deps.clock.now_ms()),
        problem=problem,
        place=place,
        day=day,
        takings=await deps.restaurant.sales.takings(visitor.caller, place.id, day),
        before=day - timedelta(days=1),
        after=day + timedelta(days=1) if day < today else None,
        report=report,
        best=best,
        top=_top(report, best),
        hours_chart=sales_charts.by_hour(visitor, report),
        cash=_money(visitor, report.currency),
    )


def _top(report: SalesDays, best: str) -> Sequence[Sold]:
    """What sold best: by revenue, as the report has it, or by how many."""
    items = report.items if best == "revenue" else sorted(report.items, key=lambda one: (-one.quantity, one.name))
    return items[:TOP_ITEMS]


@get("/sales/export", opt=_MANAGE)
async def export_sales(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[bytes]:
    place = await look_at(request, deps, visitor)
    today = await deps.restaurant.sales.today(visitor.caller, place.id)
    first, last = asked_days(request, today - timedelta(days=DEFAULT_DAYS - 1), today)
    by = _by(request)
    return Response(
        await deps.restaurant.sales.table(visitor.caller, place.id, by, first, last),
        media_type="text/csv",
        headers={"Content-Disposition": f'attachment; filename="sales-{by}-{first}-{last}.csv"'},
    )


def _money(visitor: Visitor, currency: str) -> Any:
    return lambda amount: written(amount, currency, visitor.language)


def _by(request: PageRequest) -> By:
    given = asked(request, "by")
    return next((one for one in WAYS if one == given), "day")


def asked_days(request: PageRequest, first: date, last: date) -> tuple[date, date]:
    """The days in the address: a period until today, or two days of the calendar."""
    days = {str(period): period for period in PERIODS}.get(asked(request, "days"))
    if days is not None:
        return last - timedelta(days=days - 1), last
    until = _day(asked(request, "until"), last, "until")
    return _day(asked(request, "since"), min(first, until), "since"), until


def _day(text: str, default: date, field: str) -> date:
    if not text:
        return default
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not 1970 < day.year <= 2200:
        raise Invalid.field(field, "day_invalid", "Choose a day of the calendar.")
    return day


def _rows(visitor: Visitor, report: SalesDays, by: By) -> list[tuple[str, Tally]]:
    """What each row of the table is called, and its figures; the busiest hours and days are where they belong."""
    if by == "day":
        return [(format_date(visitor.language, day, with_year=True), one) for day, one in reversed(report.by_day)]
    if by == "hour":
        return [(f"{hour:02d}:00", one) for hour, one in report.by_hour if one.count]
    if by == "waiter":
        return [(name or visitor.t("sales.nobody"), one) for name, one in report.by_waiter]
    if by == "order_type":
        return [(visitor.t(f"order.type_{key}"), one) for key, one in report.by_type]
    return [(one.name, Tally(one.quantity, one.revenue)) for one in report.items]


def _counted(visitor: Visitor, venue: VenueView, now_ms: int) -> str:
    """When the figures were counted, by the clock in the venue: a sheet of paper does not say it by itself."""
    at = format_moment(visitor.language, now_ms, ZoneInfo(venue.time_zone))
    return visitor.t("sales.counted", at=at)


HANDLERS = [show_sales, show_day, export_sales]
