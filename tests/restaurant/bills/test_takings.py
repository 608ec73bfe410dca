"""Takings are money that came; what is open and what nobody pays stand apart."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem
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


async def test_two_who_take_the_same_money_at_once_take_it_once(database_url: str) -> None:
    async with house(database_url) as one:
        number = await sent(one)
        (row,) = await one.placed()

        async def take(key: str | None, **fields: Any) -> str:
            call = Call("take", idempotency_key=key, fingerprint="same")
            try:
                answer = await one.product.bills.take(one.staff, row["tab_id"], {"method": "cash", **fields}, call)
            except Problem as problem:
                return problem.code
            return answer.value.payment.id

        half = row["total"] // 2 / 100
        # A double tap is one payment; a program that repeats its call while it runs is told to wait.
        taps = await asyncio.gather(*(take("one tap", amount=half) for _ in range(6)))
        assert len(set(taps) - {"idempotency_in_flight"}) == 1
        # Two waiters who both saw what was open: the second one looks again.
        left = (row["total"] - round(half * 100)) / 100
        both = await asyncio.gather(*(take(None, expected_open=left) for _ in range(4)))
        assert sorted(both)[-3:] == ["bill_changed"] * 3
        bill = await one.product.bills.get(one.staff, row["tab_id"])
        assert (bill.open, bill.paid, len(bill.payments)) == (0, row["total"] / 100, 2)
        shown = await one.orders.get(one.staff, number)
        assert shown.payment_status == "paid"
