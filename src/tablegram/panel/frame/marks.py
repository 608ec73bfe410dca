"""The marks that people put around words of a message, as the network's own apps show them."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

# A mark counts when it hugs what it marks and no letter touches it from outside: "2*3*4" stays as it is.
_MARKS = (("*", "strong"), ("_", "em"), ("~", "s"), ("`", "code"))
_PATTERNS = tuple(
    (
        re.compile(
            rf"(?<![\w{re.escape(mark)}]){re.escape(mark)}(?=\S)([^{re.escape(mark)}\n]+?)(?<=\S){re.escape(mark)}(?!\w)"
        ),
        name,
    )
    for mark, name in _MARKS
)


def mark_up(text: str) -> Markup:
    """A message's text with bold, italic, struck and code words. Everything else is escaped."""
    shown = str(escape(text))
    for pattern, name in _PATTERNS:
        shown = pattern.sub(rf"<{name}>\1</{name}>", shown)
    return Markup(shown)
