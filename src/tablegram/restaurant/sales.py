"""What a venue sold: by day, hour, item, waiter and kind of order, by the venue's own business days.

An order counts on the business day it was placed on. What was cancelled, rejected or has expired is not sold, nor is what still
waits for somebody's nod or for its payment; money that was given back is told apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta

import msgspec

from tablegram.errors import Invalid
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.rows.menus import Named
from tablegram.restaurant.rows.orders import KindRow, QuarterRow, SoldRow, SummedRow
from tablegram.restaurant.store import sales as store
from tablegram.restaurant.takings import days
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.opening_hours import zone

MAX_DAYS = 366
# Small enough that others are served between two pieces.
PIECE = 1_000
# An order of the day before may still be cancelled or paid back; after this it is not worth counting anew for.
SETTLED_AFTER_MS = 2 * DAY_MS
ENDED_S = 60.0
REMEMBERED_S = 3_600.0
MAX_REMEMBERED = 20_000


class Tally(msgspec.Struct):
    """How many orders, and what they came to in minor units."""

    count: int = 0
    revenue: int = 0

    @property
    def average(self) -> int:
        """Of one order, rounded to the nearest minor unit."""
        return (self.revenue + self.count // 2) // self.count if self.count else 0

    def add(self, row: SummedRow) -> None:
        self.count += row["n"]
        self.revenue += row["amount"]


class Sold(msgspec.Struct):
    """An item: how often it was sold, and for how much."""

    item_id: str
    name: str
    quantity: int = 0
    revenue: int = 0


class SummedCharge(msgspec.Struct):
    """Charges or discounts of one name, added up."""

    kind: str
    name: str
    count: int = 0
    amount: int = 0


class SalesDays(msgspec.Struct):
    """The days asked for. Every day and every hour of the clock is there, whether or not something was sold."""

    venue_id: str
    currency: str
    time_zone: str
    first: date
    last: date
    total: Tally
    by_day: list[tuple[date, Tally]]
    by_hour: list[tuple[int, Tally]]
    by_type: list[tuple[str, Tally]]
    # An empty name: orders that nobody waited on.
    by_waiter: list[tuple[str, Tally]]
    by_payment: list[tuple[str, Tally]]
    items: list[Sold]
    charges: list[SummedCharge]
    discounts: list[SummedCharge]
    called_off: Tally
    refunded: Tally
    waiting: Tally


class _Line(msgspec.Struct):
    """As much of an order's line as is counted."""

    item_id: str
    name: str
    quantity: int
    unit_price: int


_lines = msgspec.json.Decoder(list[_Line]).decode
_extras = msgspec.json.Decoder(list[Extra]).decode


def check_days(first: date, last: date) -> None:
    if last < first:
        raise Invalid.field("until", "days_reversed", "The last day must not be before the first one.")
    if (last - first).days >= MAX_DAYS:
        raise Invalid.field("since", "range_too_long", f"Ask for at most {MAX_DAYS} days at once.")


def today(venue: Venue, now_ms: int) -> date:
    return days.day_of(venue, now_ms)


async def report(db: Database, baskets: Baskets, venue: Venue, first: date, last: date) -> SalesDays:
    """Everything that was sold from one day to another, both included."""
    check_days(first, last)
    which = _which(venue, first, last)

    async def count(tx: Tx) -> tuple[list[QuarterRow], list[KindRow], list[Named]]:
        which_names = {"b_account": venue.account_id, "b_venue": venue.id}
        return (
            await tx.all(store.BY_TIME, which),
            await tx.all(store.BY_KIND, which),
            await tx.all(store.ITEM_NAMES, which_names),
        )

    times, kinds, names = await db.snapshot(count)
    sold = [row for row in times if row["outcome"] == "sold"]
    sold_kinds = [row for row in kinds if row["outcome"] == "sold"]
    basket = await baskets.of(venue, first, last, {row["id"]: row["name"] for row in names})
    by_day, by_hour = _calendar(sold, venue, first, last)
    return SalesDays(
        venue.id, venue.currency, venue.time_zone, first, last,
        total=_tally(sold),
        by_day=by_day,
        by_hour=by_hour,
        by_type=_ranked(sold_kinds, lambda row: row["order_type"]),
        by_waiter=_ranked(sold_kinds, lambda row: row["waiter"]),
        by_payment=_ranked(sold_kinds, lambda row: row["payment_method"]),
        items=sorted(basket.items.values(), key=lambda one: (-one.revenue, -one.quantity, one.name)),
        charges=sorted(basket.charges.values(), key=lambda one: (-one.amount, one.name)),
        discounts=sorted(basket.discounts.values(), key=lambda one: (-one.amount, one.name)),
        called_off=_tally(row for row in times if row["outcome"] == "called_off"),
        refunded=_tally(row for row in times if row["outcome"] == "refunded"),
        waiting=_tally(row for row in times if row["outcome"] == "waiting"),
    )  # fmt: skip


