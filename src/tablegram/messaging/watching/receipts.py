"""Whether what a line sent is reported as delivered. A network that takes everything and brings nothing is not well.

One person may have the phone off for long; several at once who all get nothing tell something of the line.
"""

from __future__ import annotations

from tablegram.messaging.instances import Instance
from tablegram.messaging.store import messages as store
from tablegram.storage.database import Database
from tablegram.values.clock import MINUTE_MS, Clock
from tablegram.values.ids import first_id

# Receipts come within seconds where a phone is on. What is older tells nothing of now.
AFTER_MS = 10 * MINUTE_MS
WITHIN_MS = 60 * MINUTE_MS
LEAST_MESSAGES = 5
LEAST_PEOPLE = 3


class Receipts:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def lag(self, instance: Instance) -> str:
        """In words what is wrong; empty where nothing is, or too little was sent to tell."""
        now = self._clock.now_ms()
        which = {
            "b_account": instance.account_id, "b_instance": instance.id,
            "after": first_id(now - WITHIN_MS), "before": first_id(now - AFTER_MS),
        }  # fmt: skip
        row = await self._db.first(store.RECEIPTS, which)
        if row is None or row["delivered"] or row["sent"] < LEAST_MESSAGES or row["people"] < LEAST_PEOPLE:
            return ""
        return undelivered(row["sent"])


def undelivered(sent: int) -> str:
    return f"None of the {sent} messages of the last hour was reported as delivered. What is sent may not arrive."
