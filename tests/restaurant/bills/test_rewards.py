"""What guests redeem is let off of one order, and is a discount of its bill."""

from __future__ import annotations

from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills import rewards
from tablegram.restaurant.bills import store as bill_store
from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.totals import Extra
from tablegram.storage.database import Tx
from tests.restaurant.kept import NOON, store
from tests.restaurant.orders.test_keeping import placing


async def test_a_reward_is_counted_changed_and_taken_back(database_url: str) -> None:
    async with store(database_url) as db:
        tab = await db.write(lambda tx: tabs.join(tx, 1, "v", "t1", NOON))
        placed = await db.write(lambda tx: orders.place(tx, placing(tab_id=tab, table_id="t1"), NOON))
        reward = Extra(rewards.REWARD, "A free tea", 300, "red_1")

        async def look(tx: Tx) -> Bill:
            return await bills.look(tx, await bills.find(tx, 1, tab))

        async def told() -> list[tuple[str, int, bool]]:
            bill = await db.snapshot(look)
            return [(one.id, one.amount, one.removed_at is None) for one in bill.discounts]

        assert await told() == []
        await db.write(lambda tx: rewards.note(tx, placed.order, reward, "Elif", NOON))
        assert await told() == [("red_1", 300, True)]
        less = Extra(rewards.REWARD, "A free tea", 200, "red_1")
        await db.write(lambda tx: rewards.change(tx, 1, less))
        await db.write(lambda tx: rewards.change(tx, 2, reward))
        assert await told() == [("red_1", 200, True)]
        await db.write(lambda tx: rewards.take_back(tx, 1, "red_1", "Elif", NOON + 1))
        assert await told() == [("red_1", 200, False)]
        # A table that was left is told of once.
        bill = await db.snapshot(look)
        assert [await db.write(lambda tx: bills.leave(tx, bill, "", NOON + 2)) for _ in range(2)] == [True, False]
        # Lists show tabs at which something was ordered.
        await db.write(lambda tx: tabs.join(tx, 1, "v", "t2", NOON))
        assert [row["id"] for row in await db.all(bill_store.page(1, "v", None, None, None, 9))] == [tab]
