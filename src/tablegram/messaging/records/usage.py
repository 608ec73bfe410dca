"""How much an account sent and received, and what that cost: counted by day, and summed up from there.

A day is counted when somebody asks. Days that are over hardly change (a late "read", a corrected price), so they
are remembered for a while, and the send path never pays for anybody's curiosity.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from typing import TypeVar

from tablegram.errors import Invalid
from tablegram.messaging.rows.messages import CountRow
from tablegram.messaging.store import usage as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.ids import first_id
from tablegram.values.phone import country_of

Key = TypeVar("Key")

MAX_DAYS = 366
# A status may come days later; after this many days one that does is not worth counting anew for.
SETTLED_AFTER_MS = 2 * DAY_MS
REMEMBERED_S = 6 * 3_600.0
# Days that are over, but not settled yet.
ENDED_S = 60.0
# Today: often looked at by several people at once.
FRESH_S = 3.0
MAX_REMEMBERED = 20_000


@dataclass(slots=True)
class Tally:
    """What happened within a day, a line, a country or a category."""

    received: int = 0
    queued: int = 0
    sent: int = 0
    delivered: int = 0
    read: int = 0
    failed: int = 0
    cancelled: int = 0
    cost_micros: int = 0

    @property
    def outgoing(self) -> int:
        """Messages that went out, or were to go out and failed."""
        return self.queued + self.sent + self.delivered + self.read + self.failed

    @property
    def arrived(self) -> int:
        return self.delivered + self.read

    @property
    def delivery_rate(self) -> float | None:
        """The share that arrived, of those whose fate is not open any more or that are on their way."""
        settled = self.outgoing - self.queued
        return self.arrived / settled if settled else None

    def add(self, group: Group) -> None:
        setattr(self, group.state, getattr(self, group.state) + group.count)
        self.cost_micros += group.cost_micros


@dataclass(frozen=True, slots=True)
class Group:
    """Messages of one day that are alike."""

    instance_id: int
    state: str
    category: str
    calling_code: int
    region: str
    count: int
    cost_micros: int
    is_incoming: bool


@dataclass(slots=True)
class UsageFigures:
    """The days asked for, oldest first, with their groups."""

    days: list[tuple[date, list[Group]]] = field(default_factory=list)

    def total(self) -> Tally:
        return _tally(group for _, groups in self.days for group in groups)

    def by_day(self) -> list[tuple[date, Tally]]:
        return [(day, _tally(groups)) for day, groups in self.days]

    def by_line(self) -> list[tuple[int, Tally]]:
        return self._by(lambda group: group.instance_id)

    def by_country(self) -> list[tuple[tuple[int, str], Tally]]:
        return self._by(lambda group: (group.calling_code, group.region))

    def by_category(self) -> list[tuple[str, Tally]]:
        return self._by(lambda group: "" if group.is_incoming else group.category)

    def _by(self, key_of: Callable[[Group], Key]) -> list[tuple[Key, Tally]]:
        found: dict[Key, Tally] = {}
        for _, groups in self.days:
            for group in groups:
                found.setdefault(key_of(group), Tally()).add(group)
        return sorted(found.items(), key=lambda one: (-one[1].cost_micros, -one[1].outgoing, str(one[0])))


class Usage:
    def __init__(self, db: Database, clock: Clock, steady_s: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._steady_s = steady_s
        self._known: dict[tuple[int, int, int], tuple[list[Group], float]] = {}

    def today(self, zone: tzinfo) -> date:
        return datetime.fromtimestamp(self._clock.now_ms() / 1_000, zone).date()

    async def report(self, account_id: int, first: date, last: date, zone: tzinfo) -> UsageFigures:
        """Every day from the first to the last one, as the days begin in the given zone."""
        if last < first:
            raise Invalid.field("until", "days_reversed", "The last day must not be before the first one.")
        if (last - first).days >= MAX_DAYS:
            raise Invalid.field("since", "range_too_long", f"Ask for at most {MAX_DAYS} days at once.")
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        bounds = [_midnight_ms(day, zone) for day in [*days, last + timedelta(days=1)]]
        now_s = self._steady_s()
        missing = [
            (since, until)
            for since, until in itertools.pairwise(bounds)
            if self._known.get((account_id, since, until), ([], -1.0))[1] <= now_s
        ]
        if missing:
            await self._count(account_id, missing, now_s)
        report = UsageFigures()
        for day, since, until in zip(days, bounds, bounds[1:], strict=False):
            report.days.append((day, self._known[account_id, since, until][0]))
        return report

    async def has_any(self, account_id: int, way: str) -> bool:
        """Whether the account ever sent ("out") or received ("in") something."""
        return await self._db.first(store.ANY, {"account_id": account_id, "way": way}) is not None

    async def _count(self, account_id: int, stretches: list[tuple[int, int]], now_s: float) -> None:
        async def read(tx: Tx) -> list[list[CountRow]]:
            return [
                await tx.all(
                    store.COUNTS,
                    {"account_id": account_id, "since_id": first_id(since), "until_id": first_id(until)},
                )
                for since, until in stretches
            ]

        if len(self._known) > MAX_REMEMBERED:
            self._known.clear()
        now = self._clock.now_ms()
        for (since, until), rows in zip(stretches, await self._db.snapshot(read), strict=True):
            age = now - until
            lasts_s = FRESH_S if age < 0 else ENDED_S if age < SETTLED_AFTER_MS else REMEMBERED_S
            self._known[account_id, since, until] = [_group(row) for row in rows], now_s + lasts_s


def _group(row: CountRow) -> Group:
    code, region = country_of(row["beginning"])
    return Group(
        instance_id=row["instance_id"],
        state=row["state"],
        category=row["category"],
        calling_code=code,
        region=region,
        count=row["count"],
        cost_micros=row["cost_micros"] or 0,
        is_incoming=row["direction"] == "in",
    )


def _tally(groups: Iterable[Group]) -> Tally:
    tally = Tally()
    for group in groups:
        tally.add(group)
    return tally


def _midnight_ms(day: date, zone: tzinfo) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp() * 1_000)
