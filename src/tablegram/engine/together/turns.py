"""In which order bodies are worked on that came in at several processes.

Each process works on what it has taken in itself. Who has written to one process, and then to another, is told in that order:
a body waits as long as one of the same writer, which came earlier and elsewhere, is not worked on. That one is done in a
moment, or taken up by everybody when its process is in trouble. One that has failed before holds nobody up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from sqlalchemy import bindparam, select

from tablegram.storage.database import Database, Query, Row
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox

# More are under way only where nobody has worked on anything for long.
MOST = 500
_EARLIER = (inbox.c.done_at.is_(None), inbox.c.attempts == 0, inbox.c.due_at < bindparam("newest"))
_NAMES = Query(
    across_accounts(
        select(inbox.c.source, inbox.c.external_id).where(*_EARLIER).order_by(inbox.c.due_at, inbox.c.id).limit(MOST),
        "the engine works for every account",
    )
)
_BODIES = Query(
    across_accounts(
        select(inbox.c.source, inbox.c.external_id, inbox.c.body, inbox.c.received_at)
        .where(*_EARLIER)
        .order_by(inbox.c.due_at, inbox.c.id)
        .limit(MOST),
        "the engine works for every account",
    )
)

Name = tuple[str, str]
# Whose messages are in a body, as they stand there.
Writers = Callable[[Row], frozenset[bytes]]


async def whose_turn(
    db: Database, rows: list[Row], ours: Collection[Name], writers: Writers
) -> tuple[list[Row], list[Row]]:
    """Those of these bodies that may be worked on now, and those that wait. `ours`: what this process has taken in."""
    newest = max(row["received_at"] for row in rows)
    found = await db.all(_NAMES, {"newest": newest})
    if all((one["source"], one["external_id"]) in ours for one in found):
        return rows, []
    found = await db.all(_BODIES, {"newest": newest})
    others = [one for one in found if (one["source"], one["external_id"]) not in ours]
    waiting = {_name(row) for row in rows if _waits(row, writers(row), others)}
    return [row for row in rows if _name(row) not in waiting], [row for row in rows if _name(row) in waiting]


def _name(row: Row) -> Name:
    return row["source"], row["external_id"]


def _waits(row: Row, names: frozenset[bytes], others: list[Row]) -> bool:
    return any(
        one["source"] == row["source"]
        and one["received_at"] < row["received_at"]
        and any(name in bytes(one["body"]) for name in names)
        for one in others
    )
