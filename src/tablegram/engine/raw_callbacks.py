"""Raw callbacks once they are worked on: shown to people, and emptied when somebody in them is erased. They stay known
as having come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select, update

from tablegram.engine.rows import RawBody, SomeBody, TakenBody
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import inbox

CHUNK = 500

_BODIES = Query(
    select(inbox.c.id, inbox.c.body)
    .where(inbox.c.account_id == bindparam("b_account"), inbox.c.id > bindparam("after"), inbox.c.done_at.is_not(None))
    .order_by(inbox.c.id)
    .limit(CHUNK),
    row=SomeBody,
)
_EMPTY_BODY = Query(
    update(inbox).where(inbox.c.account_id == bindparam("b_account"), inbox.c.id == bindparam("b_id")).values(body=b"")
)
_EMPTY_NAMED = Query(
    update(inbox)
    .where(
        inbox.c.account_id == bindparam("b_account"),
        inbox.c.source == bindparam("b_source"),
        inbox.c.external_id == bindparam("b_external"),
    )
    .values(body=b"")
)

_BODY = Query(
    select(inbox.c.body, inbox.c.received_at).where(
        inbox.c.account_id == bindparam("b_account"),
        inbox.c.source == bindparam("b_source"),
        inbox.c.external_id == bindparam("b_external"),
    ),
    row=RawBody,
)


async def look_up(db: Database, account_id: int, source: str, external_id: str) -> RawBody | None:
    """A body as it came, and when; an empty one was emptied."""
    return await db.first(_BODY, {"b_account": account_id, "b_source": source, "b_external": external_id})


async def sweep(db: Database, account_id: int, names: Sequence[str]) -> tuple[int, int]:
    """Empty those that hold one of the names, piece by piece; how many, and up to where it looked."""
    total, after = 0, 0
    while True:
        rows = await db.all(_BODIES, {"b_account": account_id, "after": after})
        if not rows:
            return total, after
        after = rows[-1]["id"]
        found = _naming(rows, account_id, names)
        if found:
            await db.put(*[(_EMPTY_BODY, params) for params in found])
        total += len(found)


async def finish(tx: Tx, account_id: int, names: Sequence[str], after: int) -> int:
    """Empty those that came since `sweep`, in the transaction that erases the rest."""
    total = 0
    while rows := await tx.all(_BODIES, {"b_account": account_id, "after": after}):
        after = rows[-1]["id"]
        found = _naming(rows, account_id, names)
        if found:
            await tx.many(_EMPTY_BODY, found)
        total += len(found)
    return total


async def empty(tx: Tx, rows: Sequence[TakenBody]) -> None:
    """Empty these, which are just being worked on."""
    which = [
        {"b_account": row["account_id"], "b_source": row["source"], "b_external": row["external_id"]} for row in rows
    ]
    if which:
        await tx.many(_EMPTY_NAMED, which)


def _naming(rows: list[SomeBody], account_id: int, names: Sequence[str]) -> list[dict[str, Any]]:
    wanted = [name.encode() for name in names]
    return [
        {"b_account": account_id, "b_id": row["id"]}
        for row in rows
        if any(name in bytes(row["body"]) for name in wanted)
    ]
