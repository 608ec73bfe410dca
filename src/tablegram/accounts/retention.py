"""How long the logs of an account are kept."""

from __future__ import annotations

from tablegram.accounts.keys.store import forget_bodies, forget_calls
from tablegram.accounts.store import forget_audit
from tablegram.engine.purging import Purge
from tablegram.values.clock import DAY_MS

PURGES = (
    Purge("requests", lambda settings: settings.request_log_days * DAY_MS, forget_calls),
    Purge("request bodies", lambda settings: settings.request_body_days * DAY_MS, forget_bodies),
    Purge("audit", lambda settings: settings.audit_days * DAY_MS if settings.audit_days > 0 else None, forget_audit),
)
