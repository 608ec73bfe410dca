"""Takings are money that came; what is open and what nobody pays stand apart."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid, Problem
from tablegram.flows.restaurant.fields import PaymentFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.hours import VenueHours
from tablegram.restaurant.takings import days
from tablegram.restaurant.venues import Details, Venue
from tablegram.values.clock import HOUR_MS
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.sent import sent


async def _take(one: House, tab: str, **fields: Any) -> str:
    given: PaymentFields = {"method": "cash", **fields}  # type: ignore[typeddict-item]
    answer = await one.product.bills.take(one.staff, tab, given, Call("take"))
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
            groups = (found.by_method, found.by_person, found.by_day, found.by_hour)
            assert {sum(group.values()) for group in groups} == {found.paid}
            return found.paid, found.open, found.unpaid, found.tips

        assert await today() == (0, 2 * total, 0, 0)
        await _take(one, tab, order_ids=[first], tip=5)
        assert await today() == (total, total, 0, 500)
        wrong = await _take(one, tab, method="card", amount=1)
        assert await today() == (total + 100, total - 100, 0, 500)
        await bills.give_back(owner, tab, wrong, "wrong card", Call("back"))
        assert await today() == (total, total, 0, 500)
        shown = await one.product.of(RestaurantServices).takings.figures(owner, one.venue.id, None, None)
        assert (shown.refunds, shown.paid, len(shown.by_hour)) == (1, total / 100, 24)
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
            given: PaymentFields = {"method": "cash", **fields}  # type: ignore[typeddict-item]
            try:
                answer = await one.product.bills.take(one.staff, row["tab_id"], given, call)
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


async def test_a_night_is_of_the_day_before_and_beside_it_stands_as_much_of_the_day_before_that(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        desk, owner = one.product.of(RestaurantServices).takings, one.caller("owner")
        (number,) = [await sent(one)]
        tab = (await one.order())["tab_id"]
        noon = one.clock.now_ms()
        today = (await desk.count(owner, one.venue.id, None, None)).first

        async def counted(first: date, last: date) -> tuple[int, int]:
            found = await desk.count(owner, one.venue.id, first, last)
            return found.takings.paid, found.before.paid

        await _take(one, tab, amount=1)
        # Eleven in the morning; half past five at night; and half past six, when the next day has begun.
        one.clock.at_ms = noon + 18 * HOUR_MS + HOUR_MS // 2
        await _take(one, tab, amount=2)
        assert await counted(today, today) == (300, 0)
        one.clock.at_ms = noon + 19 * HOUR_MS + HOUR_MS // 2
        await _take(one, tab, amount=4)
        tomorrow = today + timedelta(days=1)
        assert await counted(today, today) == (300, 0)
        # Half an hour after six, nothing had come in the day before either.
        assert await counted(tomorrow, tomorrow) == (400, 0)
        one.clock.at_ms = noon + 26 * HOUR_MS
        assert await counted(tomorrow, tomorrow) == (400, 100)
        assert await counted(today, tomorrow) == (700, 0)
        one.clock.at_ms = noon + 60 * HOUR_MS
        assert await counted(tomorrow, tomorrow) == (400, 300)
        # Whose day ends at midnight has them on other days.
        await one.change_venue(details={"day_ends_at": "00:00"})
        assert await counted(today, today) == (100, 0)
        assert await counted(tomorrow, tomorrow) == (600, 100)
        found = await desk.figures(owner, one.venue.id, tomorrow, tomorrow)
        assert [row.key for row in found.by_hour] == [f"{hour:02d}" for hour in range(24)]
        table = (await desk.table(owner, one.venue.id, "hour", tomorrow, tomorrow)).decode("utf-8-sig").splitlines()
        assert table[:2] == ["hour,amount,currency", "00,0.0,TRY"]
        assert "06,4.0,TRY" in table
        for first, last in ((tomorrow, today), (today - timedelta(days=400), today)):
            with pytest.raises(Invalid):
                await counted(first, last)
        assert (await one.orders.get(one.staff, number)).payment_status == "partly_paid"


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2026, 3, 28), 23),
        ("Europe/Berlin", date(2026, 10, 24), 25),
        # The clocks go from midnight to one, and half an hour at a time.
        ("America/Santiago", date(2026, 9, 5), 23),
        ("Australia/Lord_Howe", date(2026, 10, 3), 23.5),
        ("Europe/Istanbul", date(2026, 10, 24), 24),
    ],
)
def test_no_moment_is_in_two_business_days_or_in_none(zone: str, day: date, hours: float) -> None:
    for ends_at in ("00:00", "02:30", "06:00", "12:00"):
        venue = Venue(
            1, "v", "Safran", "TRY", zone, VenueHours(zone, []), "", 1, 1, details=Details(day_ends_at=ends_at)
        )
        calendar = days.Calendar(venue, day - timedelta(days=3), day + timedelta(days=3))
        lengths = []
        for one in calendar.days:
            begins, ends = days.stretch(venue, one, one)
            assert {calendar.day_at(at) for at in (begins, (begins + ends) // 2, ends - 1)} == {one}
            assert {days.day_of(venue, at) for at in (begins, (begins + ends) // 2, ends - 1)} == {one}
            lengths.append((ends - begins) / HOUR_MS)
        # One night is shorter or longer; it is two days' where the day ends in the hour that is left out.
        assert sum(lengths) == 24 * 6 + hours
        assert sum(length != 24 for length in lengths) <= 2


def test_a_day_ends_in_the_night_or_the_morning() -> None:
    for given in ("24:00", "6:00", "06:10", "12:15", "18:00", "", "٠٦:00", "06:00\n"):
        with pytest.raises(Invalid) as problem:
            days.check(Details(day_ends_at=given))
        assert problem.value.errors[0].field == "day_ends_at", given
    for given in ("00:00", "05:45", "12:00"):
        days.check(Details(day_ends_at=given))
