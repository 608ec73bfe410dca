"""The charts of what an account used."""

from __future__ import annotations

from datetime import date

from tablegram.messaging.records.usage import UsageFigures
from tablegram.panel.frame.charts import Chart, Series, draw
from tablegram.panel.i18n import format_date, format_money, format_number
from tablegram.panel.visitor import Guest


def traffic_chart(visitor: Guest, report: UsageFigures, *, with_table: bool = True) -> Chart:
    """Messages out, in, and failed, day by day."""
    days = report.by_day()
    total = report.total()
    series = [
        Series(visitor.t("usage.went_out"), [tally.outgoing - tally.failed for _, tally in days]),
        Series(visitor.t("usage.received"), [tally.received for _, tally in days]),
        Series(visitor.t("usage.failed"), [tally.failed for _, tally in days]),
    ]
    summary = visitor.t(
        "usage.traffic_summary",
        days=len(days),
        out=total.outgoing - total.failed,
        received=total.received,
        failed=total.failed,
    )
    return draw(
        visitor.t("usage.traffic"),
        _labels(visitor, [day for day, _ in days]),
        series,
        lambda value: format_number(visitor.language, value),
        summary,
        with_table=with_table,
    )


def cost_chart(visitor: Guest, report: UsageFigures, *, with_table: bool = True) -> Chart:
    days = report.by_day()
    spent = format_money(visitor.language, report.total().cost_micros)
    return draw(
        visitor.t("usage.costs"),
        _labels(visitor, [day for day, _ in days]),
        [Series(visitor.t("usage.cost"), [tally.cost_micros for _, tally in days])],
        lambda micros: format_money(visitor.language, micros),
        visitor.t("usage.cost_summary", days=len(days), spent=spent),
        with_table=with_table,
    )


def _labels(visitor: Guest, days: list[date]) -> list[str]:
    return [format_date(visitor.language, day) for day in days]
