"""What became of an attempt is written down, whatever happens to the store, and told to whom it concerns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from itertools import chain, repeat
from time import monotonic

from tablegram.engine.timers import Tasks
from tablegram.errors import Unavailable
from tablegram.messaging.ports import Announcer, Fault
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission import measures
from tablegram.messaging.transmission.accepting import Accepting
from tablegram.messaging.transmission.outcomes import Attempt, Conclusion
from tablegram.storage.database import Database, Statement, Tx
from tablegram.values.clock import Clock
from tablegram.values.watching import trail

# What the store did not take is tried again for so long by the clock: each try takes half a minute where the store is silent.
# It is less than the time after which a claim counts as stale.
AGAIN_FOR_S = 120.0
PAUSES_S = (0.1, 0.2, 0.5, 1.0, 2.0)

log = logging.getLogger("tablegram.drains")

Refund = Callable[[Tx, int, str], Awaitable[None]]
Settled = Callable[[LiveLine, Conclusion], Awaitable[None]]


class Recording:
    """`refund` gives back what a message cost; `settled` hears what an attempt told about the line itself."""

    def __init__(
        self, db: Database, clock: Clock, tasks: Tasks, *, refund: Refund, settled: Settled, announcer: Announcer,
        max_age_ms: int,
    ) -> None:  # fmt: skip
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._refund = refund
        self._settled = settled
        self._announcer = announcer
        self._max_age_ms = max_age_ms
        self._accepting = Accepting(db, tasks, self._news)

    async def commit(
        self,
        line: LiveLine | None,
        attempt: Attempt,
        conclusion: Conclusion,
        also: tuple[Statement, ...] = (),
        *,
        tell: int | None = None,
    ) -> None:
        """Write what became of an attempt, with what belongs to it; a message that failed costs nothing.

        The network has decided, so a store that is down changes nothing any more: the writing is made up for.
        `tell` names the line when the account does not hear of it in an answer, and is to get an event.
        """
        trail.step(f"message {conclusion.state}", attempt.trace, attempt.key, code=conclusion.code)
        if line is not None and conclusion.state == "sent" and attempt.expires_at:
            # A message expires so long after it could first go, also one that was to go later.
            waited_ms = self._clock.now_ms() - (attempt.expires_at - self._max_age_ms)
            measures.WAITED.took(waited_ms / 1_000, line.instance.kind)
        try:
            await self._write(attempt, conclusion, also, tell)
        except Unavailable:
            self._tasks.spawn(f"outcome of {attempt.key}", self._write_later(attempt, conclusion, also, tell))
            return
        except Exception:
            if line is None or not await self._is_named_twice(line, attempt, conclusion):
                raise
            log.warning("the network named message %s as another one: it is kept without that name", attempt.key)
            await self._write(attempt, conclusion.unnamed(), also, tell)
        if line is not None and _is_news(line, conclusion):
            await self._settled(line, conclusion)

    async def _is_named_twice(self, line: LiveLine, attempt: Attempt, conclusion: Conclusion) -> bool:
        """Whether another message of the line has the name already that the network gave to this one."""
        if conclusion.state != "sent" or not conclusion.network_id:
            return False
        named = {
            "b_account": attempt.account_id, "b_instance": line.instance.id, "b_network_id": conclusion.network_id
        }  # fmt: skip
        found = await self._db.first(store.GET_BY_LINE_AND_NETWORK_ID, named)
        return found is not None and found["id"] != attempt.key

    def _write(
        self, attempt: Attempt, conclusion: Conclusion, also: tuple[Statement, ...], tell: int | None
    ) -> Awaitable[None]:
        if conclusion.state == "queued" or (conclusion.state == "sent" and tell is None):
            return self._db.put(conclusion.statement, *also)
        return self._write_and_tell(attempt, conclusion, also, tell)

    async def _write_and_tell(
        self, attempt: Attempt, conclusion: Conclusion, also: tuple[Statement, ...], tell: int | None
    ) -> None:
        if tell is not None:
            await self._announcer.refresh(attempt.account_id)
        if tell is not None and conclusion.state == "sent" and not also:
            await self._accepting.put(attempt, conclusion, tell)
        else:
            await self._db.write(lambda tx: self._settle(tx, attempt, conclusion, also, tell))
        if tell is not None:
            self._announcer.planned(attempt.account_id)

    async def _write_later(
        self, attempt: Attempt, conclusion: Conclusion, also: tuple[Statement, ...], tell: int | None
    ) -> None:
        """Again and again for two minutes. After that the claim is stale, and the outcome in doubt as after a crash."""
        until = monotonic() + AGAIN_FOR_S
        for wait_s in pauses():
            await asyncio.sleep(wait_s)
            try:
                await self._write(attempt, conclusion, also, tell)
                return
            except Unavailable:
                if monotonic() >= until:
                    break
        log.error("the outcome of message %s could not be written: the store is down", attempt.key)

    async def _settle(
        self, tx: Tx, attempt: Attempt, conclusion: Conclusion, also: tuple[Statement, ...], tell: int | None
    ) -> None:
        query, params = conclusion.statement
        # A callback may have been faster; then there is nothing left to do or to tell.
        if await tx.run(query, params):
            if conclusion.state == "failed":
                await self._refund(tx, attempt.account_id, attempt.key)
            if tell is not None:
                also += tuple(self._news(attempt, conclusion, tell))
        for query, params in also:
            await tx.run(query, params)

    def _news(self, attempt: Attempt, conclusion: Conclusion, instance_id: int) -> list[Statement]:
        error: Fault | None = None
        if conclusion.state == "failed":
            error = {"code": conclusion.code, "detail": conclusion.detail, "network_code": conclusion.network_code}
        return self._announcer.changed(
            attempt.account_id,
            instance_id,
            attempt.key,
            conclusion.network_id or None,
            attempt.phone,
            "",
            conclusion.state,
            self._clock.now_ms(),
            error,
            attempt.trace,
        )


def pauses() -> Iterator[float]:
    """How long to wait before each further try; without an end."""
    return chain(PAUSES_S, repeat(PAUSES_S[-1]))


def _is_news(line: LiveLine, conclusion: Conclusion) -> bool:
    """Whether an attempt says something else of the line than is known; one success does not make it healthy."""
    if conclusion.line_state == "connected" and line.instance.state == "degraded":
        return False
    return conclusion.line_state not in (None, line.instance.state)
