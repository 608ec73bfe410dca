"""What a waiter's tablet knows beforehand: who sits where, what sells most, and who has ordered before."""

from __future__ import annotations

from collections import Counter

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.flows.restaurant.orders.seeing import MONEY, PHONES
from tablegram.restaurant import customers, venues
from tablegram.restaurant.orders import keeping
from tablegram.restaurant.orders.model import from_row
from tablegram.restaurant.store import orders as store
from tablegram.storage.database import Database, Tx

# So many dishes have a key of their own, by so many orders before.
QUICK = 8
_LOOKED_AT = 100


class Sitting(msgspec.Struct):
    """Guests at a table: since when, and what they have ordered, in minor units."""

    since: int
    amount: int = 0


class Regulars:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def sat(self, caller: Caller, venue_id: str) -> dict[str, Sitting]:
        """By table where guests are: since when, and what they have ordered, in minor units, for who sees money."""
        caller.require("orders:manage")

        async def look(tx: Tx) -> dict[str, Sitting]:
            await venues.find(tx, caller.account_id, venue_id)
            found: dict[str, Sitting] = {}
            for order in await keeping.running(tx, caller.account_id, venue_id):
                if order.table_id is None:
                    continue
                sits = found.setdefault(order.table_id, Sitting(order.created_at))
                sits.amount += order.total if caller.has(MONEY) else 0
            return found

        return await self._db.snapshot(look)

    async def quick(self, caller: Caller, venue_id: str) -> list[str]:
        """The dishes of the last orders that were ordered most often."""
        caller.require("orders:manage")
        wanted = store.page(caller.account_id, {"venue_id": venue_id}, sort="-placed", after=None, most=_LOOKED_AT)
        sold: Counter[str] = Counter()
        for order in map(from_row, await self._db.all(wanted)):
            for line in order.lines:
                sold[line.item_id] += line.quantity
        return [item for item, _ in sold.most_common(QUICK)]

    async def guest(self, caller: Caller, phone: str) -> dict[str, str]:
        """What is known of who ordered from a number: the newest name, and the newest address."""
        caller.require(PHONES)
        orders = await self._db.snapshot(lambda tx: customers.orders_of(tx, caller.account_id, (), [phone]))
        name = next((one.customer_name for one in orders if one.customer_name), "")
        address = next((one.address for one in orders if one.address), "")
        return {"name": name, "address": address} if orders else {}
