"""Connections that have fallen silent. A route that is gone tells nobody: who waits for an answer would wait for ever.

A server that lives answers each statement within the time it is given for one. And the short ones that keep a process's heart
beating come so often that their silence alone tells of the route: nothing that was connected before it is of use any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

log = logging.getLogger("tablegram.storage")

# The server ends a statement that takes longer, and says so.
STATEMENT_S = 30.0
# One that says nothing for longer than that is not there any more.
SILENT_S = STATEMENT_S + 5
# What is committed beside the groups is short, and the heart of the process beats there.
SHORT_SILENT_S = 10.0
LOOK_S = 1.0
# Whoever looks later than this was kept from it: what has come meanwhile is read first.
LATE_S = 3 * LOOK_S
# When the route is gone, only who has just begun may have found another.
FRESH_S = 2 * LOOK_S


class Asking(Protocol):
    """Who waits for the server's answers, one after the other."""

    # How many it has asked for.
    steps: int

    def abort(self) -> None:
        """Hang up; whoever waits hears that the connection is gone."""


class Silence:
    """`gone` is called when the route is."""

    def __init__(self, gone: Callable[[], None]) -> None:
        self._gone = gone
        self._asking: dict[Asking, bool] = {}
        # At which step it was first seen, and when.
        self._since: dict[Asking, tuple[int, float]] = {}
        self._looked_at = 0.0

    def begin(self, who: Asking, *, is_short: bool = False) -> None:
        self._asking[who] = is_short

    def end(self, who: Asking) -> None:
        self._asking.pop(who, None)

    async def watch_forever(self) -> None:
        loop = asyncio.get_running_loop()
        self._looked_at = loop.time()
        while True:
            await asyncio.sleep(LOOK_S)
            self.look(loop.time())

    def look(self, now: float) -> None:
        """Hang up where nothing has been heard for too long."""
        since = {} if now - self._looked_at > LATE_S else self._since
        self._looked_at = now
        self._since = {
            who: since[who] if who in since and since[who][0] == who.steps else (who.steps, now) for who in self._asking
        }
        silent_s = {who: now - at for who, (_, at) in self._since.items()}
        is_gone = any(silent > SHORT_SILENT_S for who, silent in silent_s.items() if self._asking[who])
        longest_s = FRESH_S if is_gone else SILENT_S
        for who, silent in silent_s.items():
            if silent > longest_s:
                log.warning("the store has not answered for %.0f s: its connection is given up", silent)
                self.end(who)
                who.abort()
        if is_gone:
            self._gone()
