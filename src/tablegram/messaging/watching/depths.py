"""How much waits in the queues of lines, and how the lines are: what /metrics shows of the store."""

from __future__ import annotations

from tablegram.messaging.store import instances as line_store
from tablegram.messaging.store import messages as store
from tablegram.storage.database import Database
from tablegram.values.clock import Clock

# Each line is a series of its own to whoever keeps the figures: those that wait longest are shown, and no others.
MOST_LINES = 50


class Depths:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def figures(self) -> dict[str, float]:
        depth = await self._db.first(store.DEPTH)
        found: dict[str, float] = {}
        if depth is not None:
            found |= {"messages_queued": depth["queued"], "messages_in_doubt": depth["in_doubt"]}
        now = self._clock.now_ms()
        for row in await self._db.all(store.WAITING_BY_LINE, {"most": MOST_LINES}):
            # By its number; names are the account's own.
            line = f'{{line="{row["instance_id"]}"}}'
            found[f"line_waiting{line}"] = row["n"]
            found[f"line_oldest_seconds{line}"] = max(0, now - row["oldest"]) / 1_000
        for lines in await self._db.all(line_store.BY_STATE):
            found[f'lines{{kind="{lines["kind"]}",state="{lines["state"]}"}}'] = lines["n"]
        return found
