"""Who is running: one row a process, so that what a dead one held can be taken up again.

A process that counts pids as we do (the same boot of the same machine, the same container) is dead when its pid is
gone or belongs to a younger process; any other when its heart has not beaten for longer than it may believe to hold a
lease. Hearts beat by the database's clock.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import BigInteger, Text, bindparam, cast, delete, select, update

from tablegram.engine.rows import HeldLease, OwnerRow, UnheardRow
from tablegram.storage.database import Database, Query
from tablegram.storage.moment import DatabaseNow
from tablegram.storage.query import columns
from tablegram.storage.tables import installation, leases, owners
from tablegram.values.ids import new_id

# How long a process that says nothing keeps what it holds.
LEASE_S = 60.0
# In place of the role of a process that is about to end.
LEAVING = "leaving"
# Parts of a lease. A lease may have been renewed right after the last beat, so that silence has to last longer than
# both together before somebody is taken for dead.
HEARTBEAT = 1 / 4
SILENCE = 3 / 2

# Who was taken for dead, and wakes up, says so with its next beat; so does who leaves, if it could not say so at once.
_BEAT = Query(
    lambda insert: (
        made := insert(owners).values(
            {**columns(owners, "id", "host", "pid", "started_ticks", "role"), "heartbeat_at": DatabaseNow()}
        )
    ).on_conflict_do_update(index_elements=["id"], set_={"heartbeat_at": DatabaseNow(), "role": made.excluded["role"]})
)
_LEAVING = Query(update(owners).where(owners.c.id == bindparam("b_id")).values(role=bindparam("b_role")))
_DELETE = Query(delete(owners).where(owners.c.id == bindparam("b_id")))
# Until when somebody was there to be told something: it outlives the rows of those who left.
_LISTENED_FACT = "listened_until"
_FIRST_LISTENED = Query(
    lambda insert: (
        insert(installation)
        .values(name=_LISTENED_FACT, value=cast(DatabaseNow(), Text))
        .on_conflict_do_nothing(index_elements=["name"])
    )
)
# All write the same row, and one that hangs in the middle of it has locked it: nobody's heart waits for another's.
_LISTENED = Query(
    update(installation)
    .where(
        installation.c.name.in_(
            select(installation.c.name).where(installation.c.name == _LISTENED_FACT).with_for_update(skip_locked=True)
        )
    )
    .values(value=cast(DatabaseNow(), Text))
)
_UNHEARD = Query(
    select((DatabaseNow() - cast(installation.c.value, BigInteger)).label("unheard_ms")).where(
        installation.c.name == _LISTENED_FACT
    ),
    row=UnheardRow,
)
_HELD = Query(select(leases.c.name, leases.c.owner_id).where(leases.c.until >= DatabaseNow()), row=HeldLease)
_ALL = Query(select(owners, (DatabaseNow() - owners.c.heartbeat_at).label("silent_ms")), row=OwnerRow)


@dataclass(frozen=True, slots=True)
class Holding:
    """A process as the others see it, and the leases that it holds now."""

    id: str
    pid: int
    alive: bool
    silent_ms: int
    leases: list[str]
    # What it does (`wiring/roles.py`).
    role: str


class Owner:
    """This process among the others.

    `alone`: the store is one that a single process serves, so that nobody of another boot or container runs.
    """

    def __init__(self, db: Database, lease_s: float = LEASE_S, *, alone: bool = False, role: str = "all") -> None:
        self._db = db
        self._role = role
        self.lease_s = lease_s
        self._alone = alone
        self._host = pid_space()
        self.id = new_id()
        # How long nobody ran before this process did, to a heartbeat; nothing when that is not known.
        self.unheard_ms: int | None = None

    async def register(self) -> None:
        known = await self._db.first(_UNHEARD)
        self.unheard_ms = None if known is None else max(known["unheard_ms"], 0)
        await self._db.put((_FIRST_LISTENED, {}))
        await self._beat()

    async def beat_forever(self) -> None:
        while True:
            await asyncio.sleep(self.lease_s * HEARTBEAT)
            await self._beat()

    async def _beat(self) -> None:
        pid = os.getpid()
        row = {"id": self.id, "host": self._host, "pid": pid, "started_ticks": _started_ticks(pid) or 0}
        # No large unit of work keeps a heart from beating.
        await self._db.put_aside((_BEAT, {**row, "role": self._role}), (_LISTENED, {}))

    async def begin_leaving(self) -> None:
        """Have everybody know that this process is about to end. A role that no work is for gets none, of any version."""
        self._role = LEAVING
        await self._db.put_aside((_LEAVING, {"b_id": self.id, "b_role": LEAVING}))

    async def dead(self, named: Iterable[str] = ()) -> list[str]:
        """The other processes that are surely gone; of those that are `named` also who has no row: it was buried already."""
        rows = await self._db.all(_ALL)
        unknown = set(named) - {row["id"] for row in rows} - {self.id}
        return sorted({row["id"] for row in rows if row["id"] != self.id and self._is_dead(row)} | unknown)

    async def living(self) -> list[str]:
        """The processes that run now."""
        return [row["id"] for row in await self._db.all(_ALL) if not self._is_dead(row)]

    async def holdings(self) -> list[Holding]:
        """Every process that has a row, with what it holds; the oldest first."""
        held: dict[str, list[str]] = {}
        for row in await self._db.all(_HELD):
            held.setdefault(row["owner_id"], []).append(row["name"])
        return [
            Holding(
                row["id"],
                row["pid"],
                not self._is_dead(row),
                max(0, row["silent_ms"]),
                held.get(row["id"], []),
                row["role"],
            )
            for row in sorted(await self._db.all(_ALL), key=lambda row: row["id"])
        ]

    async def is_dead(self, owner_id: str) -> bool:
        """Whether the named process is gone; one without a row was buried already."""
        rows = [row for row in await self._db.all(_ALL) if row["id"] == owner_id]
        return not rows or self._is_dead(rows[0])

    async def bury(self, owner_id: str) -> None:
        await self._db.put((_DELETE, {"b_id": owner_id}))

    async def leave(self) -> None:
        await self._db.put((_DELETE, {"b_id": self.id}), (_LISTENED, {}))

    def _is_dead(self, row: OwnerRow) -> bool:
        if row["host"] == self._host:
            return _started_ticks(row["pid"]) != row["started_ticks"]
        return self._alone or row["silent_ms"] > self.lease_s * SILENCE * 1_000


def pid_space() -> str:
    """Where a pid means one process: a boot of a machine, and of its pid namespaces the one we are in.

    A host name says neither: containers on one machine may share it, and so may two machines.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def _started_ticks(pid: int) -> int | None:
    """When a process started, in clock ticks since boot: tells two users of one pid apart."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    after_name = stat[stat.rindex(")") + 2 :].split()
    # A zombie has ended; only its parent has not yet looked.
    return None if after_name[0] == "Z" else int(after_name[19])
