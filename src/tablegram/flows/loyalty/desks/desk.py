"""What every desk of loyalty works with."""

from __future__ import annotations

from tablegram.accounts.audit import Audit
from tablegram.engine.idempotency import Idempotency
from tablegram.storage.database import Database
from tablegram.values.clock import Clock


class LoyaltyDesk:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
