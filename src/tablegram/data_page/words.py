"""Words of the page."""

from __future__ import annotations

from tablegram.values.words import LANGUAGES, Words

__all__ = ["LANGUAGES", "words"]

words = Words(__file__).of