class _Basket:
    """Lines and extras of many orders, added up as they come by."""

    def __init__(self) -> None:
        self.items: dict[str, Sold] = {}
        self.charges: dict[tuple[str, str], SummedCharge] = {}
        self.discounts: dict[tuple[str, str], SummedCharge] = {}

    def add(self, row: SoldRow) -> None:
        for line in _lines(row["lines"]):
            self._sell(line.item_id, line.name, line.quantity, line.quantity * line.unit_price)
        for shares, raw in ((self.charges, row["charges"]), (self.discounts, row["discounts"])):
            # Most orders have none, and reading nothing costs as much as reading something.
            for one in _extras(raw) if len(raw) > 2 else ():
                _give(shares, one.kind, one.name, 1, one.amount)

    def pour_in(self, other: _Basket) -> None:
        for sold in other.items.values():
            self._sell(sold.item_id, sold.name, sold.quantity, sold.revenue)
        for mine, theirs in ((self.charges, other.charges), (self.discounts, other.discounts)):
            for one in theirs.values():
                _give(mine, one.kind, one.name, one.count, one.amount)

    def name(self, names: dict[str, str]) -> None:
        """What the menu calls its items now goes before what a guest read."""
        for sold in self.items.values():
            sold.name = names.get(sold.item_id) or sold.name

    def _sell(self, item_id: str, name: str, quantity: int, revenue: int) -> None:
        sold = self.items.get(item_id)
        if sold is None:
            sold = self.items[item_id] = Sold(item_id, name)
        sold.quantity += quantity
        sold.revenue += revenue


def _give(shares: dict[tuple[str, str], SummedCharge], kind: str, name: str, count: int, amount: int) -> None:
    share = shares.setdefault((kind, name), SummedCharge(kind, name))
    share.count += count
    share.amount += amount


class Baskets:
    """What was in the orders of each day. Days that are over hardly change, and are remembered for a while."""

    def __init__(self, db: Database, clock: Clock, steady_s: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._steady_s = steady_s
        self._known: dict[tuple[object, ...], tuple[_Basket, float]] = {}

    async def of(self, venue: Venue, first: date, last: date, names: dict[str, str]) -> _Basket:
        basket = _Basket()
        for number in range((last - first).days + 1):
            basket.pour_in(await self._of_day(venue, first + timedelta(days=number)))
        basket.name(names)
        return basket

    async def _of_day(self, venue: Venue, day: date) -> _Basket:
        which = _which(venue, day, day)
        key = tuple(which.values())
        known = self._known.get(key)
        if known is not None and known[1] > self._steady_s():
            return known[0]
        basket = await self._count(which)
        age = self._clock.now_ms() - days.begins(venue, day + timedelta(days=1))
        if age >= 0:
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            lasts_s = ENDED_S if age < SETTLED_AFTER_MS else REMEMBERED_S
            self._known[key] = basket, self._steady_s() + lasts_s
        return basket

    async def _count(self, which: dict[str, object]) -> _Basket:
        basket = _Basket()
        last_at, last_id = -1, ""
        while True:
            rows = await self._db.all(store.LINES, {**which, "last_at": last_at, "last_id": last_id, "most": PIECE})
            for row in rows:
                basket.add(row)
            if len(rows) < PIECE:
                return basket
            last_at, last_id = rows[-1]["created_at"], rows[-1]["id"]


def _which(venue: Venue, first: date, last: date) -> dict[str, object]:
    since, until = days.stretch(venue, first, last)
    return {
        "b_account": venue.account_id,
        "b_venue": venue.id,
        "b_currency": venue.currency,
        "since": since,
        "until": until,
    }


def _calendar(
    rows: Iterable[QuarterRow], venue: Venue, first: date, last: date
) -> tuple[list[tuple[date, Tally]], list[tuple[int, Tally]]]:
    calendar = days.Calendar(venue, first, last)
    by_day = {day: Tally() for day in calendar.days}
    by_hour = {hour: Tally() for hour in days.hours(venue)}
    place = zone(venue.time_zone)
    for row in rows:
        by_day[calendar.day_at(row["quarter"])].add(row)
        by_hour[datetime.fromtimestamp(row["quarter"] / 1_000, UTC).astimezone(place).hour].add(row)
    return list(by_day.items()), list(by_hour.items())


def _tally(rows: Iterable[SummedRow]) -> Tally:
    tally = Tally()
    for row in rows:
        tally.add(row)
    return tally


def _ranked(rows: Iterable[KindRow], key_of: Callable[[KindRow], str]) -> list[tuple[str, Tally]]:
    found: dict[str, Tally] = {}
    for row in rows:
        found.setdefault(key_of(row), Tally()).add(row)
    return sorted(found.items(), key=lambda one: (-one[1].revenue, -one[1].count, one[0]))
