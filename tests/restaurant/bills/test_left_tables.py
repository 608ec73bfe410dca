"""Guests who leave without paying: the table is free for the next, and what is open is told and stays to be seen."""

from __future__ import annotations

from tablegram.engine.idempotency import Call
from tablegram.flows.restaurant.fields import TakeFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.carts.tabs import IDLE_MS
from tests.restaurant.flows.house import house


async def test_a_table_that_was_left_owing_is_told_once_and_listed_until_somebody_decides(database_url: str) -> None:
    async with house(database_url) as one:
        services, owner = one.product.of(RestaurantServices), one.caller("owner")
        bills = services.bills

        async def order(table: str) -> str:
            fields: TakeFields = {
                "venue_id": one.venue.id,
                "table_id": (await one.table(table)).id,
                "lines": [one.line("Künefe")],
            }
            made = (await one.orders.take(owner, fields, Call("order"))).value
            for action in ("finish", "serve"):
                await one.act(made.order_id, action)
            return str(made.tab_id)

        async def listed(state: str) -> list[str]:
            return [tab.id for tab in (await bills.page(owner, state=state)).data]

        left, followed = await order("5"), await order("7")
        one.clock.advance(IDLE_MS // 1_000 + 1)
        # The next guests of one of the tables are faster than the clock, and begin with nothing.
        fresh = await order("7")
        assert fresh != followed
        for _ in range(2):
            await one.product.order_clock.end_due()
        told = await one.told("restaurant.tab_closed")
        assert sorted((body["tab_id"], body["by"], body["unpaid_amount"] > 0) for body in told) == sorted(
            [(left, "clock", True), (followed, "clock", True)]
        )
        assert set(await listed("open")) == {left, followed, fresh}
        assert await listed("closed") == []
        # Money is still taken against it; and who may decide it says why nobody pays.
        await bills.take(owner, left, {"method": "cash"}, Call("take"))
        await bills.close(owner, followed, "walked out")
        assert (await listed("open"), set(await listed("closed"))) == ([fresh], {left, followed})
        assert (await bills.get(owner, followed)).unpaid > 0
        await one.product.order_clock.end_due()
        assert len(await one.told("restaurant.tab_closed")) == len(told)
