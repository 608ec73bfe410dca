"""What a station has before it: its own share of everything that is under way, and nothing that is not its business."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from tablegram.flows.restaurant.kitchen.answers import LineProgress, StationProgress
from tablegram.flows.restaurant.kitchen.views import line_view, station_views
from tablegram.restaurant.kitchen.deadlines import deadlines
from tablegram.restaurant.kitchen.progress import IN_KITCHEN, KitchenLine, LineState, summed
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import OrderType, State
from tablegram.restaurant.venues import Venue

# What was done last, to be called back.
MAX_BUMPED = 24


class StationTicket(Struct, kw_only=True, frozen=True):
    """One order at one station. Who cooks needs no phone, no address and no price."""

    order_id: str
    number: str
    order_type: OrderType
    status: State
    state: LineState
    table_number: str
    guest: str
    waiter: str
    notes: str
    revision: int
    created_at: int
    # Amber from the first of them on, red from the second.
    promised_at: int
    late_at: int
    lines: list[LineProgress]
    # What other stations make of the same order; their lines only where they are wanted.
    others: list[StationProgress]
    other_lines: list[LineProgress]
    # When the station was done with it; 0 before.
    done_at: int = 0

    @property
    def waits_for_nod(self) -> bool:
        return self.status == "awaiting_confirmation"


class Display(Struct, kw_only=True, frozen=True):
    """A station's screen: what waits to be accepted, what is to be made, and what was done last."""

    venue_id: str
    station: str
    tickets: list[StationTicket]
    bumped: list[StationTicket]
    # How often each dish is still to be made, in all orders together, the most first.
    counts: list[tuple[str, int]]


def display_of(
    venue: Venue, station: str, orders: Sequence[Order], progress: dict[str, list[KitchenLine]], *, with_others: bool
) -> Display:
    tickets: list[StationTicket] = []
    bumped: list[StationTicket] = []
    for order in orders:
        found = progress[order.order_id]
        own = [one for one in found if one.station == station]
        if not own or order.state not in (*IN_KITCHEN, "awaiting_confirmation"):
            continue
        ticket = _ticket(venue, order, own, [one for one in found if one.station != station], with_others=with_others)
        (bumped if ticket.state == "done" else tickets).append(ticket)
    bumped.sort(key=lambda one: (-one.done_at, one.order_id))
    return Display(
        venue_id=venue.id,
        station=station,
        tickets=tickets,
        bumped=bumped[:MAX_BUMPED],
        counts=_counts(line for ticket in tickets if not ticket.waits_for_nod for line in ticket.lines),
    )


def _counts(lines: Iterable[LineProgress]) -> list[tuple[str, int]]:
    left: Counter[str] = Counter()
    for line in lines:
        if line.state != "done":
            left[line.kitchen_name] += line.quantity - line.made
    return sorted(left.items(), key=lambda one: (-one[1], one[0]))


def _ticket(
    venue: Venue, order: Order, own: Sequence[KitchenLine], others: Sequence[KitchenLine], *, with_others: bool
) -> StationTicket:
    promised, late = deadlines(venue, order)
    return StationTicket(
        order_id=order.order_id,
        number=order.order_id.rpartition("-")[2],
        order_type=order.order_type,
        status=order.state,
        state=summed(one.state for one in own),
        table_number=order.table_label,
        guest=order.customer_name,
        waiter=order.waiter,
        notes=order.notes,
        revision=order.revision,
        created_at=order.created_at,
        promised_at=promised,
        late_at=late,
        lines=[line_view(one) for one in own],
        others=station_views(others),
        other_lines=[line_view(one) for one in others] if with_others else [],
        done_at=max((one.mark.done_at or 0 for one in own), default=0),
    )
