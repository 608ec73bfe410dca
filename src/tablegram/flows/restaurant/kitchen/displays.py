"""The screens of stations."""

from __future__ import annotations

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import NotFound, no_such
from tablegram.flows.restaurant.kitchen.display import Display, display_of
from tablegram.restaurant import venues
from tablegram.restaurant.kitchen import keeping as progress
from tablegram.restaurant.orders import keeping
from tablegram.storage.database import Database, Tx


class Displays:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def show(self, caller: Caller, venue_id: str, station: str, *, with_others: bool = False) -> Display:
        """A station's share of everything under way, the oldest first."""
        caller.require("orders:manage")

        async def look(tx: Tx) -> Display:
            venue = await venues.find(tx, caller.account_id, venue_id)
            if station not in venue.stations:
                raise NotFound(no_such("station", "venue"), code="station_unknown")
            running = await keeping.running(tx, caller.account_id, venue_id)
            found = await progress.look_at_running(tx, caller.account_id, venue_id, running)
            return display_of(venue, station, running, found, with_others=with_others)

        return await self._db.snapshot(look)
