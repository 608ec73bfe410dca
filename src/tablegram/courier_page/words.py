"""Words of the page, in the courier's language."""

from __future__ import annotations

from tablegram.values.words import LANGUAGES, Words

__all__ = ["LANGUAGES", "words"]

words = Words(__file__).of
