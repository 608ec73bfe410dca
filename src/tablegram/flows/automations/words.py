"""What the product itself says around a question how it was."""

from __future__ import annotations

from tablegram.values.words import Words

WORDS = Words(__file__)
speak = WORDS.of
