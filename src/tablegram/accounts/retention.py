"""How long the logs of an account are kept."""

from __future__ import annotations

from sqlalchemy import bindparam

from tablegram.engine.purging import Purge, old_rows
from tablegram.storage.tables import audit_log, request_bodies, request_log
from tablegram.values.clock import DAY_MS

PURGES = (
    Purge(
        "requests",
        lambda settings: settings.request_log_days * DAY_MS,
        old_rows(request_log, request_log.c.created_at < bindparam("before"), request_log.c.id),
    ),
    Purge(
        "request bodies",
        lambda settings: settings.request_body_days * DAY_MS,
        old_rows(request_bodies, request_bodies.c.created_at < bindparam("before"), request_bodies.c.id),
    ),
    Purge(
        "audit",
        lambda settings: settings.audit_days * DAY_MS if settings.audit_days > 0 else None,
        old_rows(audit_log, audit_log.c.created_at < bindparam("before"), audit_log.c.id),
    ),
)
