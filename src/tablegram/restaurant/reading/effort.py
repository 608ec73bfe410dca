"""How much work the reading of one text may be. It is counted and not timed: a busy machine reads the same as a quiet one."""

from __future__ import annotations

# Words, numbers and marks. A table of twenty that orders for everybody writes fewer.
MAX_WORDS = 160
# Different words that are not on the menu: talk has more of them, and no order so many typing errors.
MAX_STRANGE = 40
# A step looks at one dish or option for one word.
MAX_STEPS = 6_000


class TooMuch(Exception):
    """The text takes more effort than an order does. Never leaves the reader: such a text is no order."""


class Effort:
    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.steps = 0

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.most is not None and self.steps > self.most:
            raise TooMuch
