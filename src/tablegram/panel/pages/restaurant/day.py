"""The restaurant's day as the home page shows it: what runs, what was sold, and what a new venue still needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.charts import Chart
from tablegram.panel.pages.restaurant import sales_charts
from tablegram.panel.pages.restaurant.venues import venues_of
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.sales import Tally
from tablegram.values.money import written

DAYS = 14


@dataclass(frozen=True, slots=True)
class Figures:
    """Today and yesterday, for those who may know what is earned."""

    orders: int
    orders_yesterday: int
    revenue: str
    revenue_yesterday: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class RestaurantDay:
    venue: VenueView
    # Nothing where the visitor has no part in it.
    running: int | None
    waiting: int
    calls: int
    figures: Figures | None
    # What a venue without an order still needs, where it is done, and whether it is done.
    steps: list[tuple[str, str, bool]]


async def look(visitor: Visitor, deps: PanelDeps) -> RestaurantDay | None:
    """The default venue's day; nothing for an account without one, or for a role that has no part in it."""
    if not (visitor.can("orders:manage") or visitor.can("restaurant:manage")) or not visitor.can("restaurant:read"):
        return None
    venues = await venues_of(deps, visitor)
    if not venues:
        return None
    venue = next((one for one in venues if one.is_default), venues[0])
    running, waiting, calls = None, 0, 0
    if visitor.can("orders:manage"):
        board = await deps.restaurant.orders.board(visitor.caller, venue.id)
        running, calls = len(board.orders), len(board.calls)
        waiting = sum(order.status == "awaiting_confirmation" for order in board.orders)
    figures = await _figures(visitor, deps, venue) if visitor.can("restaurant:manage") else None
    return RestaurantDay(venue, running, waiting, calls, figures, await _steps(visitor, deps, venue))


async def _figures(visitor: Visitor, deps: PanelDeps, venue: VenueView) -> Figures:
    today = await deps.restaurant.sales.today(visitor.caller, venue.id)
    report = await deps.restaurant.sales.report(visitor.caller, venue.id, today - timedelta(days=DAYS - 1), today)
    days = dict(report.by_day)
    now, before = days.get(today, Tally()), days.get(today - timedelta(days=1), Tally())

    def money(tally: Tally) -> str:
        return written(tally.revenue, report.currency, visitor.language)

    chart = sales_charts.by_day(visitor, report)
    return Figures(now.count, before.count, money(now), money(before), chart)


async def _steps(visitor: Visitor, deps: PanelDeps, venue: VenueView) -> list[tuple[str, str, bool]]:
    if not (visitor.can("restaurant:manage") and visitor.can("orders:manage")):
        return []
    if (await deps.restaurant.orders.page(visitor.caller, limit=1)).data:
        return []
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
    tables = await deps.restaurant.table_desk.tables(visitor.caller, venue.id)
    return [
        ("venue_line", "/panel/venue", venue.instance_id is not None),
        ("menu", "/panel/menu", bool(menu.items)),
        ("tables", "/panel/tables", bool(tables)),
        ("order", "/panel/board", False),
    ]
