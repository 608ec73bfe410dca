"""The rows of a bill: what was redeemed, what goes back, and who has left."""

from __future__ import annotations

from functools import partial

import pytest

from tablegram.errors import Conflict, NotFound
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills import rewards, seating
from tablegram.restaurant.bills import store as bill_store
from tablegram.restaurant.bills.model import Bill, TabPayment
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.totals import Extra
from tablegram.storage.database import Tx
from tests.restaurant.kept import NOON, store
from tests.restaurant.orders.placing import placing


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
        # A page that is just full is the last one.
        found, following = await db.snapshot(lambda tx: seating.page(tx, 1, "v", None, None, None, 1))
        assert ([one.id for one in found], following) == ([tab], None)
        with pytest.raises(NotFound, match="no such tab"):
            await db.snapshot(lambda tx: bills.find(tx, 2, tab))


async def test_what_is_to_be_paid_after_all_is_of_that_discount_alone(database_url: str) -> None:
    async with store(database_url) as db:
        tab = await db.write(lambda tx: tabs.join(tx, 1, "v", "t1", NOON))
        for message in ("m1", "m2"):
            await db.write(
                partial(
                    lambda m, tx: orders.place(tx, placing(tab_id=tab, table_id="t1", message_key=m), NOON), message
                )
            )

        async def let_off(tx: Tx) -> None:
            for number, one in enumerate((await bills.lock(tx, 1, tab)).entries):
                bill = await bills.lock(tx, 1, tab)
                await bills.discount(
                    tx, bill, amount=100, percent=None, reason="cold", by="Elif", now=NOON + number,
                    order_key=one.order.id, line=0,
                )  # fmt: skip

        async def look(tx: Tx) -> Bill:
            return await bills.look(tx, await bills.find(tx, 1, tab))

        await db.write(let_off)
        first, second = (await db.snapshot(look)).discounts

        async def take_back(tx: Tx) -> None:
            await bills.take_discount_back(tx, await bills.lock(tx, 1, tab), first.id, "Elif", NOON + 2)

        await db.write(take_back)
        bill = await db.snapshot(look)
        left = {one.order.id: [extra.ref for extra in one.order.discounts] for one in bill.entries}
        assert left == {first.order_key: [], second.order_key: [second.id]}
        assert [one.removed_at for one in bill.discounts] == [NOON + 2, None]


async def test_money_goes_back_from_the_last_order_first_and_never_twice_from_one(database_url: str) -> None:
    async with store(database_url) as db:
        tab = await db.write(lambda tx: tabs.join(tx, 1, "v", "t1", NOON))
        for message in ("m1", "m2"):
            await db.write(
                partial(
                    lambda m, tx: orders.place(tx, placing(tab_id=tab, table_id="t1", message_key=m), NOON), message
                )
            )

        async def pay(tx: Tx, more: int = 0) -> TabPayment:
            bill = await bills.lock(tx, 1, tab)
            taking = bills.Taking(
                method="online", tip=100, by="guest", reference="pay_1", expected_open=bill.open + more
            )
            return (await bills.take(tx, bill, taking, NOON))[0]

        # Whoever looked at another bill looks again.
        with pytest.raises(Conflict, match="changed"):
            await db.write(lambda tx: pay(tx, 1))
        payment = await db.write(pay)
        half = payment.amount // 2
        back: list[tuple[int, int, int]] = []
        for number, amount in enumerate((half - 100, 300, half - 200 + 100)):

            async def put_back(tx: Tx, a: int = amount, n: int = number) -> tuple[int, int, int]:
                made, changes = await bills.put_back(tx, payment, a, "cold", "Elif", NOON + n, f"rfd_{n}")
                return made.amount, made.tip, len(changes)

            back.append(await db.write(put_back))
        # A part of the last order; what was left of it and a part of the first; the rest, and the tip beside it.
        assert back == [(half - 100, 0, 1), (300, 0, 2), (half - 200, 100, 1)]
