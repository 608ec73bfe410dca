"""What is old enough is forgotten: each domain says what, and after how long, and once an hour it goes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, delete, func, literal_column, select

from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.scope import across_accounts
from tablegram.values.clock import DAY_MS, HOUR_MS, Clock

# Small enough that no one waits behind a chunk.
CHUNK = 500
EVERY_S = 3_600
# So many of the oldest rows are looked through for what may go, where no index knows.
LOOKED_AT = 5_000

_WHY = "retention is the installation's"

Forget = Callable[[Database, int], Awaitable[int]]
# Forgets what a database alone does not hold, such as files; returns how many of each.
Cleaner = Callable[[], Awaitable[dict[str, int]]]


@dataclass(frozen=True, slots=True)
class Purge:
    """One kind of thing that is forgotten."""

    # What it is called where the counts are told; empty for what nobody counts.
    name: str
    # How long it is kept, by the settings; for ever where there is no number.
    keep_ms: Callable[[Settings], int | None]
    # Forgets what is older than a time in milliseconds; returns how many.
    forget: Forget


def days(number: int) -> Callable[[Settings], int]:
    """The same whatever the settings say."""
    return lambda settings: number * DAY_MS


def hours(number: int) -> Callable[[Settings], int]:
    return lambda settings: number * HOUR_MS


def among_oldest(number: Column[Any]) -> ColumnElement[bool]:
    """Of rows that are numbered as they come: what is old is among the first, and the rest need not be read to find it."""
    beyond = select(number).order_by(number).offset(literal_column(str(LOOKED_AT))).limit(literal_column("1"))
    return number < func.coalesce(beyond.scalar_subquery(), literal_column(str(2**62)))


def old_rows(table: Table, condition: ColumnElement[bool], *key: Column[Any]) -> Forget:
    """Deletes the rows that meet a condition on `before`, a bounded number at a time: purging never holds the writer."""
    first = across_accounts(select(*key).where(condition).limit(CHUNK), _WHY)
    # Once more by the condition: a cart's code may be another account's as well.
    query = Query(across_accounts(delete(table).where(key[-1].in_(first), condition), _WHY))

    async def forget(db: Database, before_ms: int) -> int:
        async def chunk(tx: Tx) -> int:
            return await tx.run(query, {"before": before_ms})

        total = 0
        while count := await db.write(chunk):
            total += count
        return total

    return forget


class Retention:
    """`cleaners` come after the rows."""

    def __init__(
        self, db: Database, clock: Clock, settings: Settings, purges: Iterable[Purge], cleaners: Iterable[Cleaner] = ()
    ) -> None:
        self._db = db
        self._clock = clock
        self._settings = settings
        self._purges = purges
        self._cleaners = cleaners

    async def purge_forever(self) -> None:
        while True:
            await self.purge()
            await asyncio.sleep(EVERY_S)

    async def purge(self) -> dict[str, int]:
        """Forget what is past its time; returns how many of each."""
        gone: dict[str, int] = {}
        for one in self._purges:
            keep_ms = one.keep_ms(self._settings)
            if keep_ms is None:
                continue
            count = await one.forget(self._db, self._clock.now_ms() - keep_ms)
            if one.name:
                gone[one.name] = count
        for clean in self._cleaners:
            gone |= await clean()
        return gone
