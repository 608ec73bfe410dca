"""What is kept sealed is sealed again when the installation gets another secret key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from tablegram.storage.database import Database
from tablegram.storage.query import Query
from tablegram.values.secrets import SecretBox

Row = TypeVar("Row", bound=Mapping[str, object])


async def seal_again(
    db: Database, box: SecretBox, rows: Query[Row], write: Query,
    sealed: Callable[[Row], Iterable[str]], fresh: Callable[[Row], dict[str, object]],
) -> int:  # fmt: skip
    """Write anew what another key than the present one sealed; how many secrets that were.

    `write` names what a row held before, so that a change made meanwhile stays.
    """
    count = 0
    for row in await db.all(rows):
        stale = sum(bool(text) and not box.is_current(text) for text in sealed(row))
        if stale:
            await db.put((write, fresh(row)))
            count += stale
    return count


def again(box: SecretBox, text: str) -> str:
    """The same secret, sealed with the present key; nothing stays nothing."""
    return box.seal(box.open(text)) if text else ""
