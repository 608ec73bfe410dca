"""Sales as people and programs ask for them: figures, the summary of a day, and a file for table programs.

`report(caller, venue_id, first, last)` is the domain's own value, in minor units; `figures` and `summary` are what
the API answers, in decimal numbers; `table` is the file. Days are the venue's business days.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal

from msgspec.structs import asdict

from tablegram.accounts.keys.keys import Caller
from tablegram.flows.restaurant.answers.figures import (
    DaySummary,
    SalesExtra,
    SalesFigures,
    SalesGroup,
    SalesReport,
    SalesRow,
)
from tablegram.flows.restaurant.desks.takings import count_all, takings_view
from tablegram.restaurant import sales, venues
from tablegram.restaurant.sales import SalesDays, Sold, SummedCharge, Tally
from tablegram.restaurant.takings.counting import Takings
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database
from tablegram.values.clock import Clock, iso
from tablegram.values.files.spreadsheets import harmless_in_csv
from tablegram.values.money import to_wire

By = Literal["day", "hour", "item", "waiter", "order_type"]
DEFAULT_DAYS = 30
TOP_ITEMS = 10


class Sales:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._baskets = sales.Baskets(db, clock)

    async def days(self, caller: Caller, venue_id: str, first: date | None, last: date | None) -> tuple[date, date]:
        """The days that are meant: until today, and 30 of them, unless it is said otherwise."""
        until = last or sales.today(await self._venue(caller, venue_id), self._clock.now_ms())
        # Nobody sold anything before the calendar begins.
        since = first or max(until, date(1970, 3, 1)) - timedelta(days=DEFAULT_DAYS - 1)
        sales.check_days(since, until)
        return since, until

    async def today(self, caller: Caller, venue_id: str) -> date:
        """The day it is where the venue is."""
        return sales.today(await self._venue(caller, venue_id), self._clock.now_ms())

    async def report(self, caller: Caller, venue_id: str, first: date, last: date) -> SalesDays:
        """Everything that was sold from one day to another, both included."""
        return await sales.report(self._db, self._baskets, await self._venue(caller, venue_id), first, last)

    async def figures(
        self, caller: Caller, venue_id: str, by: By, first: date | None, last: date | None
    ) -> SalesReport:
        since, until = await self.days(caller, venue_id, first, last)
        report = await self.report(caller, venue_id, since, until)
        return SalesReport(
            venue_id=report.venue_id,
            since=since.isoformat(),
            until=until.isoformat(),
            time_zone=report.time_zone,
            currency=report.currency,
            by=by,
            total=_figures(report.total, report.currency),
            data=_rows(report, by),
        )

    async def summary(self, caller: Caller, venue_id: str, day: date | None) -> DaySummary:
        """The end of a day on one page."""
        venue = await self._venue(caller, venue_id)
        chosen = day or sales.today(venue, self._clock.now_ms())
        report = await sales.report(self._db, self._baskets, venue, chosen, chosen)
        money = report.currency
        return DaySummary(
            venue_id=venue.id,
            venue_name=venue.name,
            day=chosen.isoformat(),
            time_zone=report.time_zone,
            currency=money,
            total=_figures(report.total, money),
            takings=takings_view(await self.takings(caller, venue_id, chosen), money),
            by_payment_method=[SalesGroup(key=key, **asdict(_figures(one, money))) for key, one in report.by_payment],
            by_order_type=[SalesGroup(key=key, **asdict(_figures(one, money))) for key, one in report.by_type],
            charges=[_share(one, money) for one in report.charges],
            discounts=[_share(one, money) for one in report.discounts],
            top_items=[_item(one, money) for one in report.items[:TOP_ITEMS]],
            cancelled=_figures(report.called_off, money),
            refunded=_figures(report.refunded, money),
            waiting=_figures(report.waiting, money),
            made_at=iso(self._clock.now_ms()),
        )

    async def takings(self, caller: Caller, venue_id: str, day: date) -> Takings:
        """The money that came in on a day, and what of its orders is not paid."""
        venue = await self._venue(caller, venue_id)
        return await self._db.snapshot(lambda tx: count_all(tx, venue, day, day))

    async def table(self, caller: Caller, venue_id: str, by: By, first: date | None, last: date | None) -> bytes:
        """The figures as CSV."""
        found = await self.figures(caller, venue_id, by, first, last)
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow([by, "name", "orders" if by != "item" else "quantity", "revenue", "average", "currency"])
        for row in found.data:
            count = row.quantity if by == "item" else row.orders
            names = [harmless_in_csv(row.key), harmless_in_csv(row.name)]
            writer.writerow([*names, count, row.revenue, row.average, found.currency])
        # The mark at the beginning tells table programs that this is UTF-8.
        return b"\xef\xbb\xbf" + text.getvalue().encode()

    async def _venue(self, caller: Caller, venue_id: str) -> Venue:
        caller.require("restaurant:manage")
        return await self._db.snapshot(lambda tx: venues.find(tx, caller.account_id, venue_id))


def _rows(report: SalesDays, by: By) -> list[SalesRow]:
    if by == "item":
        return [_item(one, report.currency) for one in report.items]
    groups: dict[str, Iterable[tuple[str, Tally]]] = {
        "day": ((day.isoformat(), one) for day, one in report.by_day),
        "hour": ((f"{hour:02d}", one) for hour, one in report.by_hour),
        "waiter": report.by_waiter,
        "order_type": report.by_type,
    }
    return [
        SalesRow(key=key, name="", quantity=None, **asdict(_figures(one, report.currency))) for key, one in groups[by]
    ]


def _figures(tally: Tally, currency: str) -> SalesFigures:
    return SalesFigures(
        orders=tally.count,
        revenue=to_wire(tally.revenue, currency),
        average=to_wire(tally.average, currency),
    )


def _item(one: Sold, currency: str) -> SalesRow:
    average = (one.revenue + one.quantity // 2) // one.quantity if one.quantity else 0
    return SalesRow(
        key=one.item_id,
        name=one.name,
        quantity=one.quantity,
        orders=None,
        revenue=to_wire(one.revenue, currency),
        average=to_wire(average, currency),
    )


def _share(one: SummedCharge, currency: str) -> SalesExtra:
    return SalesExtra(kind=one.kind, name=one.name, orders=one.count, amount=to_wire(one.amount, currency))
