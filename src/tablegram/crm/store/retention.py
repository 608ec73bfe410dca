"""How long what is known of imports and of work on many contacts is kept."""

from __future__ import annotations

from sqlalchemy import and_, bindparam

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import contact_jobs, data_links, imports

# What an import was, and which rows were wrong, is of use for a while after it.
IMPORT_DAYS = 30

_ENDED = and_(imports.c.state.in_(["done", "refused"]), imports.c.finished_at < bindparam("before"))

_DONE = and_(contact_jobs.c.state == "done", contact_jobs.c.finished_at < bindparam("before"))
# A day after its end nobody opens a link any more.
_OVER = data_links.c.expires_at < bindparam("before")

PURGES = (
    Purge("imports", days(IMPORT_DAYS), old_rows(imports, _ENDED, imports.c.id)),
    Purge("contact jobs", days(IMPORT_DAYS), old_rows(contact_jobs, _DONE, contact_jobs.c.id)),
    Purge("data links", days(1), old_rows(data_links, _OVER, data_links.c.id)),
)
