"""How long tickets and their jobs are kept: a month, for questions about what came out when."""

from __future__ import annotations

from sqlalchemy import BindParameter, bindparam

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import print_jobs, tickets

TICKET_DAYS = 30

_BEFORE: BindParameter[int] = bindparam("before")

PURGES = (
    Purge("", days(TICKET_DAYS), old_rows(print_jobs, print_jobs.c.created_at < _BEFORE, print_jobs.c.id)),
    Purge("tickets", days(TICKET_DAYS), old_rows(tickets, tickets.c.created_at < _BEFORE, tickets.c.id)),
)
