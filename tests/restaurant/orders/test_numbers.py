from __future__ import annotations

import asyncio
from datetime import date, datetime, time, timedelta

from tablegram.engine.idempotency import Call
from tablegram.flows.restaurant.fields import TakeFields
from tablegram.restaurant.orders.numbers import next_order_id, order_day, order_id
from tablegram.values.clock import HOUR_MS
from tablegram.values.opening_hours import zone
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


def test_the_day_is_that_of_the_venues_calendar_whatever_clocks_do() -> None:
    def day(moment: str, zone: str) -> date:
        return order_day(int(datetime.fromisoformat(moment).timestamp() * 1_000), zone)

    assert day("2026-11-15T20:59:59.999Z", "Europe/Istanbul") == date(2026, 11, 15)
    assert day("2026-11-15T21:00:00Z", "Europe/Istanbul") == date(2026, 11, 16)
    # Clocks go back in that night, and forward in this one.
    assert day("2026-10-25T22:59:59Z", "Europe/Berlin") == date(2026, 10, 25)
    assert day("2026-10-25T23:00:00Z", "Europe/Berlin") == date(2026, 10, 26)
    assert day("2026-03-29T21:59:59Z", "Europe/Berlin") == date(2026, 3, 29)
    assert day("2026-03-29T22:00:00Z", "Europe/Berlin") == date(2026, 3, 30)


async def test_the_numbers_begin_anew_at_midnight_whenever_the_business_day_ends(database_url: str) -> None:
    async with house(database_url) as one:
        today = order_day(one.clock.now_ms(), one.venue.time_zone)
        tomorrow = today + timedelta(days=1)
        midnight = int(datetime.combine(tomorrow, time(), zone(one.venue.time_zone)).timestamp() * 1_000)

        async def take(at: int) -> str:
            one.clock.at_ms = at
            fields: TakeFields = {"venue_id": one.venue.id, "order_type": "takeaway", "lines": [one.line("Ayran")]}
            return (await one.orders.take(one.caller("owner"), fields, Call("take"))).value.order_id

        assert await take(midnight - 600_000) == f"ORD-{today:%Y%m%d}-0001"
        assert await take(midnight - 1) == f"ORD-{today:%Y%m%d}-0002"
        assert await take(midnight) == f"ORD-{tomorrow:%Y%m%d}-0001"
        await one.change_venue(details={"day_ends_at": "03:00"})
        assert await take(midnight + HOUR_MS) == f"ORD-{tomorrow:%Y%m%d}-0002"
