"""How guests say how it was, and for how long what they say belongs to what they were asked."""

from __future__ import annotations

import re

from tablegram.values.clock import DAY_MS, HOUR_MS

# A bare number answers a question of the last days; a tap names its question.
ASKED_MS = 3 * DAY_MS
# What is written so soon after a rating belongs to it.
COMMENT_MS = HOUR_MS
MAX_COMMENT = 1_000
_FIGURE = re.compile(r"([1-5])\s*(?:/\s*5)?\s*[.!]?")
_STARS = re.compile(r"(?:[⭐★🌟]️?\s*){1,5}")


def read_figure(text: str) -> int | None:
    """A whole message that is nothing but a figure from 1 to 5, or so many stars."""
    bare = text.strip()
    if len(bare) > 20:
        return None
    found = _FIGURE.fullmatch(bare)
    if found is not None:
        return int(found[1])
    return sum(bare.count(star) for star in "⭐★🌟") if _STARS.fullmatch(bare) else None
