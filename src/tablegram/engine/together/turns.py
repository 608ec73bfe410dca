"""In which order bodies are worked on that came in at several processes.

Each process works on what it has taken in itself. Who has written to one process, and then to another, is told in that order:
a body waits as long as one of the same writer, which came earlier and elsewhere, is not worked on. That one is done in a
moment, or taken up by everybody when its process is in trouble. One that has failed before holds nobody up.

Each body of others is read once, however long it waits: what is remembered of it are its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from sqlalchemy import bindparam, select

from tablegram.engine.rows import BodyName, NamedBody, TakenBody, TurnRow
from tablegram.storage.database import Database, Query
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox

# More are under way only where nobody has worked on anything for long.
MOST = 500
_EARLIER = (inbox.c.done_at.is_(None), inbox.c.attempts == 0, inbox.c.due_at < bindparam("newest"))
_NAMES = Query(
    across_accounts(
        select(inbox.c.source, inbox.c.external_id, inbox.c.due_at, inbox.c.received_at)
        .where(*_EARLIER)
        .order_by(inbox.c.due_at, inbox.c.id)
        .limit(MOST),
        "the engine works for every account",
    ),
    row=TurnRow,
)
_BODIES = Query(
    across_accounts(
        select(inbox.c.source, inbox.c.external_id, inbox.c.body)
        .where(*_EARLIER, inbox.c.due_at >= bindparam("oldest"))
        .order_by(inbox.c.due_at, inbox.c.id)
        .limit(MOST),
        "the engine works for every account",
    ),
    row=NamedBody,
)
# Whoever a body names stands in it as a text of its own, wherever that is.
_TEXT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')

Name = tuple[str, str]
# Whose messages are in a body, as they stand there.
Writers = Callable[[NamedBody], frozenset[bytes]]


class Turns:
    """What one process knows of the bodies that others have taken in. `ours`: those that it has taken in itself."""

    def __init__(self, db: Database, ours: Collection[Name], writers: Writers) -> None:
        self._db = db
        self._ours = ours
        self._writers = writers
        # Of bodies that others took in and that still wait, the words.
        self._words: dict[Name, frozenset[bytes]] = {}

    async def whose(self, rows: list[TakenBody]) -> tuple[list[TakenBody], list[TakenBody]]:
        """Those of these bodies that may be worked on now, and those that wait."""
        newest = max(row["received_at"] for row in rows)
        found = await self._db.all(_NAMES, {"newest": newest})
        others = [one for one in found if _name(one) not in self._ours]
        await self._read(others, newest)
        wanted = {row["source"]: set[bytes]() for row in rows}
        for row in rows:
            wanted[row["source"]] |= self._writers(row)
        # When somebody who wrote one of ours first stands in one of theirs.
        since: dict[tuple[str, bytes], int] = {}
        for one in others:
            source, at = one["source"], one["received_at"]
            for name in self._words.get(_name(one), frozenset()) & wanted.get(source, set()):
                since[source, name] = min(at, since.get((source, name), at))

        def waits(row: TakenBody) -> bool:
            at = row["received_at"]
            return any(since.get((row["source"], name), at) < at for name in self._writers(row))

        waiting = {_name(row) for row in rows if waits(row)} if since else set()
        return [row for row in rows if _name(row) not in waiting], [row for row in rows if _name(row) in waiting]

    async def _read(self, others: list[TurnRow], newest: int) -> None:
        """Read what has come since the last look; what is worked on by now is forgotten."""
        unread = [one["due_at"] for one in others if _name(one) not in self._words]
        known = {name: self._words[name] for name in map(_name, others) if name in self._words}
        if unread:
            for one in await self._db.all(_BODIES, {"newest": newest, "oldest": min(unread)}):
                if _name(one) not in self._ours and _name(one) not in known:
                    known[_name(one)] = frozenset(_TEXT.findall(one["body"])) | self._writers(one)
        self._words = known


def _name(row: BodyName) -> Name:
    return row["source"], row["external_id"]
