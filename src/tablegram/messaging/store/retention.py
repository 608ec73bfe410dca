"""How long messages are kept, where they are not kept for ever."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, select

from tablegram.engine.purging import CHUNK, Purge, old_rows
from tablegram.messaging.rows.messages import WhichAccount
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import accounts, line_sends, line_states, messages, network_notices
from tablegram.values.clock import DAY_MS

m = messages.c
_FINAL = m.state.in_(["sent", "delivered", "read", "failed", "cancelled", "received"])
_CHANGES = (m.sent_at, m.delivered_at, m.read_at, m.failed_at)
# When it was made is compared as it is, which is what an index can tell.
_UNTOUCHED = and_(m.created_at < bindparam("before"), *[func.coalesce(at, 0) < bindparam("before") for at in _CHANGES])

_OLD_OF = and_(m.account_id == bindparam("b_account"), _FINAL, _UNTOUCHED)
_ACCOUNTS = Query(select(accounts.c.id).order_by(accounts.c.id), row=WhichAccount)
_FORGET_OF = Query(delete(messages).where(_OLD_OF, m.id.in_(select(m.id).where(_OLD_OF).limit(CHUNK))))

# How long a line's history of states is kept.
STATE_DAYS = 90


async def forget_of(db: Database, account_id: int, before_ms: int) -> int:
    """Delete an account's messages that were last touched before a time, a bounded number at once; how many."""

    async def chunk(tx: Tx) -> int:
        return await tx.run(_FORGET_OF, {"b_account": account_id, "before": before_ms})

    total = 0
    while count := await db.write(chunk):
        total += count
    return total


async def forget(db: Database, before_ms: int) -> int:
    """The same of every account: what is old is found by account and time."""
    return sum([await forget_of(db, row["id"], before_ms) for row in await db.all(_ACCOUNTS)])


PURGES = (
    Purge(
        "messages",
        lambda settings: settings.message_days * DAY_MS if settings.message_days > 0 else None,
        forget,
    ),
    # As long as the raw bodies that they lead to.
    Purge(
        "notices",
        lambda settings: settings.inbox_days * DAY_MS,
        old_rows(network_notices, network_notices.c.at < bindparam("before"), network_notices.c.id),
    ),
    # More than a page shows.
    Purge(
        "states",
        lambda settings: STATE_DAYS * DAY_MS,
        old_rows(line_states, line_states.c.at < bindparam("before"), line_states.c.id),
    ),
    # Limits count one day back.
    Purge(
        "counted",
        lambda settings: 2 * DAY_MS,
        old_rows(line_sends, line_sends.c.at < bindparam("before"), line_sends.c.message_id),
    ),
)
