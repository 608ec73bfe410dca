"""What holds for guests: how long what they said, ordered or were asked still counts, and what an address is."""

from __future__ import annotations

from tablegram.values.clock import HOUR_MS, MINUTE_MS

# What was held up for longer is not cooked without asking: its guest may have gone.
MAX_AGE_MS = HOUR_MS
# So long an answer to "where is it for?" is one.
ASKED_MS = HOUR_MS
# So long after their last order a guest still sits at the same table.
SITS_MS = 3 * HOUR_MS
# So long an address or a place belongs to the delivery before it.
DELIVERS_MS = 6 * HOUR_MS
# So long somebody may take to choose after saying where they sit.
SAID_BEFORE_MS = 10 * MINUTE_MS
# An order that a guest just speaks of is not older.
SPOKEN_OF_MS = 12 * HOUR_MS
# So long after somebody of the team has written, the conversation is theirs.
BY_HAND_MS = 15 * MINUTE_MS
# Two machines that answer each other stop after so many messages in a while; a person who only asks needs fewer.
MAX_ANSWERS = 12
# A table that orders, asks for the bill and calls the waiter may need more, and comes to an end too.
MAX_NEEDED = 30
ANSWERS_WITHIN_MS = 10 * MINUTE_MS
MIN_ADDRESS, MAX_ADDRESS = 8, 300


def is_late(written_at: int, now: int) -> bool:
    """Whether a text waited so long on its way that nobody may want any more what it says."""
    return now - written_at > MAX_AGE_MS


def is_address(text: str) -> bool:
    """Whether words that are expected to be an address look like one."""
    return MIN_ADDRESS <= len(text) <= MAX_ADDRESS and any(sign.isdigit() for sign in text)
