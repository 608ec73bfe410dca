"""Whose turn it is: few at once, one account after another, and never more waiting than there is room for."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tablegram.errors import TooMany, Unavailable

MB = 1_048_576
# Of one account, under way and waiting: a folder of photos sent at once, and what it holds in memory meanwhile.
MOST_OF_ONE, MOST_BYTES_OF_ONE = 16, 64 * MB
# Of all accounts together.
MOST_OF_ALL, MOST_BYTES_OF_ALL = 200, 256 * MB
# Who waits longer has long gone; an answer that says when to come again is worth more.
WAIT_S = 60.0
RETRY_S = 5


@dataclass(eq=False, slots=True)
class _Waiter:
    account_id: int
    size: int
    called: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Turns:
    """At most `most` at once; of one account one less, so that somebody else's never waits for all of its own."""

    def __init__(self, most: int, wait_s: float = WAIT_S) -> None:
        self._most = most
        self._most_of_one = max(1, most - 1)
        self._wait_s = wait_s
        self._working: Counter[int] = Counter()
        # By account, in the order in which accounts are called.
        self._waiting: dict[int, deque[_Waiter]] = {}
        self._held: Counter[int] = Counter()
        self._bytes: Counter[int] = Counter()
        self._is_closed = False

    @property
    def working(self) -> int:
        return self._working.total()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, account_id: int, size: int) -> AsyncIterator[None]:
        """Wait for the account's turn, with so many bytes in hand, and hold it."""
        self._admit(account_id, size)
        self._held[account_id] += 1
        self._bytes[account_id] += size
        try:
            await self._wait(account_id, size)
            try:
                yield
            finally:
                self._free(account_id)
        finally:
            self._held -= Counter({account_id: 1})
            self._bytes -= Counter({account_id: size})

    def close(self) -> None:
        """Send away whoever waits or comes."""
        self._is_closed = True
        for waiters in self._waiting.values():
            for waiter in waiters:
                if not waiter.called.done():
                    waiter.called.set_exception(closing())
        self._waiting.clear()

    def _admit(self, account_id: int, size: int) -> None:
        if self._is_closed:
            raise closing()
        if self._held[account_id] >= MOST_OF_ONE or self._bytes[account_id] + size > MOST_BYTES_OF_ONE:
            raise TooMany(
                "Too many files of this account are being read already. Send the next one when these are done.",
                code="files_busy", retry_after_s=RETRY_S,
            )  # fmt: skip
        if self._held.total() >= MOST_OF_ALL or self._bytes.total() + size > MOST_BYTES_OF_ALL:
            raise _full()

    async def _wait(self, account_id: int, size: int) -> None:
        waiter = _Waiter(account_id, size)
        self._waiting.setdefault(account_id, deque()).append(waiter)
        self._call()
        try:
            async with asyncio.timeout(self._wait_s):
                await waiter.called
        except BaseException as error:
            if waiter in self._waiting.get(account_id, ()):
                self._waiting[account_id].remove(waiter)
                if not self._waiting[account_id]:
                    del self._waiting[account_id]
            elif waiter.called.done() and not waiter.called.cancelled() and waiter.called.exception() is None:
                # It was called in the very moment in which it went away.
                self._free(account_id)
            if isinstance(error, TimeoutError):
                raise _full() from None
            raise

    def _free(self, account_id: int) -> None:
        self._working -= Counter({account_id: 1})
        self._call()

    def _call(self) -> None:
        """Call the next ones: the first of each account, in the order of the accounts."""
        while self._working.total() < self._most:
            account_id = next((one for one in self._waiting if self._working[one] < self._most_of_one), None)
            if account_id is None:
                return
            waiters = self._waiting.pop(account_id)
            waiter = waiters.popleft()
            if waiters:
                # Behind all others.
                self._waiting[account_id] = waiters
            if not waiter.called.done():
                self._working[account_id] += 1
                waiter.called.set_result(None)


def closing() -> Unavailable:
    return Unavailable("The server is about to restart. Send the file again in a moment.",
                       code="server_stopping", retry_after_s=RETRY_S)  # fmt: skip


def _full() -> Unavailable:
    return Unavailable(
        "Very many files are being read at the moment. Send this one again in a moment.",
        code="files_full", retry_after_s=RETRY_S,
    )  # fmt: skip
