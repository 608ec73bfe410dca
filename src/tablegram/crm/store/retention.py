"""How long what is known of imports, of work on many contacts, and of what was said is kept."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, select

from tablegram.engine.purging import CHUNK, Purge, days, old_rows
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import contact_jobs, contact_terms, data_links, imports
from tablegram.values.clock import DAY_MS

# What an import was, and which rows were wrong, is of use for a while after it.
IMPORT_DAYS = 30

_ENDED = and_(imports.c.state.in_(["done", "refused"]), imports.c.finished_at < bindparam("before"))

_DONE = and_(contact_jobs.c.state == "done", contact_jobs.c.finished_at < bindparam("before"))
# A day after its end nobody opens a link any more.
_OVER = data_links.c.expires_at < bindparam("before")

# Words are noted to a day, and go when no message is left that they could be from.
_GRACE_MS = DAY_MS
_said = contact_terms.c
_UNSAID = and_(_said.source == "said", _said.said_at < bindparam("before"))
_UNSAID_OF = and_(_said.account_id == bindparam("b_account"), _UNSAID)
_FORGET_OF = Query(
    delete(contact_terms).where(_UNSAID_OF, _said.term.in_(select(_said.term).where(_UNSAID_OF).limit(CHUNK)))
)
_forget_words = old_rows(contact_terms, _UNSAID, _said.term)


async def forget_words(db: Database, before_ms: int) -> int:
    return await _forget_words(db, before_ms - _GRACE_MS)


async def forget_words_of(db: Database, account_id: int, before_ms: int) -> int:
    """An account's contacts are no longer found by what was last said before a time."""

    async def chunk(tx: Tx) -> int:
        return await tx.run(_FORGET_OF, {"b_account": account_id, "before": before_ms - _GRACE_MS})

    total = 0
    while count := await db.write(chunk):
        total += count
    return total


PURGES = (
    Purge(
        "words", lambda settings: settings.message_days * DAY_MS if settings.message_days > 0 else None, forget_words
    ),
    Purge("imports", days(IMPORT_DAYS), old_rows(imports, _ENDED, imports.c.id)),
    Purge("contact jobs", days(IMPORT_DAYS), old_rows(contact_jobs, _DONE, contact_jobs.c.id)),
    Purge("data links", days(1), old_rows(data_links, _OVER, data_links.c.id)),
)
