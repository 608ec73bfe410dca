"""What the manager's phone is told about paper that does not come."""

from __future__ import annotations

from tablegram.values.words import Words

WORDS = Words(__file__)
