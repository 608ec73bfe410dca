"""Usage and costs: by day, line, country and category, as a chart, a table and a file.

GET /panel/usage            ?days= or ?since=&until=, ?by=&sort=
GET /panel/usage/export     the same days as CSV
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from litestar import Response, get

from tablegram.errors import Invalid
from tablegram.messaging.records.usage import Tally, UsageFigures
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import arranged, asked
from tablegram.panel.i18n import format_date
from tablegram.panel.navigation import COSTS
from tablegram.panel.pages.account.usage_charts import cost_chart, traffic_chart
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor

PERIODS = (7, 14, 30, 90)
DEFAULT_DAYS = 30
_COLUMNS: dict[str, Callable[[tuple[str, str, Tally]], int]] = {
    "out": lambda row: row[2].outgoing,
    "arrived": lambda row: row[2].arrived,
    "read": lambda row: row[2].read,
    "failed": lambda row: row[2].failed,
    "received": lambda row: row[2].received,
    "cost": lambda row: row[2].cost_micros,
}
WAYS = ("day", "line", "country", "category")


@get("/usage", opt={"scope": COSTS})
async def usage(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    by = request.query_params.get("by", "day")
    problem = None
    first, last = _default(deps.gateway.overviews.today(visitor.zone))
    try:
        first, last = _asked(request, first, last)
        report = await deps.gateway.overviews.usage(visitor.caller, first, last, visitor.zone)
    except Invalid as error:
        problem = error
        first, last = _default(deps.gateway.overviews.today(visitor.zone))
        report = await deps.gateway.overviews.usage(visitor.caller, first, last, visitor.zone)
    by = by if by in WAYS else "day"
    report = _since_the_account(report, visitor)
    return page(
        request,
        visitor,
        "account/usage/usage.html",
        problem=problem,
        by=by,
        first=first,
        last=last,
        periods=PERIODS,
        chosen_days=(last - first).days + 1,
        report=report,
        begins=report.days[0][0],
        total=report.total(),
        rows=arranged(
            _rows(visitor, report, by, await deps.gateway.overviews.line_names(visitor.caller)),
            asked(request, "sort"),
            _COLUMNS,
        ),
        traffic=traffic_chart(visitor, report, with_table=False),
        costs=cost_chart(visitor, report, with_table=False),
        quota=await deps.account.quota_state(visitor.caller),
    )


@get("/usage/export", opt={"scope": COSTS})
async def export(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[bytes]:
    first, last = _asked(request, *_default(deps.gateway.overviews.today(visitor.zone)))
    return Response(
        await deps.gateway.overviews.usage_table(visitor.caller, first, last, visitor.zone),
        media_type="text/csv",
        headers={"Content-Disposition": f'attachment; filename="usage-{first}-{last}.csv"'},
    )


def _since_the_account(report: UsageFigures, visitor: Visitor) -> UsageFigures:
    """The report without the empty days before there was an account; the last day always stays."""
    if visitor.account is None:
        return report
    born = datetime.fromtimestamp(visitor.account.created_at / 1_000, visitor.zone).date()
    last = len(report.days) - 1
    start = next((place for place, (day, groups) in enumerate(report.days) if groups or day >= born), last)
    return UsageFigures(report.days[max(start, 0) :])


def _default(today: date) -> tuple[date, date]:
    return today - timedelta(days=DEFAULT_DAYS - 1), today


def _asked(request: PageRequest, first: date, last: date) -> tuple[date, date]:
    """The days in the address: a period until today, or two days of the calendar."""
    query = request.query_params
    days = {str(period): period for period in PERIODS}.get(query.get("days", ""))
    if days is not None:
        return last - timedelta(days=days - 1), last
    return _day(query.get("since", ""), first, "since"), _day(query.get("until", ""), last, "until")


def _day(text: str, default: date, field: str) -> date:
    if not text:
        return default
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not 1970 <= day.year <= 2200:
        raise Invalid.field(field, "day_invalid", "Choose a day of the calendar.")
    return day


def _rows(visitor: Visitor, report: UsageFigures, by: str, lines: dict[int, str]) -> list[tuple[str, str, Tally]]:
    """What each row of the table is called, a region where it is a country, and its figures."""
    if by == "line":
        return [(lines.get(line) or visitor.t("usage.line_gone", id=str(line)), "", t) for line, t in report.by_line()]
    if by == "country":
        return [
            (f"+{code}" if code else visitor.t("usage.unknown"), region, tally)
            for (code, region), tally in report.by_country()
        ]
    if by == "category":
        return [(visitor.t(f"usage.category_{name or 'in'}"), "", tally) for name, tally in report.by_category()]
    return [(format_date(visitor.language, day, with_year=True), "", tally) for day, tally in report.by_day()[::-1]]


HANDLERS = [usage, export]
