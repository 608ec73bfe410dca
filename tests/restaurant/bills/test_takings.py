"""Takings are money that came; what is open and what nobody pays stand apart."""

from __future__ import annotations

from datetime import date
from typing import Any

from tablegram.engine.idempotency import Call
from tablegram.flows.restaurant.services import RestaurantServices
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.test_orders import sent


async def _take(one: House, tab: str, **fields: Any) -> str:
    answer = await one.product.bills.take(one.staff, tab, {"method": "cash", **fields}, Call("take"))
    return answer.value.payment.id


async def test_what_came_is_told_from_what_is_open_and_what_nobody_pays(database_url: str) -> None:
    async with house(database_url) as one:
        first, second = await sent(one), await sent(one)
        for number in (first, second):
            for action in ("finish", "serve"):
                await one.act(number, action)
        rows = {row["order_id"]: row for row in await one.placed()}
        tab, total = rows[first]["tab_id"], rows[first]["total"]
        owner, bills = one.caller("owner"), one.product.bills

        async def today() -> tuple[int, ...]:
            sales = one.product.of(RestaurantServices).sales
            day: date = await sales.today(owner, one.venue.id)
            found = await sales.takings(owner, one.venue.id, day)
            assert sum(found.by_method.values()) == sum(found.by_person.values()) == found.paid
            return found.paid, found.open, found.unpaid, found.tips

        assert await today() == (0, 2 * total, 0, 0)
        await _take(one, tab, order_ids=[first], tip=5)
        assert await today() == (total, total, 0, 500)
        wrong = await _take(one, tab, method="card", amount=1)
        assert await today() == (total + 100, total - 100, 0, 500)
        await bills.give_back(owner, tab, wrong, "wrong card", Call("back"))
        assert await today() == (total, total, 0, 500)
        await bills.close(owner, tab, "Walked out", Call("close"))
        assert await today() == (total, 0, total, 500)
        # What is paid without a bill counts too, once.
        third = await sent(one)
        await one.act(third, "pay")
        assert (await today())[0] == total + {row["order_id"]: row for row in await one.placed()}[third]["total"]
