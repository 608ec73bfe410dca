from __future__ import annotations

import asyncio
from datetime import date, timedelta

from tablegram.engine.idempotency import Call
from tablegram.restaurant.orders.numbers import next_order_id, order_id
from tablegram.restaurant.takings.days import begins, day_of
from tablegram.values.clock import HOUR_MS
from tests.restaurant.flows.house import house
from tests.restaurant.kept import store


def test_numbers_have_four_digits_and_grow_beyond() -> None:
    day = date(2026, 1, 2)
    assert [order_id(day, number) for number in (1, 9_999, 10_000)] == [
        "ORD-20260102-0001",
        "ORD-20260102-9999",
        "ORD-20260102-10000",
    ]


async def test_each_account_and_day_counts_from_one_without_a_gap(database_url: str) -> None:
    today, tomorrow = date(2026, 11, 15), date(2026, 11, 16)
    async with store(database_url) as db:

        async def take(account_id: int, day: date) -> str:
            return await db.write(lambda tx: next_order_id(tx, account_id, day))

        taken = await asyncio.gather(*(take(1, today) for _ in range(30)))
        assert sorted(taken) == [f"ORD-20261115-{number:04d}" for number in range(1, 31)]
        assert await take(2, today) == "ORD-20261115-0001"
        assert await take(1, tomorrow) == "ORD-20261116-0001"
        assert await take(1, today) == "ORD-20261115-0031"


async def test_the_numbers_of_a_night_go_on_until_the_business_day_ends(database_url: str) -> None:
    async with house(database_url) as one:
        today = day_of(one.venue, one.clock.now_ms())
        tomorrow = today + timedelta(days=1)
        end = begins(one.venue, tomorrow)

        async def take(at: int) -> tuple[str, int]:
            one.clock.at_ms = at
            fields = {"venue_id": one.venue.id, "order_type": "takeaway", "lines": [one.line("Ayran")]}
            _, day, number = (await one.orders.take(one.caller("owner"), fields, Call("take"))).value.order_id.split(
                "-"
            )
            return day, int(number)

        # Ten before midnight, ten after it, the last moment of the day, and the first of the next.
        taken = [await take(at) for at in (end - 6 * HOUR_MS - 600_000, end - 6 * HOUR_MS + 600_000, end - 1, end)]
        night, morning = f"{today:%Y%m%d}", f"{tomorrow:%Y%m%d}"
        assert taken == [(night, 1), (night, 2), (night, 3), (morning, 1)]
        # A day that is made longer while it runs counts on, and no number is given twice; so does one that is made shorter.
        await one.change_venue(details={"day_ends_at": "08:00"})
        assert await take(end + HOUR_MS) == (night, 4)
        await one.change_venue(details={"day_ends_at": "00:00"})
        assert await take(end + HOUR_MS) == (morning, 2)
