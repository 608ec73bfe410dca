"""Rate limits of every listener: a token bucket for each key, kept as one figure (the generic cell rate algorithm).

The figure is the moment at which the bucket will be full again. A key that is not in the table has a
full bucket, so whatever has filled up can be forgotten at any time.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from tablegram.web.asgi import Field

# One entry is about 150 bytes; this many callers at once is far beyond what one process answers.
MAX_KEYS = 100_000
_FIRST_PRUNE = 1_024


class Decision(NamedTuple):
    """What to tell the caller. Seconds are whole and rounded up, as the header fields want them."""

    allowed: bool
    remaining: int
    reset_s: int
    retry_after_s: int


class Pace(NamedTuple):
    """So many in a second, and so many at once before that counts."""

    rate: float
    burst: int


class Limiter:
    """Not shared between processes: each one grants its own rate."""

    __slots__ = ("_full_at", "_max_keys", "_prune_at")

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._full_at: dict[str, float] = {}
        self._max_keys = max_keys
        self._prune_at = min(_FIRST_PRUNE, max_keys)

    def take(self, key: str, rate: float, burst: int, now: float) -> Decision:
        """Take one from the key's bucket. `rate` is per second, `now` any steady clock in seconds."""
        interval = 1.0 / rate
        whole = interval * burst
        before = self._full_at.get(key, 0.0) - now
        if before < 0.0:
            before = 0.0
        elif before > whole:
            # The limit was lowered; the caller is not locked out for what the former one had granted.
            before = whole
            self._full_at[key] = now + whole
        after = before + interval
        # Sums of fractions miss their mark by a hair; a thousandth of a request is forgiven.
        if after > whole + interval * 0.001:
            return Decision(False, 0, ceil(before), max(1, ceil(after - whole)))
        self._full_at[key] = now + after
        if len(self._full_at) > self._prune_at:
            self._prune(now)
        return Decision(True, max(0, int((whole - after) * rate + 0.001)), ceil(after), 0)

    def put_back(self, key: str, rate: float) -> None:
        """Undo one that was taken."""
        if key in self._full_at:
            self._full_at[key] -= 1.0 / rate

    def _prune(self, now: float) -> None:
        """Forget full buckets; with too many that are not, the longest known go first."""
        kept = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        excess = len(kept) - self._max_keys
        if excess >= 0:
            # Some room, so that the next newcomer does not prune again at once.
            for key in list(kept)[: excess + max(1, self._max_keys // 10)]:
                del kept[key]
        self._full_at = kept
        self._prune_at = min(self._max_keys, max(_FIRST_PRUNE, 2 * len(kept)))

    def __len__(self) -> int:
        return len(self._full_at)


def rate_fields(name: bytes, pace: Pace, decision: Decision) -> tuple[Field, Field]:
    """What a caller is told of the limit that it was counted by."""
    window_s = max(1, round(pace.burst / pace.rate))
    return (
        (b"ratelimit-policy", b'"%b";q=%d;w=%d' % (name, pace.burst, window_s)),
        (b"ratelimit", b'"%b";r=%d;t=%d' % (name, decision.remaining, decision.reset_s)),
    )
