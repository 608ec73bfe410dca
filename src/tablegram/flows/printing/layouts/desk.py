"""How tickets look, as people and programs choose it, and a picture of what was chosen."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.errors import Invalid
from tablegram.flows.printing.layouts.answers import LayoutChoice, LayoutKind, LayoutList, LayoutView
from tablegram.flows.restaurant.desks.desk import CHANGE, LOOK
from tablegram.printing.paper.layouts import keeping
from tablegram.printing.paper.layouts.keeping import Target
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.layouts.layout import Layout, check_layout
from tablegram.printing.paper.layouts.sample import sample
from tablegram.printing.paper.makers.html import html_paper
from tablegram.printing.printers.profile import Columns, Profile
from tablegram.restaurant import venues
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock


@dataclass(frozen=True, slots=True)
class LayoutDesk:
    db: Database
    clock: Clock
    audit: Audit

    async def page(self, caller: Caller, venue_id: str) -> LayoutList:
        """Of every station, of the pass, and of receipts."""
        caller.require(LOOK)

        async def look(tx: Tx) -> LayoutList:
            venue = await venues.find(tx, caller.account_id, venue_id)
            return await _every(tx, venue)

        return await self.db.snapshot(look)

    async def choose(
        self, caller: Caller, venue_id: str, kind: LayoutKind, station: str, choice: LayoutChoice | None
    ) -> LayoutList:
        """Without a choice, tickets look as usual again."""
        caller.require(CHANGE)
        acting = self.audit.acting(caller)
        layout = None if choice is None else read_choice(choice)

        async def work(tx: Tx) -> LayoutList:
            venue = await venues.lock(tx, caller.account_id, venue_id)
            target: Target = (kind, station)
            now = self.clock.now_ms()
            await keeping.put(tx, caller.account_id, venue.id, list(venue.stations), target, layout, now)
            did = "printer.layout_reset" if layout is None else "printer.layout_changed"
            await acting.note(tx, did, "venue", venue.id, {"name": station or kind})
            return await _every(tx, venue)

        return await self.db.write(work)

    async def preview(
        self, caller: Caller, venue_id: str, kind: LayoutKind, station: str, choice: LayoutChoice, columns: Columns
    ) -> str:
        """A ticket of a made-up order as it would look, as part of a page."""
        caller.require(LOOK)
        layout = check_layout(read_choice(choice))
        venue = await self.db.snapshot(lambda tx: venues.find(tx, caller.account_id, venue_id))
        content = sample(kind, station, venue.name, venue.time_zone, venue.languages[0], venue.currency)
        return html_paper(lay_out(content, layout), Profile(columns=columns))


def read_choice(choice: LayoutChoice) -> Layout:
    """Raises `Invalid`."""
    try:
        return msgspec.convert(msgspec.to_builtins(choice), Layout)
    except msgspec.ValidationError as problem:
        raise Invalid.field("layout", "layout_invalid", str(problem)) from None


async def _every(tx: Tx, venue: Venue) -> LayoutList:
    chosen = await keeping.chosen(tx, venue.account_id, venue.id)
    return LayoutList(
        data=[
            LayoutView(
                kind=target[0],
                station=target[1],
                is_own=target in chosen,
                layout=_choice(chosen.get(target) or keeping.usual(target)),
            )
            for target in keeping.targets(list(venue.stations))
        ]
    )


def _choice(layout: Layout) -> LayoutChoice:
    return msgspec.convert(msgspec.structs.asdict(layout), LayoutChoice)
