"""Takings: the money of some business days, by way, person and hour, beside that of the days before.

GET /panel/takings           ?venue=, ?days= or ?since=&until=
GET /panel/takings/export    the same days as CSV; ?by=
"""

from __future__ import annotations

from datetime import date
from typing import Any

from litestar import Response, get

from tablegram.errors import Invalid
from tablegram.flows.restaurant.desks.takings import WAYS, By, Counted, rows
from tablegram.panel.frame.charts import Chart, Series, draw
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.i18n import format_date
from tablegram.panel.pages.restaurant.sales import PERIODS, asked_days
from tablegram.panel.pages.restaurant.sales_charts import busy_hours, whole
from tablegram.panel.pages.restaurant.venues import look_at
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor
from tablegram.values.money import written

_MANAGE = {"scope": "restaurant:manage"}


@get("/takings", opt=_MANAGE)
async def show_takings(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/sales/none.html")
    today = await deps.restaurant.sales.today(visitor.caller, place.id)
    problem = None
    try:
        first, last = asked_days(request, today, today)
        found = await deps.restaurant.takings.count(visitor.caller, place.id, first, last)
    except Invalid as error:
        problem, first, last = error, today, today
        found = await deps.restaurant.takings.count(visitor.caller, place.id, first, last)
    return page(
        request,
        visitor,
        "restaurant/sales/takings.html",
        problem=problem,
        place=place,
        first=first,
        last=last,
        is_running=last >= today,
        periods=PERIODS,
        chosen_days=(last - first).days + 1 if last == today else 0,
        found=found,
        takings=found.takings,
        before=found.before,
        methods=rows(found.takings, "method"),
        people=rows(found.takings, "person"),
        is_empty=_is_empty(found),
        days_chart=_by_day(visitor, found) if len(found.takings.by_day) > 1 else None,
        hours_chart=_by_hour(visitor, found),
        cash=lambda amount: written(amount, found.venue.currency, visitor.language),
    )


@get("/takings/export", opt=_MANAGE)
async def export_takings(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[bytes]:
    place = await look_at(request, deps, visitor)
    today = await deps.restaurant.sales.today(visitor.caller, place.id)
    first, last = asked_days(request, today, today)
    by: By = next((one for one in WAYS if one == asked(request, "by")), "day")
    return Response(
        await deps.restaurant.takings.table(visitor.caller, place.id, by, first, last),
        media_type="text/csv",
        headers={"Content-Disposition": f'attachment; filename="takings-{by}-{first}-{last}.csv"'},
    )


def _is_empty(found: Counted) -> bool:
    one = found.takings
    return not (one.by_method or one.gifts or one.open or one.unpaid or one.tips or one.let_off)


def _by_day(visitor: Visitor, found: Counted) -> Chart:
    days: list[tuple[date, int]] = list(found.takings.by_day.items())
    labels = [format_date(visitor.language, day) for day, _ in days]
    return _bars(visitor, found, "day", labels, [amount for _, amount in days])


def _by_hour(visitor: Visitor, found: Counted) -> Chart:
    hours = list(found.takings.by_hour.items())
    shown = busy_hours(hours, [bool(amount) for _, amount in hours])
    labels = [f"{hour:02d}:00" for hour, _ in shown]
    return _bars(visitor, found, "hour", labels, [amount for _, amount in shown])


def _bars(visitor: Visitor, found: Counted, by: str, labels: list[str], values: list[int]) -> Chart:
    currency = found.venue.currency

    def show(amount: int) -> str:
        return whole(amount, currency, visitor.language)

    total: Any = written(found.takings.paid, currency, visitor.language)
    # An hour in which more went back than came has no bar; the table has its figure.
    return draw(
        visitor.t(f"takings.chart_{by}"), labels, [Series(visitor.t("sales.taken"), values)], show,
        visitor.t("takings.chart_summary", n=len(labels), amount=total), head=visitor.t(f"sales.head_{by}"),
    )  # fmt: skip


HANDLERS = [show_takings, export_takings]
