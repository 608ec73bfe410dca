"""How much was sent and received, and what it cost."""

from __future__ import annotations

from datetime import UTC, date, timedelta, tzinfo
from typing import Annotated
from zoneinfo import ZoneInfo

from litestar import Response, get
from litestar.params import QueryParameter
from msgspec.structs import asdict

from tablegram.api.requests import ApiRequest, json
from tablegram.api.schemas.account.usage import By, UsageCounts, UsageReport, UsageRow
from tablegram.errors import Invalid
from tablegram.messaging.records.usage import Tally, UsageFigures
from tablegram.values.opening_hours import ZONE_WANTED

_READ = {"scope": "messages:read"}
_DAY = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"
DEFAULT_DAYS = 30

Since = Annotated[str | None, QueryParameter(pattern=_DAY, description="The first day; 30 days before the last one.")]
Until = Annotated[str | None, QueryParameter(pattern=_DAY, description="The last day; today unless it is said.")]
Zone = Annotated[
    str, QueryParameter(max_length=64, description="IANA time zone in which days begin, such as Europe/Istanbul.")
]


@get("/usage", opt=_READ, tags=["Account"], summary="Usage and costs", operation_id="getUsage")
async def get_usage(
    request: ApiRequest,
    since: Since = None,
    until: Until = None,
    by: Annotated[By, QueryParameter(description="What the rows stand for.")] = "day",
    time_zone: Zone = "UTC",
) -> Response[UsageReport]:
    """Messages and their cost by day, line, country or category, over at most 366 days."""
    zone = zone_of(time_zone)
    first, last = _days(request, since, until, zone)
    report = await request.deps.gateway.overviews.usage(request.caller, first, last, zone)
    names = await request.deps.gateway.overviews.line_names(request.caller) if by == "instance" else {}
    return json(
        UsageReport(
            since=first.isoformat(),
            until=last.isoformat(),
            time_zone=time_zone,
            by=by,
            total=_counts(report.total()),
            data=[
                UsageRow(key=key, name=name, **asdict(_counts(tally))) for key, name, tally in _rows(report, by, names)
            ],
        )
    )


@get("/usage/export", opt=_READ, tags=["Account"], summary="Usage as CSV", operation_id="exportUsage")
async def export_usage(
    request: ApiRequest, since: Since = None, until: Until = None, time_zone: Zone = "UTC"
) -> Response[bytes]:
    """A row for each day, line, country and category, for table programs."""
    zone = zone_of(time_zone)
    first, last = _days(request, since, until, zone)
    return Response(
        await request.deps.gateway.overviews.usage_table(request.caller, first, last, zone),
        media_type="text/csv",
        headers={"Content-Disposition": f'attachment; filename="usage-{first}-{last}.csv"'},
    )


def _rows(report: UsageFigures, by: By, names: dict[int, str]) -> list[tuple[str, str, Tally]]:
    if by == "instance":
        return [(str(line), names.get(line, ""), tally) for line, tally in report.by_line()]
    if by == "country":
        return [(str(code or ""), region, tally) for (code, region), tally in report.by_country()]
    if by == "category":
        return [(category, "", tally) for category, tally in report.by_category()]
    return [(day.isoformat(), "", tally) for day, tally in report.by_day()]


def _counts(tally: Tally) -> UsageCounts:
    return UsageCounts(
        received=tally.received,
        queued=tally.queued,
        sent=tally.sent,
        delivered=tally.delivered,
        read=tally.read,
        failed=tally.failed,
        cancelled=tally.cancelled,
        cost_usd=tally.cost_micros / 1_000_000,
    )


def _days(request: ApiRequest, since: str | None, until: str | None, zone: tzinfo) -> tuple[date, date]:
    last = _day(until, "until") if until else request.deps.gateway.overviews.today(zone)
    first = _day(since, "since") if since else max(last, date(1970, 3, 1)) - timedelta(days=DEFAULT_DAYS - 1)
    return first, last


def _day(text: str, field: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    # Before this nothing was ever sent, and after it no clock of ours goes.
    if not 1970 <= day.year <= 2200:
        raise Invalid.field(field, "time_invalid", f"{field} must be a day such as 2026-03-01.")
    return day


def zone_of(name: str) -> tzinfo:
    """The zone that a caller names."""
    if name == "UTC":
        return UTC
    try:
        if name.startswith(("/", ".")) or not name.isascii():
            raise ValueError
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise Invalid.field("time_zone", "time_zone_unknown", ZONE_WANTED) from None


HANDLERS = [get_usage, export_usage]
