"""Taking a person out of the events: what was told about them is deleted, with its deliveries and their attempts."""

from __future__ import annotations

from functools import partial

from tablegram.events import store
from tablegram.storage.database import Database, Tx

# Small enough that nobody waits long behind a chunk.
CHUNK = 200


async def sweep(db: Database, account_id: int, senders: list[str]) -> tuple[list[str], int]:
    """Delete what is there by now, without holding the writer; returns the events, and up to where it looked."""
    upto = await db.horizon()
    newest, rows = await db.snapshot(lambda tx: _look(tx, account_id, senders))
    for start in range(0, len(rows), CHUNK):
        await db.write(partial(_delete, account_id=account_id, event_ids=rows[start : start + CHUNK]))
    return rows, min(newest, upto)


async def finish(tx: Tx, account_id: int, senders: list[str], after: int) -> list[str]:
    """Delete what came since `sweep`, in the transaction that erases the rest; returns the events."""
    rows = await _find(tx, account_id, senders, after)
    await _delete(tx, account_id, rows)
    return rows


async def _find(tx: Tx, account_id: int, senders: list[str], after: int) -> list[str]:
    params = [{"b_account": account_id, "b_sender": sender, "after": after} for sender in senders]
    return [row["id"] for row in await tx.gather(store.OF_SENDER, params)]


async def _look(tx: Tx, account_id: int, senders: list[str]) -> tuple[int, list[str]]:
    row = await tx.first(store.NEWEST, {"account_id": account_id})
    newest = 0 if row is None or row["seq"] is None else row["seq"]
    return newest, await _find(tx, account_id, senders, 0)


async def _delete(tx: Tx, account_id: int, event_ids: list[str]) -> None:
    params = [{"b_account": account_id, "b_event": event_id} for event_id in event_ids]
    if params:
        for query in store.ERASE:
            await tx.many(query, params)
