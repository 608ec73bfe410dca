"""What the restaurant asks of whoever reads guests' texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tablegram.restaurant.reading import Reading, Vocabulary
from tablegram.restaurant.rows.readers import Trouble


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to be read, and everything that a reader is told about it. Nothing of it says who wrote it."""

    text: str
    # The menu is all that can be named.
    vocabulary: Vocabulary
    # The guest's, two letters.
    language: str
    at_ms: int
    # What is known of the place: the kinds of order that the venue takes.
    order_types: tuple[str, ...] = ("dine_in",)


@dataclass(frozen=True, slots=True)
class Read:
    """What came of it. `reading` is nothing where the text was not read: the reader says it is no order, or `trouble`."""

    reading: Reading | None = None
    trouble: Trouble | None = None
    # What it cost, or may have cost where nobody told.
    tokens: int = 0


class Reader(Protocol):
    # The most tokens that one text can cost.
    most_tokens: int

    @property
    def is_resting(self) -> bool:
        """Whether it is not asked now, because it failed so often."""
        ...

    async def read(self, wanted: Wanted) -> Read:
        """Never inside a transaction: it may take seconds. Whatever goes wrong is a trouble, and nothing is raised."""
        ...
