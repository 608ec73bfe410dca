"""How far the paper of orders is, for pages that show orders: `printing/order_paper.html` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablegram.flows.printing.answers import PaperState
from tablegram.flows.printing.services import PrintingServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.pages.restaurant.venue.venue import shown_station
from tablegram.panel.visitor import Visitor


@dataclass(frozen=True, slots=True)
class Paper:
    station: str
    # As the visitor reads it; empty for what belongs to no station.
    shown: str
    paper: PaperState


async def paper_of(visitor: Visitor, deps: PanelDeps, order_ids: Sequence[str]) -> dict[str, list[Paper]]:
    """By order and station; what no printer takes is left out. For who may manage orders."""
    found = await deps.services.of(PrintingServices).tickets.by_order(visitor.caller, order_ids)
    return {
        order_id: [
            Paper(one.station, shown_station(visitor, one.station) if one.station else "", one.paper)
            for one in stations
            if one.paper != "none"
        ]
        for order_id, stations in found.items()
    }


