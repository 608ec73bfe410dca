"""The demo's couriers: two people without a phone of their own, so that nobody is written to."""

from __future__ import annotations

from tablegram.delivery.couriers import keeping
from tablegram.demo.stage import Stage
from tablegram.restaurant import venues
from tablegram.storage.database import Tx

_NAMES = ("Mert Aydın", "Seda Kaya")


async def fill(stage: Stage) -> None:
    """For an account that has a venue which delivers, and no courier yet."""
    now = stage.clock.now_ms()

    async def work(tx: Tx) -> None:
        known = [one for one in await venues.every(tx, stage.account_id) if "delivery" in one.order_types]
        if not known or await keeping.every(tx, stage.account_id):
            return
        venue = next((one for one in known if one.is_default), known[0])
        for name in _NAMES:
            await keeping.add(tx, stage.account_id, venue.id, {"name": name, "language": "tr"}, now)

    await stage.db.write(work)
