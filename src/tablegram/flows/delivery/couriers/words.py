"""What couriers are told by message, in their language."""

from __future__ import annotations

from tablegram.values.words import Words

WORDS = Words(__file__)
speak = WORDS.of
