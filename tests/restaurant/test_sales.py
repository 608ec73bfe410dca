"""Sales: every order on the day and in the hour of the venue's clock, and nothing that was not sold."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import Invalid, NotFound, ScopeMissing
from tablegram.flows.restaurant.desks.sales import Sales
from tablegram.restaurant import sales, tables, venues
from tablegram.restaurant.hours import VenueHours
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders import totals
from tablegram.restaurant.orders.model import Order, to_row
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.store import orders as store
from tablegram.restaurant.venues import Details, Venue
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id
from tablegram.values.opening_hours import WeekSpan
from tablegram.values.secrets import SecretBox
from tests.storage.opened import opened

DAY = date(2026, 11, 14)
ISTANBUL = "Europe/Istanbul"
SOUP = PricedLine("soup", "Lentil Soup", "", "kitchen", 2, 90_00)
TEA = PricedLine("tea", "=Tea", "", "bar", 1, 15_00)


def at(text: str, zone: str = ISTANBUL) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1_000)


class Shop:
    def __init__(self, db: Database, venue: Venue, now_ms: int) -> None:
        self.db, self.venue = db, venue
        self.sales = Sales(db, _Stopped(now_ms))
        self._number = 0

    async def sell(self, moment: int, *lines: PricedLine, **changes: Any) -> Order:
        self._number += 1
        chosen = lines or (TEA,)
        charges, discounts = changes.pop("charges", ()), changes.pop("discounts", ())
        values: dict[str, Any] = {
            "account_id": 1, "id": new_id(moment), "venue_id": self.venue.id, "order_id": f"ORD-{self._number:06d}",
            "order_type": "dine_in", "state": "completed", "payment_method": "cash", "payment_state": "paid",
            "lines": chosen, "charges": charges, "discounts": discounts,
            "total": totals.total(chosen, charges, discounts), "currency": self.venue.currency,
            "created_at": moment, "updated_at": moment,
        }  # fmt: skip
        order = Order(**{**values, **changes})
        await self.db.put((store.INSERT, to_row(order)))
        return order


class _Stopped(Clock):
    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms


@asynccontextmanager
async def shop(
    database_url: str, zone: str = ISTANBUL, currency: str = "TRY", ends_at: str = "06:00"
) -> AsyncIterator[Shop]:
    async with opened(database_url) as db:
        week = VenueHours(zone, [WeekSpan("monday", "09:00", "17:00")])
        key = tables.new_signing_key(SecretBox("k" * 32))
        details = Details(day_ends_at=ends_at)
        made = Venue(1, new_id(), "Safran", currency, zone, week, key, 1, 1, languages=["tr"], details=details)
        venue = await db.write(lambda tx: venues.add(tx, made))
        yield Shop(db, venue, at("2026-11-14 23:00", zone))


def caller(account_id: int = 1, *scopes: str) -> Caller:
    held = frozenset(scopes or ("restaurant:manage",))
    return Caller(account_id, "A", "k", "k", "live", held, 10, 10, "free", False, None)


async def test_orders_fall_on_the_day_and_into_the_hour_of_the_venue(database_url: str) -> None:
    async with shop(database_url) as one:
        # The night belongs to the day before, until six.
        await one.sell(at("2026-11-14 05:59:59"))
        await one.sell(at("2026-11-14 06:00:00"))
        await one.sell(at("2026-11-14 12:44:59"), SOUP)
        await one.sell(at("2026-11-15 05:59:59"))
        await one.sell(at("2026-11-15 06:00:00"))
        report = await one.sales.report(caller(), one.venue.id, DAY, DAY)
        assert (report.total.count, report.total.revenue, report.total.average) == (3, 210_00, 70_00)
        hours = {hour: tally.count for hour, tally in report.by_hour if tally.count}
        assert hours == {6: 1, 12: 1, 5: 1}
        assert [hour for hour, _ in report.by_hour] == [*range(6, 24), *range(6)]
        longer = await one.sales.report(caller(), one.venue.id, date(2026, 11, 12), date(2026, 11, 15))
        assert [tally.count for _, tally in longer.by_day] == [0, 1, 3, 1]


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        # 23 hours and 25 hours, and a place that is three quarters of an hour beside the others.
        ("Europe/Berlin", date(2026, 3, 29), ["00:30", "01:59", "03:00", "23:59"]),
        ("Europe/Berlin", date(2026, 10, 25), ["00:00", "02:30", "23:59"]),
        ("Asia/Kathmandu", date(2026, 11, 14), ["00:00", "00:14", "23:59"]),
    ],
)
async def test_a_day_is_a_day_where_clocks_are_changed_or_stand_oddly(
    database_url: str, zone: str, day: date, hours: list[str]
) -> None:
    async with shop(database_url, zone, ends_at="00:00") as one:
        for hour in hours:
            await one.sell(at(f"{day} {hour}", zone))
        report = await one.sales.report(caller(), one.venue.id, day, day)
        assert report.total.count == len(hours)
        found = [hour for hour, tally in report.by_hour for _ in range(tally.count)]
        assert found == sorted(int(hour[:2]) for hour in hours)


async def test_what_was_called_off_waits_or_was_paid_back_is_not_sold(database_url: str) -> None:
    async with shop(database_url) as one:
        noon = at("2026-11-14 12:00")
        for state in ("cancelled", "rejected", "expired", "awaiting_confirmation", "awaiting_payment"):
            await one.sell(noon, SOUP, state=state, payment_state="unpaid")
        await one.sell(noon, SOUP, payment_state="refunded")
        for state in ("sent_to_kitchen", "preparing", "ready", "served", "out_for_delivery", "completed"):
            await one.sell(noon, TEA, state=state)
        report = await one.sales.report(caller(), one.venue.id, DAY, DAY)
        assert (report.total.count, report.total.revenue) == (6, 6 * 15_00)
        assert (report.called_off.count, report.waiting.count, report.refunded.revenue) == (3, 2, 180_00)
        assert [(item.item_id, item.quantity) for item in report.items] == [("tea", 6)]


async def test_items_waiters_kinds_and_extras_add_up_to_the_total(database_url: str) -> None:
    async with shop(database_url) as one:
        noon = at("2026-11-14 12:00")
        service, coupon = Extra("service", "Servis", 19_50), Extra("coupon", "Hoş geldin", 10_00)
        await one.sell(noon, SOUP, TEA, charges=(service,), discounts=(coupon,), waiter="Ayşe")
        await one.sell(noon, TEA, TEA, waiter="Ayşe", order_type="takeaway", payment_method="pos_at_table")
        await one.sell(noon, SOUP, order_type="delivery", payment_method="card_on_delivery")
        report = await one.sales.report(caller(), one.venue.id, DAY, DAY)
        assert [(sold.item_id, sold.quantity, sold.revenue) for sold in report.items] == [
            ("soup", 4, 360_00),
            ("tea", 3, 45_00),
        ]
        assert {key: tally.count for key, tally in report.by_waiter} == {"Ayşe": 2, "": 1}
        assert {key for key, _ in report.by_payment} == {"cash", "pos_at_table", "card_on_delivery"}
        for groups in (report.by_day, report.by_hour, report.by_type, report.by_waiter, report.by_payment):
            assert sum(tally.revenue for _, tally in groups) == report.total.revenue
        extras = sum(one.amount for one in report.charges) - sum(one.amount for one in report.discounts)
        assert sum(sold.revenue for sold in report.items) + extras == report.total.revenue


async def test_more_orders_than_one_piece_are_all_counted(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sales, "PIECE", 7)
    async with shop(database_url) as one:
        noon = at("2026-11-14 12:00")
        for number in range(31):
            # Several of the same moment, over the edge of a piece.
            await one.sell(noon + number // 10)
        report = await one.sales.report(caller(), one.venue.id, DAY, DAY)
        assert report.items[0].quantity == report.total.count == 31


async def test_the_summary_of_a_day_and_the_file_say_the_same(database_url: str) -> None:
    async with shop(database_url) as one:
        await one.sell(at("2026-11-14 12:00"), SOUP, TEA, charges=(Extra("service", "Servis", 19_50),))
        await one.sell(at("2026-11-14 12:00"), state="cancelled")
        summary = msgspec.to_builtins(await one.sales.summary(caller(), one.venue.id, None))
        assert summary["day"] == "2026-11-14"
        assert summary["total"] == {"orders": 1, "revenue": 214.5, "average": 214.5}
        assert summary["by_payment_method"] == [{"key": "cash", "orders": 1, "revenue": 214.5, "average": 214.5}]
        assert summary["charges"] == [{"kind": "service", "name": "Servis", "orders": 1, "amount": 19.5}]
        assert summary["cancelled"]["orders"] == 1
        raw = await one.sales.table(caller(), one.venue.id, "item", DAY, DAY)
        rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))
        # A name that a table program would run is quoted.
        assert [(row["name"], row["quantity"], row["revenue"]) for row in rows] == [
            ("Lentil Soup", "2", "180.0"),
            ("'=Tea", "1", "15.0"),
        ]


async def test_nobody_sees_anothers_sales_or_sales_beyond_his_role(database_url: str) -> None:
    async with shop(database_url) as one:
        await one.sell(at("2026-11-14 12:00"))
        with pytest.raises(NotFound):
            await one.sales.report(caller(2), one.venue.id, DAY, DAY)
        with pytest.raises(ScopeMissing):
            await one.sales.summary(caller(1, "restaurant:read", "orders:manage"), one.venue.id, DAY)


async def test_days_that_make_no_sense_are_refused_with_words(database_url: str) -> None:
    async with shop(database_url) as one:
        with pytest.raises(Invalid, match="before the first"):
            await one.sales.figures(caller(), one.venue.id, "day", DAY, date(2026, 11, 13))
        with pytest.raises(Invalid, match="366 days"):
            await one.sales.figures(caller(), one.venue.id, "day", date(2025, 1, 1), DAY)


async def test_the_menus_own_name_stands_for_all_languages_and_amounts_follow_the_currency(database_url: str) -> None:
    async with shop(database_url, currency="JPY") as one:
        await one.sell(at("2026-11-14 12:00"), PricedLine("x", "Soup", "", "kitchen", 1, 700))
        await one.sell(at("2026-11-14 13:00"), PricedLine("x", "Çorba", "", "kitchen", 1, 700))
        found = await one.sales.figures(caller(), one.venue.id, "item", DAY, DAY)
        assert [(row.quantity, row.revenue) for row in found.data] == [(2, 1400.0)]
