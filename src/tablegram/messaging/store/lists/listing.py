"""An account's messages as people and programs list them, newest first, each filter read from an index of what it is about.

The states that most messages pass through or rest in (`queued`, `sent`, `delivered`, `read`) have none: see decision 0157.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import ColumnElement, literal_column, select

from tablegram.messaging.rows.messages import MessageRow
from tablegram.storage.query import Query, told_apart
from tablegram.storage.tables import messages
from tablegram.values.ids import first_id

m = messages.c
# A message gets its id when it is kept; its time may be the network's, whose clock may be ahead of ours.
AHEAD_MS = 3_600_000

# True of all messages in a state, in the words of the index that holds them.
_HELD_BY: dict[object, ColumnElement[bool]] = {
    "failed": m.failed_at.is_not(None),
    "cancelled": m.error_code == literal_column("'cancelled'"),
    "received": m.direction == "in",
}


def page(account_id: int, filters: Mapping[str, object], before: str | None, most: int) -> Query[MessageRow]:
    """The key of a message grows with time, so it is the order and the cursor at once."""
    given = {name: value for name, value in filters.items() if value is not None}
    state, direction, since_ms = given.get("state"), given.get("direction"), given.get("since_ms")
    wanted = [m[name] == given[name] for name in ("phone", "state", "instance_id") if name in given]
    if isinstance(since_ms, int):
        wanted += [m.id >= first_id(since_ms - AHEAD_MS), m.created_at >= since_ms]
    if direction is not None:
        # A number has fewer messages, and so has any state with an index of its own.
        wanted.append((told_apart(m.direction) if "phone" in given or state else m.direction) == direction)
        if state is not None and (state == "received") != (direction == "in"):
            # Only what came in is received: there is no such message, and no such id.
            wanted.append(m.id < "")
    if "phone" not in given and state in _HELD_BY:
        wanted.append(_HELD_BY[state])
    if before is not None:
        wanted.append(m.id < before)
    found = select(messages).where(m.account_id == account_id, *wanted).order_by(m.id.desc()).limit(most)
    return Query(found, row=MessageRow)
