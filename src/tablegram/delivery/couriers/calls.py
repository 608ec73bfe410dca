"""Who is to know that an order waits: everybody at work, each of them once."""

from __future__ import annotations

from tablegram.delivery.couriers import keeping, shifts, store
from tablegram.delivery.couriers.model import Courier
from tablegram.storage.database import Tx


async def within_reach(tx: Tx, account_id: int, venue_id: str) -> list[Courier]:
    """Couriers of a venue who work right now and have a phone."""
    working = await shifts.at_work(tx, account_id)
    found = await keeping.every(tx, account_id) if working else []
    return [one for one in found if one.id in working and one.venue_id == venue_id and one.active and one.phone]


async def note(tx: Tx, courier: Courier, order_key: str, now: int) -> bool:
    """From now on the courier knows of the order; false where they knew."""
    row = {"account_id": courier.account_id, "order_key": order_key, "courier_id": courier.id, "at": now}
    return await tx.run(store.CALL, row) > 0
