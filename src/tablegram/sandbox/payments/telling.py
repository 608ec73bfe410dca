"""Posts the signals of payments until each is answered, and ends what nobody paid in time."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time

import aiohttp

from tablegram.engine.timers import Bell
from tablegram.sandbox.payments.desk import Desk, Due
from tablegram.values.clock import DAY_MS, SECOND_MS, Clock

_log = logging.getLogger("tablegram.sandbox")
_TIMEOUT = aiohttp.ClientTimeout(total=10, connect=5)
# Longer than a post can take: another process on the same file leaves it alone until then.
_HOLD_MS = 15 * SECOND_MS
_MOST_ATTEMPTS = 3 * DAY_MS // (5 * SECOND_MS)
_LONGEST_WAIT_S = 60.0


class Teller:
    def __init__(self, desk: Desk, clock: Clock) -> None:
        self._desk = desk
        self._clock = clock
        self._bell = Bell()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        if self._task is None:
            self._bell = Bell()
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """What was not answered is in the file, and goes out at the next start."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task], timeout=1.5)

    def wake(self) -> None:
        self._bell.ring()

    async def _run(self) -> None:
        async with aiohttp.ClientSession(timeout=_TIMEOUT, headers={"User-Agent": "tablegram-sandbox"}) as session:
            while True:
                try:
                    wait_s = await self._round(session)
                except sqlite3.OperationalError:
                    # Somebody else holds the file for long.
                    _log.exception("signals of payments wait for the sandbox's file")
                    wait_s = 1.0
                if wait_s:
                    await self._bell.wait(wait_s)

    async def _round(self, session: aiohttp.ClientSession) -> float:
        """Post what is due; seconds until there is more to do."""
        self._desk.expire_due()
        due = self._desk.claim(_HOLD_MS)
        # Side by side, so that two equal signals really meet.
        await asyncio.gather(*(self._post(session, one) for one in due))
        return 0.0 if due else self._wait_s()

    def _wait_s(self) -> float:
        moments = [one for one in (self._desk.next_due_ms(), self._desk.next_expiry_ms()) if one is not None]
        if not moments:
            return _LONGEST_WAIT_S
        return min(max((min(moments) - self._clock.now_ms()) / 1_000, 0.02), _LONGEST_WAIT_S)

    async def _post(self, session: aiohttp.ClientSession, due: Due) -> None:
        way = self._desk.signed(due, int(time.time()))
        if way is None or due.attempts > _MOST_ATTEMPTS:
            self._desk.end_signal(due, "given up")
            return
        hook, headers = way
        try:
            async with session.post(hook, data=due.body.encode(), headers=headers, allow_redirects=False) as answer:
                error = "" if 200 <= answer.status < 300 else f"HTTP {answer.status}"
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as failure:
            error = str(failure) or type(failure).__name__
        if error:
            # 0.2, 0.4, 0.8 … and 5 s from then on.
            self._desk.postpone(due, min(200 << min(due.attempts - 1, 10), 5_000), error)
        else:
            self._desk.end_signal(due)
