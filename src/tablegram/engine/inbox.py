"""Everything from outside: stored raw and once, answered, and worked on afterwards."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy import bindparam, func, select, update

from tablegram.engine import crash_points
from tablegram.engine.timers import Bell
from tablegram.storage.database import Database, Query, Row, Tx
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox
from tablegram.values.clock import Clock

log = logging.getLogger("tablegram.inbox")

BATCH = 200
IDLE_S = 1.0
# A body that always fails is put aside after this many tries; it stays readable, with its error.
MAX_ATTEMPTS = 8
RETRY_MS = (0, 500, 2_000, 10_000, 60_000, 300_000, 900_000, 3_600_000)

Handler = Callable[[Tx, Row], Awaitable[None]]

_KEPT = ("account_id", "source", "external_id", "body", "received_at", "due_at")
_STORE = Query(
    lambda insert: (
        insert(inbox).values(columns(inbox, *_KEPT)).on_conflict_do_nothing(index_elements=["source", "external_id"])
    )
)
_PENDING = Query(
    across_accounts(
        select(inbox)
        .where(inbox.c.done_at.is_(None), inbox.c.due_at <= bindparam("now"))
        .order_by(inbox.c.due_at, inbox.c.id)
        .limit(BATCH),
        "the engine works for every account",
    )
)
_WAITING = Query(
    select(func.count().label("n")).where(
        inbox.c.account_id == bindparam("account_id"), inbox.c.source == bindparam("source"), inbox.c.done_at.is_(None)
    )
)
_DONE = Query(
    update(inbox)
    .where(inbox.c.account_id == bindparam("b_account"), inbox.c.id == bindparam("b_id"))
    .values(done_at=bindparam("now"), error=None)
)
_FAILED = Query(
    update(inbox)
    .where(inbox.c.account_id == bindparam("b_account"), inbox.c.id == bindparam("b_id"))
    .values(
        attempts=bindparam("attempts"),
        due_at=bindparam("due_at"),
        done_at=bindparam("done_at"),
        error=bindparam("error"),
    )
)


class Inbox:
    """One handler a kind of source; `cloud:12` is of the kind `cloud`."""

    def __init__(self, db: Database, clock: Clock, handlers: dict[str, Handler]) -> None:
        self._db = db
        self._clock = clock
        self._handlers = handlers
        self._bell = Bell()

    async def store(self, account_id: int, source: str, body: bytes, external_id: str = "") -> None:
        """Keep what came in. The same thing again changes nothing; returns after the commit."""
        now = self._clock.now_ms()
        crash_points.reach("inbox.before_commit")
        row = {
            "account_id": account_id,
            "source": source,
            "external_id": external_id or hashlib.sha256(body).hexdigest(),
            "body": body,
            "received_at": now,
            "due_at": now,
        }
        await self._db.put((_STORE, row))
        crash_points.reach("inbox.committed")
        self._bell.ring()

    async def waiting(self, account_id: int, source: str) -> int:
        """How many bodies of a source are not worked on yet."""
        row = await self._db.first(_WAITING, {"account_id": account_id, "source": source})
        return int(row["n"]) if row else 0

    async def drain_forever(self) -> None:
        while True:
            if await self.drain_once() < BATCH:
                await self._bell.wait(IDLE_S)

    async def drain_once(self) -> int:
        rows = await self._db.all(_PENDING, {"now": self._clock.now_ms()})
        if rows:
            await self._work(rows)
        return len(rows)

    async def _work(self, rows: list[Row]) -> None:
        """All rows in one transaction; if that fails, each in one of its own, so that only the bad one waits."""
        try:
            await self._db.write(lambda tx: self._apply(tx, rows))
            crash_points.reach("inbox.applied")
        except Exception as error:
            if len(rows) == 1:
                await self._put_aside(rows[0], error)
                return
            for row in rows:
                await self._work([row])

    async def _apply(self, tx: Tx, rows: list[Row]) -> None:
        now = self._clock.now_ms()
        for row in rows:
            kind = row["source"].partition(":")[0]
            await self._handlers[kind](tx, row)
        await tx.many(_DONE, [{"b_account": row["account_id"], "b_id": row["id"], "now": now} for row in rows])

    async def _put_aside(self, row: Row, error: Exception) -> None:
        attempts = row["attempts"] + 1
        now = self._clock.now_ms()
        dead = attempts >= MAX_ATTEMPTS
        log.warning("inbox %s of %s failed, try %s: %s", row["id"], row["source"], attempts, type(error).__name__)
        params = {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "attempts": attempts,
            "due_at": now + RETRY_MS[min(attempts, len(RETRY_MS) - 1)],
            "done_at": now if dead else None,
            "error": f"{type(error).__name__}: {error}"[:500],
        }
        await self._db.put((_FAILED, params))
