"""The progress of orders as programs and pages see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablegram.flows.restaurant.kitchen.answers import LineProgress, OrderProgress, StationProgress, TapView
from tablegram.restaurant.kitchen import taps
from tablegram.restaurant.kitchen.progress import KitchenLine, summed
from tablegram.restaurant.kitchen.rows import TapRow
from tablegram.restaurant.orders.model import Order
from tablegram.values.clock import iso


def progress_view(
    order: Order, found: Sequence[KitchenLine], rows: Sequence[TapRow], tap_id: str = ""
) -> OrderProgress:
    """An order with how far each of its lines is."""
    return OrderProgress(
        order_id=order.order_id,
        venue_id=order.venue_id,
        status=order.state,
        revision=order.revision,
        stations=station_views(found),
        lines=[line_view(one) for one in found],
        taps=[_tap(row) for row in rows],
        tap_id=tap_id,
    )


def station_views(found: Iterable[KitchenLine]) -> list[StationProgress]:
    """Each station's share of the lines."""
    by_station: dict[str, list[KitchenLine]] = {}
    for one in found:
        by_station.setdefault(one.station, []).append(one)
    return [_station(name, some) for name, some in sorted(by_station.items())]


def _station(name: str, some: Sequence[KitchenLine]) -> StationProgress:
    states = [one.state for one in some]
    return StationProgress(station=name, state=summed(states), lines=len(some), done=states.count("done"))


def line_view(one: KitchenLine) -> LineProgress:
    """A line as programs and displays see it."""
    line, mark = one.line, one.mark
    return LineProgress(
        line_id=one.key,
        item_id=line.item_id,
        kitchen_name=line.kitchen_name or line.name,
        kitchen_options=list(line.kitchen_options or line.options),
        note=line.note,
        station=line.station,
        quantity=line.quantity,
        made=one.made,
        state=one.state,
        started_at=iso(mark.started_at),
        done_at=iso(mark.done_at),
        by=mark.by,
    )


def _tap(row: TapRow) -> TapView:
    return TapView(
        tap_id=row["id"],
        action=row["action"],
        station=row["station"],
        line_ids=taps.lines_of(row),
        by=row["by"],
        at=iso(row["at"]) or "",
        undone_at=iso(row["undone_at"]),
        undone_by=row["undone_by"] or "",
    )
