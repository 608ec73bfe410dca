"""Taking a person out of the events: what was told about them is deleted, with its deliveries and their attempts."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import bindparam, delete, func, select

from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import deliveries, delivery_attempts, events, webhooks

# Small enough that nobody waits long behind a chunk.
CHUNK = 200

e = events.c
_OF_SENDER = Query(
    select(e.id).where(
        e.account_id == bindparam("b_account"), e.sender == bindparam("b_sender"), e.seq > bindparam("after")
    )
)
_NEWEST = Query(select(func.max(e.seq).label("seq")).where(e.account_id == bindparam("b_account")))
_HOOKS = select(webhooks.c.id).where(webhooks.c.account_id == bindparam("b_account"))


def _of_event(table: Any) -> Query:
    # By way of the few endpoints, because the key of these rows begins with their endpoint.
    return Query(
        delete(table).where(
            table.c.account_id == bindparam("b_account"),
            table.c.webhook_id.in_(_HOOKS),
            table.c.event_id == bindparam("b_event"),
        )
    )


# Deliveries before their attempts: an attempt is written only while its delivery is there, so that whoever is writing
# one in another process either has written it by now or will not write it.
_DELETE = (
    _of_event(deliveries),
    _of_event(delivery_attempts),
    Query(delete(events).where(e.account_id == bindparam("b_account"), e.id == bindparam("b_event"))),
)


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
    return [row["id"] for row in await tx.gather(_OF_SENDER, params)]


async def _look(tx: Tx, account_id: int, senders: list[str]) -> tuple[int, list[str]]:
    row = await tx.first(_NEWEST, {"b_account": account_id})
    newest = 0 if row is None or row["seq"] is None else int(row["seq"])
    return newest, await _find(tx, account_id, senders, 0)


async def _delete(tx: Tx, account_id: int, event_ids: list[str]) -> None:
    params = [{"b_account": account_id, "b_event": event_id} for event_id in event_ids]
    if params:
        for query in _DELETE:
            await tx.many(query, params)
