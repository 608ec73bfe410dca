"""The charts of what a venue sold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tablegram.panel.frame.charts import Chart, Series, draw
from tablegram.panel.i18n import format_date
from tablegram.panel.visitor import Guest
from tablegram.restaurant.sales import SalesDays
from tablegram.values.money import exponent, written

LEAST_HOURS = 10
T = TypeVar("T")


def by_day(visitor: Guest, report: SalesDays) -> Chart:
    """What each day brought in."""
    labels = [format_date(visitor.language, day) for day, _ in report.by_day]
    return _bars(visitor, report, "sales.chart_day", labels, [tally.revenue for _, tally in report.by_day])


def by_hour(visitor: Guest, report: SalesDays) -> Chart:
    """What the hours of the day brought in, all days together, from the first hour that sold to the last."""
    shown = busy_hours(report.by_hour, [bool(tally.count) for _, tally in report.by_hour])
    labels = [f"{hour:02d}:00" for hour, _ in shown]
    return _bars(visitor, report, "sales.chart_hour", labels, [tally.revenue for _, tally in shown])


def busy_hours(hours: Sequence[tuple[int, T]], has_some: Sequence[bool]) -> Sequence[tuple[int, T]]:
    """The hours of a business day, which may begin at six, without those before the first and after the last busy one."""
    busy = [place for place, some in enumerate(has_some) if some]
    noon = next((place for place, (hour, _) in enumerate(hours) if hour == 12), 12)
    first, last = (min(busy), max(busy)) if busy else (noon, noon)
    # A few bars over the whole width say less than a morning with gaps.
    first, last = min(first, max(0, last - LEAST_HOURS + 1)), max(last, min(len(hours) - 1, first + LEAST_HOURS - 1))
    return hours[first : last + 1]


def _bars(visitor: Guest, report: SalesDays, title: str, labels: list[str], values: list[int]) -> Chart:
    def show(amount: int) -> str:
        return whole(amount, report.currency, visitor.language)

    summary = visitor.t(
        "sales.chart_summary",
        n=len(labels),
        orders=report.total.count,
        revenue=written(report.total.revenue, report.currency, visitor.language),
    )
    return draw(
        visitor.t(title), labels, [Series(visitor.t("sales.revenue"), values)], show, summary, with_table=False
    )  # fmt: skip


def whole(amount: int, currency: str, language: str) -> str:
    """An amount as an axis shows it: without its decimals where they are nothing."""
    text = written(amount, currency, language)
    digits = exponent(currency)
    return text[: -digits - 1] if digits and text.endswith(("," + "0" * digits, "." + "0" * digits)) else text
