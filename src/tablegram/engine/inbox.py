"""Everything from outside: stored raw and once, answered, and worked on afterwards."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from sqlalchemy import BigInteger, and_, bindparam, func, or_, select, update

from tablegram.engine import crash_points
from tablegram.engine.courtesy import COURTESY, STEP_S
from tablegram.engine.drains import Drain, Work
from tablegram.engine.purging import Purge, among_oldest, old_rows
from tablegram.engine.retries import Retries
from tablegram.engine.rows import Backlog, Counted, InboxRow, NamedBody, NewBody, TakenBody
from tablegram.engine.together.turns import Turns
from tablegram.errors import Unavailable
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox
from tablegram.values.clock import CLOCKS_MS, DAY_MS, Clock
from tablegram.values.watching.measures import WAIT_S, Seconds

log = logging.getLogger("tablegram.inbox")

BATCH = 200
IDLE_S = 1.0
# So long a body waits for its turn before it is looked again whose it is.
TURN_S = 0.02
# Of who is alone, when the last look found nothing: what comes in rings, so that only what failed waits for the next look.
QUIET_S = 2.0
# A clock that was set back is noticed at once by whoever has it; what a clock elsewhere has dated is looked for this often.
MISDATED_S = 30.0
# When so many came in while the last ones were worked on, the next ones wait for company, the longer the more they
# were: working on many at once costs much less for each of them, and leaves more time to answer the network.
CROWD = 8
GATHER_EACH_S = 0.000_5
MAX_GATHER_S = 0.03
# What nobody waits for is worked on so many at a time, and rests for so long between two times unless there are as many: who
# writes meanwhile waits until it is done. While somebody is on their way it rests on, up to the longest time.
UNAWAITED, REST_S, LONGEST_REST_S = 40, 0.1, 0.4
MAX_FRESH = 5_000
LEFT_ALONE_MS = 2_000
MAX_RECENT = 20_000
# A body that always fails is put aside after these tries; it stays readable, with its error.
MAX_ATTEMPTS = 8
RETRIES = Retries((0.5, 2, 10, 60, 300, 900, 3_600), max_attempts=MAX_ATTEMPTS)
LAG = Seconds("callback_lag_seconds", "Seconds from a callback until what it says is worked on.", WAIT_S)


class Handler(Protocol):
    """Works on bodies of one kind of source, many at a time."""

    def writers(self, row: NamedBody) -> frozenset[bytes]:
        """Whose messages are in a body, as they stand there: theirs are told in the order in which they came."""
        ...

    def is_awaited(self, row: NamedBody) -> bool:
        """Whether somebody waits for what comes of a body: not for what a network says of messages that were sent."""
        ...

    async def prepare(self, rows: Sequence[TakenBody]) -> None:
        """Read what the work needs to know, before the transaction."""
        ...

    async def apply(self, tx: Tx, rows: Sequence[TakenBody]) -> None:
        """Do the work, all of it inside the transaction."""
        ...

    def done(self, rows: Sequence[TakenBody]) -> None:
        """The work is committed."""
        ...


_KEPT = ("account_id", "source", "external_id", "body", "received_at", "due_at")
_STORE = Query(
    lambda insert: (
        insert(inbox).values(columns(inbox, *_KEPT)).on_conflict_do_nothing(index_elements=["source", "external_id"])
    ),
    bulk=True,
    planned_once=True,
)
_PENDING = Query(
    across_accounts(
        select(inbox)
        .where(inbox.c.done_at.is_(None), inbox.c.due_at <= bindparam("before"))
        .order_by(inbox.c.due_at, inbox.c.id)
        .limit(BATCH),
        "the engine works for every account",
    ),
    row=InboxRow,
)
# The clock was set back since they came, or since their next try was reckoned: by it they would wait for hours.
_DUE_TOO_LATE = Query(
    across_accounts(
        select(inbox)
        .where(
            inbox.c.done_at.is_(None),
            inbox.c.due_at > bindparam("soon", type_=BigInteger),
            or_(inbox.c.attempts == 0, inbox.c.due_at > bindparam("latest", type_=BigInteger)),
        )
        .order_by(inbox.c.due_at, inbox.c.id)
        .limit(BATCH),
        "the clock is that of every account",
    ),
    row=InboxRow,
)
_WAITING = Query(
    select(func.count().label("n")).where(
        inbox.c.account_id == bindparam("account_id"), inbox.c.source == bindparam("source"), inbox.c.done_at.is_(None)
    ),
    row=Counted,
)
# Of all accounts, whoever works on it.
WAITING_IN_ALL = Query(
    across_accounts(
        select(func.count().label("n"), func.min(inbox.c.received_at).label("oldest")).where(inbox.c.done_at.is_(None)),
        "a look at the installation",
    ),
    row=Backlog,
)
_ONE = and_(
    inbox.c.account_id == bindparam("b_account"),
    inbox.c.source == bindparam("b_source"),
    inbox.c.external_id == bindparam("b_external"),
)
_DONE = Query(
    update(inbox).where(_ONE, inbox.c.done_at.is_(None)).values(done_at=bindparam("now"), error=None), bulk=True
)
_FAILED = Query(
    update(inbox)
    .where(_ONE)
    .values(
        attempts=bindparam("attempts"),
        due_at=bindparam("due_at"),
        done_at=bindparam("done_at"),
        error=bindparam("error"),
    )
)
PURGE = Purge(
    "callbacks",
    lambda settings: settings.inbox_days * DAY_MS,
    old_rows(inbox, and_(among_oldest(inbox.c.id), inbox.c.done_at < bindparam("before")), inbox.c.id),
)


class Inbox(Work):
    """One handler a kind of source; `cloud:12` is of the kind `cloud`. It is worked on in every process."""

    def __init__(
        self, db: Database, clock: Clock, handlers: dict[str, Handler], is_alone: Callable[[], bool] = lambda: True
    ) -> None:
        """`is_alone`: whether no other process takes anything in."""
        super().__init__()
        self._is_alone = is_alone
        self._db = db
        self._clock = clock
        self._handlers = handlers
        self.drain = Drain("inbox", self)
        self._looked_at = 0.0
        self._wait_s = IDLE_S
        # When what is misdated was last looked for: by a clock that only goes on, and by the one that may be set back.
        self._checked_at = -MISDATED_S
        self._checked_ms = 0
        # What this process has just stored is worked on without reading it back; the rest is found in the store.
        self._fresh: list[TakenBody] = []
        self._unseen = True
        self._recent: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._turns = Turns(db, self._recent, self._writers)
        # Of these, what nobody waits for, and when some of it was last worked on; and whether the others had the last turn.
        self._unawaited: list[TakenBody] = []
        self._unawaited_since = 0.0
        # Long ago, also on a machine that has just started.
        self._rested_at = -math.inf
        self._went_first = False

    async def store(self, account_id: int, source: str, body: bytes, external_id: str = "") -> None:
        """Keep what came in. The same thing again changes nothing; returns after the commit."""
        now = self._clock.now_ms()
        crash_points.reach("inbox.before_commit")
        row: NewBody = {
            "account_id": account_id,
            "source": source,
            "external_id": external_id or hashlib.sha256(body).hexdigest(),
            "body": body,
            "received_at": now,
            "due_at": now,
        }
        if self._is_awaited(row):
            COURTESY.passing()
        await self._db.put_aside((_STORE, row))
        crash_points.reach("inbox.committed")
        if self._remember(row):
            self.bell.ring()

    def _remember(self, row: NewBody) -> bool:
        """Work on it soon, unless it is one that came before: networks repeat themselves. Returns whether to look at once."""
        name = (row["source"], row["external_id"])
        if name in self._recent:
            return True
        self._recent[name] = None
        if len(self._recent) > MAX_RECENT:
            self._recent.popitem(last=False)
        if len(self._fresh) + len(self._unawaited) >= MAX_FRESH:
            self._unseen = True
            return True
        if self._is_awaited(row):
            self._fresh.append({**row, "attempts": 0})
            return True
        if not self._unawaited:
            self._unawaited_since = time.monotonic()
        self._unawaited.append({**row, "attempts": 0})
        return len(self._unawaited) in (1, UNAWAITED)

    async def waiting(self, account_id: int, source: str) -> int:
        """How many bodies of a source are not worked on yet."""
        row = await self._db.first(_WAITING, {"account_id": account_id, "source": source})
        return row["n"] if row else 0

    async def step(self) -> float:
        if time.monotonic() - self._looked_at >= self._wait_s:
            self._looked_at = time.monotonic()
            self._wait_s = IDLE_S if await self.drain_store() or not self._is_alone() else QUIET_S
        while self._rests_for_s() <= 0 and (worked := await self._drain_fresh()):
            if self._went_first and CROWD <= worked < BATCH:
                await asyncio.sleep(min(worked * GATHER_EACH_S, MAX_GATHER_S))
            if time.monotonic() - self._looked_at >= self._wait_s:
                return 0.0
        if self._fresh:
            return TURN_S
        return max(0.0, self._rests_for_s()) if self._unawaited else self._wait_s

    def _rests_for_s(self) -> float:
        """How long it is until there is something to do."""
        if self._fresh or not self._unawaited or self._are_others_due():
            return 0.0
        return self._others_rest_s()

    async def _drain_fresh(self) -> int:
        """Work on what just came in; returns how many bodies it was."""
        batch = self._take()
        if batch and not self._is_alone():
            try:
                batch, waiting = await self._turns.whose(batch)
            except BaseException:
                self._put_back(batch)
                raise
            self._put_back(waiting)
        if batch:
            try:
                await self._work(batch)
                if self._went_first:
                    COURTESY.passing(STEP_S)
            except Unavailable:
                # Nothing is wrong with them; they keep their places.
                self._put_back(batch)
                raise
        return len(batch)

    def _take(self) -> list[TakenBody]:
        """The next ones: those that somebody waits for, and where these do not end, the others in their turn."""
        if self._fresh and not (self._went_first and self._are_others_due()):
            self._went_first = True
            batch, self._fresh = self._fresh[:BATCH], self._fresh[BATCH:]
        else:
            self._went_first = False
            if self._unawaited:
                self._rested_at = self._unawaited_since = time.monotonic()
            batch, self._unawaited = self._unawaited[:UNAWAITED], self._unawaited[UNAWAITED:]
        return batch

    def _are_others_due(self) -> bool:
        return bool(self._unawaited) and self._others_rest_s() <= 0

    def _others_rest_s(self) -> float:
        """How long what nobody waits for still rests: also while somebody is on their way, but not for ever."""
        now = time.monotonic()
        rest_s = self._rested_at + REST_S - now if len(self._unawaited) < UNAWAITED else 0.0
        return max(rest_s, min(COURTESY.wait_s(), self._unawaited_since + LONGEST_REST_S - now))

    def _put_back(self, rows: list[TakenBody]) -> None:
        self._fresh = [row for row in rows if self._is_awaited(row)] + self._fresh
        self._unawaited = [row for row in rows if not self._is_awaited(row)] + self._unawaited

    def _is_awaited(self, row: NamedBody) -> bool:
        handler = self._handlers.get(row["source"].partition(":")[0])
        return handler is not None and handler.is_awaited(row)

    async def drain_store(self) -> int:
        """Work on what a former process left, what failed before, and what was too much to remember.

        What is in this process's memory is left alone while it is young. Should it be met twice all the same, the
        second time changes nothing.
        """
        total = await self._drain_misdated()
        while True:
            age_ms = 0 if self._unseen else LEFT_ALONE_MS
            self._unseen = False
            rows = await self._db.all(_PENDING, {"before": self._clock.now_ms() - age_ms})
            if rows:
                await self._work(rows)
            total += len(rows)
            if len(rows) < BATCH:
                return total
            self._unseen = True

    async def _drain_misdated(self) -> int:
        """Work on what waits by a clock that has been set back: it was due, or would be by now."""
        total, before_ms = 0, self._checked_ms
        self._checked_ms = self._clock.now_ms()
        if self._checked_ms >= before_ms and time.monotonic() - self._checked_at < MISDATED_S:
            return 0
        self._checked_at = time.monotonic()
        while True:
            now = self._clock.now_ms()
            rows = await self._db.all(_DUE_TOO_LATE, {"soon": now + CLOCKS_MS, "latest": now + RETRIES.latest_ms()})
            if not rows:
                return total
            log.warning("the clock was set back: %s bodies are due again", len(rows))
            await self._work(rows)
            total += len(rows)

    async def _work(self, rows: Sequence[TakenBody]) -> None:
        """All rows in one transaction; if that fails, each in one of its own, so that only the bad one waits."""
        try:
            lots = self._by_handler(rows)
            for handler, some in lots:
                await handler.prepare(some)
            crash_points.reach("inbox.before_apply")
            # Who writes to one guest shares no commit with many, nor with what nobody waits for.
            is_patient = len(rows) >= CROWD or not self._is_awaited(rows[0])
            await self._db.write(lambda tx: self._apply(tx, lots), patient=is_patient)
            crash_points.reach("inbox.applied")
        except Unavailable:
            raise
        except Exception as error:
            if len(rows) == 1:
                await self._put_aside(rows[0], error)
                return
            for row in rows:
                await self._work([row])
            return
        now = self._clock.now_ms()
        for row in rows:
            LAG.took((now - row["received_at"]) / 1_000)
        for handler, some in lots:
            handler.done(some)

    def _writers(self, row: NamedBody) -> frozenset[bytes]:
        handler = self._handlers.get(row["source"].partition(":")[0])
        return frozenset() if handler is None else handler.writers(row)

    def _handler(self, row: TakenBody) -> Handler:
        return self._handlers[row["source"].partition(":")[0]]

    def _by_handler(self, rows: Sequence[TakenBody]) -> list[tuple[Handler, list[TakenBody]]]:
        """Kinds of source that share a handler are one lot for it."""
        lots: dict[int, tuple[Handler, list[TakenBody]]] = {}
        for row in rows:
            handler = self._handler(row)
            lots.setdefault(id(handler), (handler, []))[1].append(row)
        return [*lots.values()]

    async def _apply(self, tx: Tx, lots: list[tuple[Handler, list[TakenBody]]]) -> None:
        now = self._clock.now_ms()
        for handler, rows in lots:
            await handler.apply(tx, rows)
            await tx.many(_DONE, [{**_which(row), "now": now} for row in rows])
        crash_points.reach("inbox.applying")

    async def _put_aside(self, row: TakenBody, error: Exception) -> None:
        attempts = row["attempts"] + 1
        now = self._clock.now_ms()
        # Its next try may come soon.
        self._wait_s = IDLE_S
        dead = RETRIES.is_over(attempts, row["received_at"], now)
        log.warning("a body of %s failed, try %s: %s", row["source"], attempts, type(error).__name__)
        params = {
            **_which(row),
            "attempts": attempts,
            "due_at": RETRIES.next_ms(attempts, now),
            "done_at": now if dead else None,
            "error": f"{type(error).__name__}: {error}"[:500],
        }
        await self._db.put((_FAILED, params))


def _which(row: TakenBody) -> dict[str, Any]:
    return {"b_account": row["account_id"], "b_source": row["source"], "b_external": row["external_id"]}
