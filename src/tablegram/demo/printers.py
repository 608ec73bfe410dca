"""The demo's printers: one in the kitchen and one at the bar, both pictures on a page."""

from __future__ import annotations

import msgspec

from tablegram.demo.stage import Stage
from tablegram.printing.printers import keeping
from tablegram.restaurant import venues
from tablegram.storage.database import Tx

_PRINTERS = (("Mutfak", "kitchen"), ("Bar", "bar"))


async def fill(stage: Stage) -> None:
    """For a venue that has no printer and whose stations are there; nothing is put beside printers of somebody's own."""
    now = stage.clock.now_ms()

    async def work(tx: Tx) -> None:
        known = await venues.every(tx, stage.account_id)
        if not known or await keeping.every(tx, stage.account_id):
            return
        venue = next((one for one in known if one.is_default), known[0])
        for name, station in _PRINTERS:
            if station in venue.stations:
                draft = keeping.draft(stage.account_id, venue.id, "sandbox", stage.box, now)
                await keeping.add(tx, msgspec.structs.replace(draft, name=name, stations=(station,)), venue.stations)

    await stage.db.write(work)
