from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime

import pytest

from tablegram.restaurant.orders.numbers import next_order_id, order_day, order_id
from tests.restaurant.kept import NOON, store


def _ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("moment", "zone", "day"),
    [
        ("2026-11-14T20:59:59", "Europe/Istanbul", date(2026, 11, 14)),
        ("2026-11-14T21:00:00", "Europe/Istanbul", date(2026, 11, 15)),
        # The night in which clocks go back has its hour from 1 to 2 twice, and one day.
        ("2026-10-25T00:30:00", "Europe/London", date(2026, 10, 25)),
        ("2026-10-25T01:30:00", "Europe/London", date(2026, 10, 25)),
        ("2026-10-24T23:30:00", "Europe/London", date(2026, 10, 25)),
        # Clocks that go forward at midnight leave out the day's first hour.
        ("2026-09-06T03:59:59", "America/Santiago", date(2026, 9, 5)),
        ("2026-09-06T04:00:00", "America/Santiago", date(2026, 9, 6)),
        ("2026-12-31T23:30:00", "Pacific/Kiritimati", date(2027, 1, 1)),
    ],
)
def test_the_day_is_the_venues_own(moment: str, zone: str, day: date) -> None:
    assert order_day(_ms(moment), zone) == day


def test_numbers_have_four_digits_and_grow_beyond() -> None:
    day = date(2026, 1, 2)
    assert [order_id(day, number) for number in (1, 9_999, 10_000)] == [
        "ORD-20260102-0001",
        "ORD-20260102-9999",
        "ORD-20260102-10000",
    ]


async def test_each_account_and_day_counts_from_one_without_a_gap(database_url: str) -> None:
    async with store(database_url) as db:

        async def take(account_id: int, at_ms: int) -> str:
            return await db.write(lambda tx: next_order_id(tx, account_id, at_ms, "Europe/Istanbul"))

        taken = await asyncio.gather(*(take(1, NOON) for _ in range(30)))
        assert sorted(taken) == [f"ORD-20261115-{number:04d}" for number in range(1, 31)]
        assert await take(2, NOON) == "ORD-20261115-0001"
        assert await take(1, NOON + 86_400_000) == "ORD-20261116-0001"
        assert await take(1, NOON) == "ORD-20261115-0031"
