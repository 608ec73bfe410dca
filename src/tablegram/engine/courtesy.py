"""Who does a piece of much work that nobody waits for lets somebody pass who is waited for.

A guest's message takes some steps, each short: it is kept, read, answered, sent. Between two of them the store is free for
a moment, and a piece of a campaign that began just then would stand in the way of the next. So whoever waits for somebody
says so, and such a piece begins when they are through, or after a while all the same.
"""

from __future__ import annotations

import asyncio
import time

# What a guest's message takes from its coming until its answer goes out, and from a step of it until the next; and what a
# message takes that a program sends.
WHOLE_S, STEP_S, MOMENT_S = 0.05, 0.02, 0.005
# Where guests never end, the others wait no longer than this for a piece.
AT_MOST_S = 0.1


class Courtesy:
    """Of one process: others have threads and connections of their own."""

    def __init__(self) -> None:
        self._until = 0.0

    def passing(self, for_s: float = WHOLE_S) -> None:
        """Somebody is on their way who is waited for."""
        self._until = max(self._until, time.monotonic() + for_s)

    def wait_s(self) -> float:
        """Seconds until nobody is on their way, as far as anybody knows."""
        return self._until - time.monotonic()

    async def let_pass(self) -> None:
        """Return when nobody is on their way, or after a while."""
        latest = time.monotonic() + AT_MOST_S
        # No bell: they are through when nothing was heard of them for a while.
        while (wait_s := min(self._until, latest) - time.monotonic()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(wait_s)


COURTESY = Courtesy()
