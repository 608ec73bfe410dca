"""Messages that this process has claimed and did not begin to send wait again, also when the store is away just then."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple, Self

from tablegram.engine.owners import Owner
from tablegram.engine.timers import Tasks
from tablegram.errors import Unavailable
from tablegram.messaging.rows.messages import Claimable, NewMessage
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission.recording import AGAIN_FOR_S, pauses
from tablegram.storage.connections.silence import STATEMENT_S
from tablegram.storage.database import Database, Tx
from tablegram.values.watching import trail

log = logging.getLogger("tablegram.drains")

# A claim that was given up may be seen later than the store answers others: what the server had begun, it may still end.
STILL_COMES_S = STATEMENT_S + 10
# In one transaction; others wait for it.
AT_ONCE = 100


class Claim(NamedTuple):
    """A message, and when this process marked it as its own: what it has claimed again since, it may be sending."""

    account_id: int
    key: str
    at_ms: int
    phone: str
    priority: int

    @classmethod
    def of(cls, row: Claimable, at_ms: int) -> Self:
        return cls(row["account_id"], row["id"], at_ms, row["phone"], row["priority"])


def claims_of(row: NewMessage) -> list[Claim]:
    """What is claimed with a message that is stored as it is; nothing where somebody else is to claim it."""
    return [] if row["claimed_at"] is None else [Claim.of(row, row["claimed_at"])]


class _Left:
    """A claim that is to be given back, and until when that is tried."""

    __slots__ = ("is_heard", "line", "until")

    def __init__(self, line: LiveLine) -> None:
        self.line = line
        self.until = monotonic() + AGAIN_FOR_S
        # Whether the store has said once that there is no such claim; it may come yet.
        self.is_heard = False


class Returning:
    """`wake` lets a line's drain look at once."""

    def __init__(self, db: Database, owner: Owner, tasks: Tasks, wake: Callable[[LiveLine], None]) -> None:
        self._db = db
        self._owner = owner
        self._tasks = tasks
        self._wake = wake
        self._left: dict[Claim, _Left] = {}
        self._task: asyncio.Task[None] | None = None

    async def give_back(self, line: LiveLine, claims: list[Claim]) -> None:
        """They wait again, in their old places; as soon as the store can be reached. Nobody who comes meanwhile overtakes them."""
        _begin(line, claims)
        try:
            await self._write(claims)
        except Unavailable:
            self._later(line, claims)
        except asyncio.CancelledError:
            self._later(line, claims)
            raise
        else:
            _end(line, claims)

    def left(self, error: BaseException, line: LiveLine, claims: list[Claim]) -> None:
        """The store was asked to claim them, and this came of it: where it fell silent it may have done so, and nobody is about to send them."""
        if isinstance(error, asyncio.CancelledError) or (isinstance(error, Unavailable) and not error.is_undone):
            self._later(line, claims)

    def _later(self, line: LiveLine, claims: list[Claim]) -> None:
        _begin(line, claims)
        self._left.update((one, _Left(line)) for one in claims)
        if self._left and (self._task is None or self._task.done()):
            self._task = self._tasks.spawn("messages given back", self._write_later())

    async def _write(self, claims: list[Claim]) -> list[Claim]:
        """Those that were claimed so, and wait now. Not among plain statements: these would pass a claim that waits with its key."""

        async def unit(tx: Tx) -> list[Claim]:
            return [one for one in claims if await tx.run(store.UNCLAIM, self._params(one))]

        return await self._db.write(unit)

    def _params(self, one: Claim) -> dict[str, object]:
        whose = {"b_owner": self._owner.id, "b_claimed_at": one.at_ms}
        return {"b_account": one.account_id, "b_id": one.key, **whose}

    async def _write_later(self) -> None:
        """All that is left, again and again; repeated, it changes nothing."""
        trail.follow("")
        for wait_s in pauses():
            await asyncio.sleep(wait_s)
            try:
                claims = list(self._left)
                for start in range(0, len(claims), AT_ONCE):
                    some = claims[start : start + AT_ONCE]
                    self._heard(some, await self._write(some))
            except Unavailable:
                pass
            self._give_up()
            if not self._left:
                return

    def _heard(self, asked: list[Claim], met: list[Claim]) -> None:
        for one in asked:
            left = self._left[one]
            if left.is_heard and one not in met:
                continue
            _end(left.line, [one])
            left.line.backlog = True
            self._wake(left.line)
            left.is_heard, left.until = True, monotonic() + STILL_COMES_S
        for one in met:
            del self._left[one]

    def _give_up(self) -> None:
        now = monotonic()
        ended = [one for one, left in self._left.items() if now >= left.until]
        unheard = 0
        for one in ended:
            left = self._left.pop(one)
            left.line.returning.gone(one.key)
            unheard += not left.is_heard
        if unheard:
            log.error("%s messages could not be given back: the store is down", unheard)


def _begin(line: LiveLine, claims: list[Claim]) -> None:
    """Whoever is for the same recipients waits: the store cannot tell yet that these are before them."""
    for one in claims:
        line.returning.storing(one.key, one.phone)


def _end(line: LiveLine, claims: list[Claim]) -> None:
    """The store tells it from now on, to who looks."""
    for one in claims:
        line.note_queued(one.key, one.phone, one.priority)
        line.queued.stored(one.key)
        line.returning.gone(one.key)
