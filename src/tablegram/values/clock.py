"""Time as the product keeps it: whole milliseconds since 1970 in UTC."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import overload

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
# By so much clocks of two processes may differ, and one may be put right, without anything being wrong.
CLOCKS_MS = MINUTE_MS


class Clock:
    """The wall clock. Tests give the product one that they can move."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


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
