"""Why a queued message has not gone yet: its own last try, or what its line waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablegram.messaging.rows.lines import LineRow
from tablegram.messaging.rows.messages import MessageRow
from tablegram.messaging.store import instances as store
from tablegram.storage.database import Database

# What a line in such a state sends is not held up by it.
_GOES = ("connected", "degraded", "created")
SCHEDULED = "It waits for the time that it was given."
ITS_TURN = "Others of its line go first."


@dataclass(frozen=True, slots=True)
class Waits:
    """A stable word, plain words, and when the message may go at the earliest, where that is known."""

    code: str
    detail: str
    until_ms: int | None = None


async def why_waiting(db: Database, account_id: int, rows: Sequence[MessageRow], now_ms: int) -> dict[str, Waits]:
    """By the keys of those rows that are queued; the lines are read only when there are any."""
    queued = [row for row in rows if row["state"] == "queued"]
    if not queued:
        return {}
    lines = {line["id"]: line for line in await db.all(store.OF_ACCOUNT, {"b_account": account_id})}
    return {row["id"]: why(row, lines.get(row["instance_id"]), now_ms) for row in queued}


def why(row: MessageRow, line: LineRow | None, now_ms: int) -> Waits:
    due = row["due_at"]
    later = due if due is not None and due > now_ms else None
    if row["error_code"]:
        return Waits(row["error_code"], row["error_detail"] or "", later)
    if later is not None:
        return Waits("scheduled", SCHEDULED, later)
    if line is not None and _after(line["paused_until"], now_ms):
        return Waits("line_paused", line["paused_why"], _after(line["paused_until"], now_ms))
    if line is not None and line["state"] not in _GOES:
        code = "line_restricted" if line["state"] == "restricted" else "line_offline"
        return Waits(code, line["reason"], _after(line["state_until"], now_ms))
    return Waits("its_turn", ITS_TURN)


def _after(moment: int | None, now_ms: int) -> int | None:
    return moment if moment is not None and moment > now_ms else None
