"""Printers, found from every page by their name, their station, or how they are connected."""

from __future__ import annotations

from tablegram.flows.printing.services import PrintingServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.finding import Finder, Found
from tablegram.panel.frame.listing import fits
from tablegram.panel.visitor import Visitor


async def find_printers(deps: PanelDeps, visitor: Visitor, search: str, most: int) -> list[Found]:
    found = []
    for one in (await deps.services.of(PrintingServices).printers.page(visitor.caller)).data:
        kind = visitor.t(f"printers.kind_{one.kind}")
        if any(fits(search, words) for words in (one.name, kind, *one.stations)):
            gone = "" if one.state.online or one.kind in ("browser", "sandbox") else visitor.t("printers.how_offline")
            found.append(
                Found(one.name, f"/panel/printers/{one.id}", " · ".join(part for part in (kind, gone) if part))
            )
    return found[:most]


FINDER = Finder("printers", "printers", "restaurant:read", find_printers)
