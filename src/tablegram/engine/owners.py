"""Who is running: one row a process, so that what a dead one held can be taken up again.

A process of this machine is dead when its pid is gone or belongs to a younger process; one of
another machine when its heart has not beaten for a minute.
"""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

from sqlalchemy import bindparam, delete, insert, select, update

from tablegram.storage.database import Database, Query, Row
from tablegram.storage.query import columns
from tablegram.storage.tables import owners
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id

HEARTBEAT_S = 15
# Four missed beats: a long pause of the machine is not yet a death.
SILENCE_MS = 60_000

_INSERT = Query(insert(owners).values(columns(owners)))
_BEAT = Query(update(owners).where(owners.c.id == bindparam("b_id")).values(heartbeat_at=bindparam("now")))
_DELETE = Query(delete(owners).where(owners.c.id == bindparam("b_id")))
_ALL = Query(select(owners))


class Owner:
    """This process among the others."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._host = socket.gethostname()
        self.id = new_id()

    async def register(self) -> None:
        pid = os.getpid()
        row = {
            "id": self.id,
            "host": self._host,
            "pid": pid,
            "started_ticks": _started_ticks(pid) or 0,
            "heartbeat_at": self._clock.now_ms(),
        }
        await self._db.put((_INSERT, row))

    async def beat_forever(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            await self._db.put((_BEAT, {"b_id": self.id, "now": self._clock.now_ms()}))

    async def dead(self) -> list[str]:
        """The other processes that are surely gone."""
        return [row["id"] for row in await self._db.all(_ALL) if row["id"] != self.id and self._is_dead(row)]

    async def living(self) -> list[str]:
        """The processes that run now."""
        return [row["id"] for row in await self._db.all(_ALL) if not self._is_dead(row)]

    async def is_dead(self, owner_id: str) -> bool:
        """Whether the named process is gone; one without a row was buried already."""
        rows = [row for row in await self._db.all(_ALL) if row["id"] == owner_id]
        return not rows or self._is_dead(rows[0])

    async def bury(self, owner_id: str) -> None:
        await self._db.put((_DELETE, {"b_id": owner_id}))

    async def leave(self) -> None:
        await self.bury(self.id)

    def _is_dead(self, row: Row) -> bool:
        if row["host"] == self._host:
            return bool(_started_ticks(row["pid"]) != row["started_ticks"])
        return bool(self._clock.now_ms() - row["heartbeat_at"] > SILENCE_MS)


def _started_ticks(pid: int) -> int | None:
    """When a process started, in clock ticks since boot: tells two users of one pid apart."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    after_name = stat[stat.rindex(")") + 2 :].split()
    # A zombie has ended; only its parent has not yet looked.
    return None if after_name[0] == "Z" else int(after_name[19])
