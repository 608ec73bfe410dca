"""When a delivery is tried again, and when it is given up."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tablegram.values.clock import HOUR_MS

# Seconds after the 1st, 2nd … failure. A short outage costs seconds, a weekend is survived.
RETRY_S = (2, 5, 15, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
JITTER = 0.2
MAX_ATTEMPTS = 13
MAX_AGE_MS = 76 * HOUR_MS
# A receiver may ask for patience, but not for ever.
MAX_RETRY_AFTER_S = 86_400
# An endpoint with nothing but failures for so long is switched off.
DISABLE_AFTER_MS = 120 * HOUR_MS
# So many failures of one event are worth telling its owner.
WARN_AFTER = 4
REPLAYABLE_DAYS = 30
ROTATION_OVERLAP_MS = 24 * HOUR_MS


def next_attempt_ms(
    attempts: int, now_ms: int, retry_after_s: float | None, chance: random.Random, retry_s: Sequence[float] = RETRY_S
) -> int:
    """When to try again after the `attempts`-th failure."""
    planned = retry_s[min(max(attempts, 1), len(retry_s)) - 1]
    wait_s = planned * chance.uniform(1 - JITTER, 1 + JITTER)
    if retry_after_s is not None:
        wait_s = max(wait_s, min(retry_after_s, MAX_RETRY_AFTER_S))
    return now_ms + int(wait_s * 1_000)


def is_over(attempts: int, created_at: int, now_ms: int) -> bool:
    """Whether a delivery has had its attempts or its time."""
    return attempts >= MAX_ATTEMPTS or now_ms - created_at >= MAX_AGE_MS
