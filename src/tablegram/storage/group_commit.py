"""Group commit: everything that waits at this moment shares one transaction.

A caller's unit is either plain statements, which run together with the same statements of its
batch mates, or a function that reads and writes through the transaction. Each caller is answered
only after its commit. When a batch fails, its units run again one by one, each in a transaction of
its own, so that a bad row fails alone. A unit may therefore run twice and must not have any effect
outside its transaction. A unit that refuses (raises a `Problem`) before it has written anything
fails alone without disturbing the others.

A unit that is patient is a piece of much work that nobody waits for. It has a transaction to itself, with which nobody shares a
commit. A server gives it a connection of its own; a file has one writer, and there it takes turns with all others together:
whoever comes meanwhile waits for one such piece at the most.
One that is not flushed is committed like any other, but nobody waits for the disk: the next commit that somebody waits for brings
it there too, for the log is written in order. A power cut before that takes it back, whole.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from tablegram.errors import Problem
from tablegram.storage.query import Query, R
from tablegram.storage.rows import Params, Row

Work = Callable[["Tx"], Awaitable[Any]]

# Where no committed event can be followed by one with a smaller number.
NO_HORIZON = 2**62

# More than this in one transaction only makes the first of them wait longer.
MAX_BATCH = 512


class Tx(Protocol):
    """One open transaction, the same on both databases. `writes` counts the rows changed so far."""

    writes: int

    async def run(self, query: Query, params: Params) -> int: ...

    async def many(self, query: Query, rows: Sequence[Params]) -> None: ...

    async def all(self, query: Query[R], params: Params) -> list[R]: ...

    async def first(self, query: Query[R], params: Params) -> R | None: ...

    async def gather(self, query: Query[R], rows: Sequence[Params]) -> list[R]:
        """Run one statement for each set of values and return all rows that came back, in any order."""
        ...


class CameSecond(Exception):
    """Another process was first: what a unit has read holds no more. It is taken back whole, and runs again on what is there now.

    For who would else have to lock rows late, while it holds others: whoever locks all of them in one order never waits in a circle.
    """


class Unit:
    """What one caller wants committed, and the future that answers it."""

    __slots__ = ("asks", "error", "future", "is_flushed", "is_patient", "result", "statements", "work")

    def __init__(
        self,
        future: asyncio.Future[Any],
        statements: Sequence[tuple[Query, Params]],
        work: Work | None,
        *,
        patient: bool = False,
        flushed: bool = True,
        asks: Sequence[Query] = (),
    ) -> None:
        self.future = future
        self.statements = statements
        self.work = work
        self.is_patient = patient
        self.is_flushed = flushed or not patient
        # All that its function asks, if it says so.
        self.asks = asks
        self.result: Any = None
        self.error: BaseException | None = None


async def perform(tx: Tx, batch: Sequence[Unit]) -> None:
    """Run a batch inside an open transaction: plain statements first, grouped, then the functions in order."""
    groups: dict[Query, list[Params]] = {}
    for unit in batch:
        for query, params in unit.statements:
            groups.setdefault(query, []).append(params)
    for query, rows in groups.items():
        if query.tells:
            told = {row[query.tells]: row for row in await tx.gather(query, rows)}
            _hand_out(batch, query, told)
        else:
            await tx.many(query, rows)
    for unit in batch:
        unit.error = None
        if unit.work is not None:
            await _attempt(tx, unit, unit.work)


def _hand_out(batch: Sequence[Unit], query: Query, told: Mapping[Any, Row]) -> None:
    for unit in batch:
        for asked, params in unit.statements:
            if asked is query:
                unit.result = told[params[query.tells]]


async def _attempt(tx: Tx, unit: Unit, work: Work) -> None:
    writes_before = tx.writes
    try:
        unit.result = await work(tx)
    except Problem as problem:
        if tx.writes != writes_before:
            raise
        unit.error = problem


def settle(batch: Sequence[Unit]) -> None:
    """Answer every caller of a batch. Runs in the event loop."""
    for unit in batch:
        if unit.future.done():
            continue
        if unit.error is not None:
            unit.future.set_exception(unit.error)
        else:
            unit.future.set_result(unit.result)
