"""The demo's restaurant: made where the account has none, with its orders of two weeks where it is filled."""

from __future__ import annotations

import msgspec

from tablegram.demo import orders, store
from tablegram.demo.stage import Stage
from tablegram.restaurant import calls, tables, venues
from tablegram.restaurant.demo import house as demo
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS


async def fill(stage: Stage) -> None:
    """The venue, and its past where there is to be one."""
    venue = await open_venue(stage)
    if stage.filled:
        await fill_orders(stage, venue)


async def open_venue(stage: Stage) -> Venue:
    """The account's venue. An account that has one keeps it, whatever became of it."""
    now = stage.clock.now_ms()

    async def work(tx: Tx) -> Venue:
        known = await venues.every(tx, stage.account_id)
        if known:
            return next((one for one in known if one.is_default), known[0])
        venue = await demo.fill(tx, stage.account_id, stage.box, now, stage.line_id)
        # A first order should go the whole way without anybody at the board, and be paid on the sandbox's page.
        details = msgspec.structs.replace(venue.details, pays_online=list(venue.order_types))
        return await venues.update(tx, msgspec.structs.replace(venue, accepts_by_itself=True, details=details), now)

    return await stage.db.write(work)


async def fill_orders(stage: Stage, venue: Venue) -> bool:
    """Two weeks of orders, what runs right now, and two tables that call. Whether anything was written."""
    now = stage.clock.now_ms()

    async def work(tx: Tx) -> bool:
        if await tx.first(store.ANY_ORDER, {"account_id": venue.account_id}) is not None:
            return False
        room = await tables.every(tx, venue.account_id, venue.id)
        menu = await load(tx, venue)
        # Where somebody has made a menu or a room of their own, nothing is put into their books.
        if len(room) < orders.LEAST_TABLES or not orders.fits(menu):
            return False
        past = orders.Past(venue, menu, room, await orders.guests_of(tx, venue.account_id), now)
        await past.write(tx)
        await calls.call(tx, room[3], "bill", "", now - MINUTE_MS)
        await calls.call(tx, room[10], "waiter", "", now - 3 * MINUTE_MS)
        return True

    return await stage.db.write(work)
