"""What guests and waiters are told: about orders, what is missing in them, what comes after, paying and delivery."""

from __future__ import annotations

from tablegram.values.words import Words

WORDS = Words(__file__)
speak = WORDS.of
