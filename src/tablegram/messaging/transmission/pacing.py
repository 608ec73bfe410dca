"""Pace: how fast a line may send, in all and to one recipient. What is over it waits, nothing is refused."""

from __future__ import annotations

import random

# Recipients whose bucket is full again are forgotten once this many are known.
_PRUNE_AT = 4_096
# Of a bucket: a tenth.
SPARE = 0.1


class Pace:
    """A bucket kept as one figure: the moment at which it is full again. Seconds of a steady clock."""

    __slots__ = ("_full_at", "_interval_s", "_jitter", "_spare_s", "_whole_s")

    def __init__(self, per_s: float, burst: float, jitter: float = 0.0) -> None:
        """`jitter`: the part of the interval by which each one is longer or shorter, by chance."""
        self._jitter = jitter
        self._interval_s = 1.0 / per_s
        self._whole_s = self._interval_s * burst
        # What many get at once leaves in the bucket, so that an order's message finds something there.
        self._spare_s = self._interval_s * min(burst * SPARE, burst - 1.0)
        self._full_at = 0.0

    def wait_s(self, now: float, *, sparing: bool = False) -> float:
        """Seconds until the next one may go, and with `sparing` until it leaves some for others; 0 when it may go now."""
        whole_s = self._whole_s - self._spare_s if sparing else self._whole_s
        over = max(self._full_at, now) + self._interval_s - now - whole_s
        # Sums of fractions miss their mark by a hair.
        return over if over > self._interval_s * 0.001 else 0.0

    def take(self, now: float) -> None:
        interval = self._interval_s
        if self._jitter:
            interval *= random.uniform(1 - self._jitter, 1 + self._jitter)
        self._full_at = max(self._full_at, now) + interval

    def is_full(self, now: float) -> bool:
        return self._full_at <= now


class RecipientPace:
    """One bucket for each recipient of a line."""

    __slots__ = ("_burst", "_paces", "_per_s", "_prune_at")

    def __init__(self, interval_s: float, burst: int) -> None:
        self._per_s = 1.0 / interval_s
        self._burst = burst
        self._paces: dict[str, Pace] = {}
        self._prune_at = _PRUNE_AT

    def wait_s(self, phone: str, now: float) -> float:
        pace = self._paces.get(phone)
        return 0.0 if pace is None else pace.wait_s(now)

    def take(self, phone: str, now: float) -> None:
        pace = self._paces.get(phone)
        if pace is None:
            pace = self._paces[phone] = Pace(self._per_s, self._burst)
        pace.take(now)
        if len(self._paces) > self._prune_at:
            self._prune(now)

    def _prune(self, now: float) -> None:
        self._paces = {phone: pace for phone, pace in self._paces.items() if not pace.is_full(now)}
        self._prune_at = max(_PRUNE_AT, 2 * len(self._paces))
