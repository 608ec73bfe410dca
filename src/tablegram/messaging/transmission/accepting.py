"""What the network took is written down together: one statement for the states, one for the events that tell of them.

A line sends many at once, and their answers come at once; each alone would cost the store several statements in a row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tablegram.engine.timers import Tasks
from tablegram.errors import Unavailable
from tablegram.messaging.store import messages as store
from tablegram.messaging.transmission.outcomes import Attempt, Conclusion
from tablegram.storage.database import Database, Params, Query, Statement, Tx

# More at once would let others wait for the same commit.
MOST = 64
# For so long the first one waits for others: answers to what began together come within milliseconds of each other.
GATHER_S = 0.005


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A message that the network took by a line."""

    attempt: Attempt
    conclusion: Conclusion
    instance_id: int
    written: asyncio.Future[None]


# The events that tell of it.
News = Callable[[Attempt, Conclusion, int], Sequence[Statement]]


class Accepting:
    def __init__(self, db: Database, tasks: Tasks, news: News) -> None:
        self._db = db
        self._tasks = tasks
        self._news = news
        self._waiting: list[Taken] = []
        self._is_writing = False

    async def put(self, attempt: Attempt, conclusion: Conclusion, instance_id: int) -> None:
        """Returns after the commit."""
        written = asyncio.get_running_loop().create_future()
        self._waiting.append(Taken(attempt, conclusion, instance_id, written))
        if not self._is_writing:
            self._is_writing = True
            self._tasks.spawn("what the network took", self._write_all())
        await written

    async def _write_all(self) -> None:
        batch: list[Taken] = []
        try:
            while self._waiting:
                if len(self._waiting) < MOST:
                    await asyncio.sleep(GATHER_S)
                batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                await self._write(batch)
        except asyncio.CancelledError:
            for one in (*batch, *self._waiting):
                one.written.cancel()
            raise
        finally:
            self._is_writing = False

    async def _write(self, batch: list[Taken]) -> None:
        try:
            # Nobody waits for it but the next message to the same people.
            await self._db.write(lambda tx: self._settle(tx, batch), patient=True)
        except Exception as error:
            if len(batch) == 1 or isinstance(error, Unavailable):
                for one in batch:
                    if not one.written.done():
                        one.written.set_exception(error)
                return
            for one in batch:
                # A bad one fails alone.
                await self._write([one])
            return
        for one in batch:
            if not one.written.done():
                one.written.set_result(None)

    async def _settle(self, tx: Tx, batch: list[Taken]) -> None:
        told = await tx.gather(store.ACCEPTED_NOW, [one.conclusion.statement[1] for one in batch])
        new = {row["id"] for row in told}
        rows: dict[Query, list[Params]] = {}
        for one in batch:
            # A callback may have been faster; then there is nothing left to tell.
            if one.attempt.key in new:
                for query, params in self._news(one.attempt, one.conclusion, one.instance_id):
                    rows.setdefault(query, []).append(params)
        for query, several in rows.items():
            await tx.many(query, several)
