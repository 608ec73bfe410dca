"""What is answered about the progress of an order."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.restaurant.kitchen.progress import LineState, Tap
from tablegram.restaurant.orders.states import State
from tablegram.values.clock import MomentText


class LineProgress(Struct, kw_only=True, frozen=True):
    """A line of the order at its station."""

    line_id: Annotated[str, Meta(description="Stays the same while the dish, its options and its note do.")]
    item_id: str
    kitchen_name: str
    kitchen_options: list[str]
    note: str
    station: str
    quantity: int
    made: Annotated[int, Meta(description="Portions that are done.")]
    state: LineState
    started_at: MomentText | None
    done_at: MomentText | None
    by: Annotated[str, Meta(description="Who moved it last; empty while nobody has.")]


class StationProgress(Struct, kw_only=True, frozen=True):
    """A station's share of the order."""

    station: str
    state: LineState
    lines: int
    done: int


class TapView(Struct, kw_only=True, frozen=True):
    """Something that somebody did to lines of the order."""

    tap_id: str
    action: Tap
    station: Annotated[str, Meta(description="Empty for the whole order.")]
    line_ids: list[str]
    by: str
    at: MomentText
    undone_at: MomentText | None
    undone_by: str


class OrderProgress(Struct, kw_only=True, frozen=True):
    """How far an order is, line by line and station by station."""

    order_id: str
    venue_id: str
    status: State
    revision: int
    stations: list[StationProgress]
    lines: list[LineProgress]
    taps: Annotated[list[TapView], Meta(description="Who did what, the newest first.")]
    tap_id: Annotated[
        str, Meta(description="Of a tap: take it back by this within ten seconds. Empty where nothing changed.")
    ]
