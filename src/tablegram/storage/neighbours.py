"""What processes on one database tell each other at once, so that nobody has to wait for the next look.

A word is a hint and no more: whoever hears it looks at the store, and looks now and then anyway. So nothing is lost with
a word that does not arrive, and a process that says nothing delays nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

log = logging.getLogger("tablegram.storage")

Listener = Callable[[str], None]

CHANNEL = "tablegram"
# The first word goes out at once; those that follow are gathered, so that a busy process costs the server little.
GATHER_S = 0.05
# The server takes 8,000 bytes in one notification.
MAX_BYTES = 7_900
# More than these wait only while the server is away; whoever would hear them then looks by itself.
MAX_WAITING = 2_000
# A connection that a firewall has dropped is silent for ever, unless it is asked.
PROBE_EVERY_S = 15.0
TRY_AGAIN_S = 2.0


class Neighbours:
    """Nobody: a database in a file is served by one process."""

    def listen(self, listener: Listener) -> None:
        """Hear what other processes tell."""

    def tell(self, word: str) -> None:
        """Tell every other process a word of one line. Waits for nothing, and may be in vain."""

    async def attend(self) -> None:
        """Listen and tell for as long as the process runs."""


class PostgresNeighbours(Neighbours):
    def __init__(self, connect: Callable[[], Awaitable[Any]]) -> None:
        self._connect = connect
        self._listeners: list[Listener] = []
        # In the order in which they came, each once.
        self._waiting: dict[str, None] = {}
        self._wake = asyncio.Event()

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def tell(self, word: str) -> None:
        if len(self._waiting) < MAX_WAITING:
            self._waiting[word] = None
            self._wake.set()

    async def attend(self) -> None:
        is_well = True
        while True:
            try:
                await self._talk()
            except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError) as error:
                # Said once; the store itself tells of its troubles wherever it is needed.
                log.log(logging.WARNING if is_well else logging.DEBUG, "other processes are not heard: %s", error)
                is_well = False
            else:
                is_well = True
            self._waiting.clear()
            await asyncio.sleep(TRY_AGAIN_S)

    async def _talk(self) -> None:
        """Until the connection breaks."""
        connection = await self._connect()
        try:
            me = connection.get_server_pid()

            def heard(_: object, teller: int, __: object, words: str) -> None:
                if teller != me:
                    self._heard(words)

            connection.add_termination_listener(lambda _: self._wake.set())
            await connection.add_listener(CHANNEL, heard)
            while not connection.is_closed():
                try:
                    async with asyncio.timeout(PROBE_EVERY_S):
                        await self._wake.wait()
                except TimeoutError:
                    await connection.fetchval("select 1", timeout=PROBE_EVERY_S)
                    continue
                self._wake.clear()
                for words in self._gathered():
                    await connection.execute("select pg_notify($1, $2)", CHANNEL, words)
                await asyncio.sleep(GATHER_S)
        finally:
            await _let_go(connection)

    def _gathered(self) -> list[str]:
        """What waits, in as few notifications as it fits into."""
        words, self._waiting = list(self._waiting), {}
        together: list[str] = []
        room = 0
        for word in words:
            size = len(word.encode()) + 1
            if size > MAX_BYTES:
                continue
            if size > room:
                together.append(word)
                room = MAX_BYTES - size
            else:
                together[-1] += f"\n{word}"
                room -= size
        return together

    def _heard(self, words: str) -> None:
        for word in words.split("\n"):
            for listener in self._listeners:
                try:
                    listener(word)
                except Exception:
                    log.exception("a word of another process was not understood")


async def _let_go(connection: Any) -> None:
    try:
        await connection.close(timeout=1)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        connection.terminate()
