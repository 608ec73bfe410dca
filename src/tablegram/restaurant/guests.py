"""What holds for guests: how long what they said, ordered or were asked still counts, and what an address is."""

from __future__ import annotations

from tablegram.values.clock import HOUR_MS

# What was held up for longer is not cooked without asking: its guest may have gone.
MAX_AGE_MS = HOUR_MS
# So long an answer to "where is it for?" is one.
ASKED_MS = HOUR_MS
# So long after their last order a guest still sits at the same table.
SITS_MS = 3 * HOUR_MS
# So long an address or a place belongs to the delivery before it.
DELIVERS_MS = 6 * HOUR_MS
MIN_ADDRESS, MAX_ADDRESS = 8, 300


def is_late(written_at: int, now: int) -> bool:
    """Whether a text waited so long on its way that nobody may want any more what it says."""
    return now - written_at > MAX_AGE_MS


def is_address(text: str) -> bool:
    """Whether words that are expected to be an address look like one."""
    return MIN_ADDRESS <= len(text) <= MAX_ADDRESS and any(sign.isdigit() for sign in text)
