"""Retries as data: how long to wait after each failure, and when it is enough."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tablegram.values.clock import CLOCKS_MS

_CHANCE = random.Random()


@dataclass(frozen=True, slots=True)
class Retries:
    # Seconds after the 1st, 2nd … failure; after the last of them it stays at that.
    after_s: tuple[float, ...]
    # The part of a wait by which it may be shorter or longer, so that many do not come back at once.
    jitter: float = 0.0
    # After so many attempts, or so long after it was made, a thing is given up.
    max_attempts: int | None = None
    max_age_ms: int | None = None
    # Who is asked may ask for patience, but for no longer than this.
    max_asked_s: float = 86_400.0

    def wait_s(self, attempts: int, asked_s: float | None = None, chance: random.Random = _CHANCE) -> float:
        """How long to wait after the `attempts`-th failure, when the other side has asked for `asked_s`."""
        wait = self.after_s[min(max(attempts, 1), len(self.after_s)) - 1]
        if self.jitter:
            wait *= chance.uniform(1 - self.jitter, 1 + self.jitter)
        return wait if asked_s is None else max(wait, min(asked_s, self.max_asked_s))

    def next_ms(self, attempts: int, now_ms: int, asked_s: float | None = None, chance: random.Random = _CHANCE) -> int:
        """When to try again after the `attempts`-th failure."""
        return now_ms + int(self.wait_s(attempts, asked_s, chance) * 1_000)

    def latest_ms(self) -> int:
        """How far ahead a next try may lie. One that lies further was reckoned by a clock that has been set back since."""
        return int(max(self.after_s) * (1 + self.jitter) * 1_000) + CLOCKS_MS

    def is_over(self, attempts: int, created_at: int, now_ms: int) -> bool:
        """Whether it has had its attempts or its time."""
        if self.max_attempts is not None and attempts >= self.max_attempts:
            return True
        return self.max_age_ms is not None and now_ms - created_at >= self.max_age_ms
