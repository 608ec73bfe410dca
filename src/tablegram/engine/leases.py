"""One owner a key at a time: who drains a line, an endpoint or a printer holds its lease."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, or_

from tablegram.engine.owners import Owner
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.tables import leases
from tablegram.values.clock import Clock

LEASE_MS = 60_000

_TAKE = Query(
    lambda insert: (statement := insert(leases).values(columns(leases))).on_conflict_do_update(
        index_elements=["name"],
        set_={"owner_id": statement.excluded.owner_id, "until": statement.excluded.until},
        where=or_(leases.c.owner_id == statement.excluded.owner_id, leases.c.until < bindparam("now")),
    )
)
_FREE = Query(delete(leases).where(leases.c.owner_id == bindparam("owner")))


class Leases:
    def __init__(self, db: Database, owner: Owner, clock: Clock) -> None:
        self._db = db
        self._owner = owner
        self._clock = clock
        self._held: dict[str, int] = {}

    async def hold(self, name: str) -> bool:
        """Whether this process owns the name now; takes or renews the lease when half of it is gone."""
        now = self._clock.now_ms()
        if self._held.get(name, 0) - now > LEASE_MS // 2:
            return True
        row = {"name": name, "owner_id": self._owner.id, "until": now + LEASE_MS, "now": now}

        async def take(tx: Tx) -> bool:
            return await tx.run(_TAKE, row) == 1

        held = await self._db.write(take)
        if held:
            self._held[name] = now + LEASE_MS
        else:
            self._held.pop(name, None)
        return held

    async def free(self, owner_id: str) -> None:
        """Give back everything that a process held."""
        if owner_id == self._owner.id:
            self._held.clear()
        await self._db.put((_FREE, {"owner": owner_id}))
