"""When a delivery is tried again, and when it is given up."""

from __future__ import annotations

from tablegram.engine.retries import Retries
from tablegram.values.clock import HOUR_MS

# Seconds after the 1st, 2nd … failure. A short outage costs seconds, a weekend is survived.
RETRY_S: tuple[float, ...] = (2, 5, 15, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
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
RETRIES = Retries(RETRY_S, JITTER, MAX_ATTEMPTS, MAX_AGE_MS, MAX_RETRY_AFTER_S)
