"""Events are kept for 30 days, with their deliveries and attempts; one that still has to be delivered is kept longer."""

from __future__ import annotations

from functools import partial

from tablegram.engine.purging import Purge, days
from tablegram.events import store
from tablegram.events.rows import OldRow
from tablegram.events.schedule import REPLAYABLE_DAYS
from tablegram.storage.database import Database, Tx

# Small enough that no one waits behind a chunk.
CHUNK = 200


async def forget(db: Database, before_ms: int) -> int:
    """Forget events from before a time. Returns how many were looked at and let go."""
    total, after = 0, 0
    while True:
        rows = await db.all(store.OLDEST, {"after": after, "most": CHUNK})
        old = [row for row in rows if row["created_at"] < before_ms]
        if not old:
            return total
        total += await db.write(partial(_let_go, rows=old))
        after = rows[-1]["seq"]


async def _let_go(tx: Tx, rows: list[OldRow]) -> int:
    which = [{"b_account": row["account_id"], "b_event": row["id"]} for row in rows]
    await tx.many(store.FORGET_ATTEMPTS, which)
    await tx.many(store.FORGET_DELIVERIES, which)
    return sum([await tx.run(store.FORGET_EVENT, one) for one in which])


PURGE = Purge("events", days(REPLAYABLE_DAYS), forget)
