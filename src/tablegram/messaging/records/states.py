"""What state a line was in, and when: one row for each change, written with the change itself."""

from __future__ import annotations

import msgspec

from tablegram.messaging.rows.lines import LineStateRow
from tablegram.messaging.store import instances as store
from tablegram.storage.database import Statement
from tablegram.values.ids import new_id

# More changes than these are not drawn; a line that has so many is in trouble anyway.
MOST = 1_000


class Stay(msgspec.Struct, frozen=True):
    """A line was in a state from one moment to another."""

    state: str
    reason: str
    from_ms: int
    to_ms: int


def entry(account_id: int, instance_id: int, state: str, reason: str, now_ms: int) -> Statement:
    """What writes down that a line is in another state now."""
    row = {
        "account_id": account_id, "instance_id": instance_id, "id": new_id(now_ms), "at": now_ms, "state": state,
        "reason": reason,
    }  # fmt: skip
    return store.ADD_STATE, row


def stays(rows: list[LineStateRow], since_ms: int, now_ms: int, begun_ms: int) -> list[Stay]:
    """How a line stood since then, without a gap, oldest first. `rows`: newest first; `begun_ms`: when it was made."""
    found: list[Stay] = []
    until = now_ms
    for row in rows:
        begins = max(row["at"], since_ms)
        if begins < until:
            found.append(Stay(row["state"], row["reason"], begins, until))
        until = min(until, row["at"])
        if row["at"] <= since_ms:
            break
    if found and until > max(since_ms, begun_ms):
        # What was before is forgotten by now.
        found.append(Stay("", "", max(since_ms, begun_ms), until))
    return found[::-1]
