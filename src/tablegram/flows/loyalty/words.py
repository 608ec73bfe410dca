"""What guests are told about their points and coupons, in the languages that the product speaks."""

from __future__ import annotations

from tablegram.values.words import Words

WORDS = Words(__file__)
speak = WORDS.of
