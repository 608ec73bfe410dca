"""Time as the product keeps it: whole milliseconds since 1970 in UTC."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Annotated, overload

from msgspec import Meta

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
# By so much clocks of two processes may differ, and one may be put right, without anything being wrong.
CLOCKS_MS = MINUTE_MS
# Every change by page, API or command acts within 5 s in every process: a look at the store that old is old enough.
FRESH_S = 2.0


class Clock:
    """The wall clock. Tests give the product one that they can move."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


# What the clocks of well kept machines differ by anyway.
AGREES_MS = 20
# By so much it is put right each time that it is told, so that nobody sees it jump.
STEP_MS = 1
# What differs by more is wrong, and put right at once.
WRONG_MS = SECOND_MS


class SharedClock(Clock):
    """What processes of several machines agree on: the time that one of all tells them, carried on by a steady clock.

    Between two changes it never goes back. Until it has been told the time, it is the wall clock.
    """

    def __init__(self) -> None:
        self._ahead_ms: int | None = None
        self._last_ms = 0

    def now_ms(self) -> int:
        if self._ahead_ms is None:
            return super().now_ms()
        now_ms = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000 + self._ahead_ms
        if now_ms < self._last_ms:
            return self._last_ms
        self._last_ms = now_ms
        return now_ms

    def hear(self, now_ms: int, steady_ms: int, unsure_ms: int) -> None:
        """It was `now_ms` when the steady clock showed `steady_ms`, give or take `unsure_ms`."""
        ahead_ms = now_ms - steady_ms
        off_ms = 0 if self._ahead_ms is None else ahead_ms - self._ahead_ms
        if self._ahead_ms is None or abs(off_ms) > unsure_ms + WRONG_MS:
            self._ahead_ms, self._last_ms = ahead_ms, 0
        elif abs(off_ms) > unsure_ms + AGREES_MS:
            self._ahead_ms += STEP_MS if off_ms > 0 else -STEP_MS


# Moments and days in an answer, as `iso` writes them.
MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
DayText = Annotated[str, Meta(extra_json_schema={"format": "date"})]


@overload
def iso(at_ms: int) -> str: ...
@overload
def iso(at_ms: int | None) -> str | None: ...
def iso(at_ms: int | None) -> str | None:
    """RFC 3339 in UTC with milliseconds, as the API shows every time."""
    if at_ms is None:
        return None
    moment = datetime.fromtimestamp(at_ms / 1_000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
