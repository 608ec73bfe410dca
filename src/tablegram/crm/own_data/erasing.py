"""Erasing a person, as every part of the product is asked to: whom, what each must do, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from tablegram.storage.database import Tx


class PersonToErase(msgspec.Struct, frozen=True):
    """Whom to erase: the contact, those that were merged into it, every name of theirs, and what their things are called."""

    account_id: int
    contact_id: str
    ids: list[str]
    names: list[str]
    # What parts know them by besides, such as their orders.
    traces: list[str] = []

    @property
    def known_as(self) -> list[str]:
        """Everything that leads to them."""
        return [*self.ids, *self.names, *self.traces]


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Erased:
    """What one step took away."""

    count: int = 0
    # Up to where it looked, for the step that follows; 0 has that one look at everything.
    upto: int = 0
    # Called after the commit.
    told: Callable[[], None] = field(default=_nothing)


class Reach:
    """What an erasure does in one part. Each step is safe to repeat, because a crash may come after any of them."""

    # Under which the receipt counts what went; nothing is counted without a name.
    name = ""

    async def traces(self, tx: Tx, person: PersonToErase) -> list[str]:
        """What the part's rows about the person are called."""
        return []

    async def sweep(self, person: PersonToErase) -> Erased:
        """Before the transaction: what is large, or outside the store, piece by piece."""
        return Erased()

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        """In the transaction that erases the contact itself: the rest, and what came since `sweep`."""
        return Erased()
