"""One owner a key at a time: who drains a line, an endpoint or a printer holds its lease.

A lease runs out by the database's clock, so that wrong clocks of its owners do not matter. With each change of
owner its *fence* grows by one. Two rules keep a process that was frozen, and wakes up, from acting for a lease that it
has lost meanwhile:

- What it writes for the lease is guarded (`Lease.guard`): the write fails when owner and fence are not the row's any
  more, and while it runs nobody takes the lease.
- What it does outside the store, which no guard reaches, it begins only while `Lease.is_sure`.

What a process uses is renewed together, by a task of its own (`renew_forever`): however long a step takes, it costs
nobody a lease. And a lease can be handed to another process (`engine/balance`): it is in its name at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from sqlalchemy import and_, bindparam, case, literal, or_, select, update

from tablegram.engine.bus.port import Alone
from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.owners import HEARTBEAT, Owner
from tablegram.engine.rows import FenceRow, HolderAndFence, HolderRow, LeaseName, RenewedLease
from tablegram.errors import LeaseLost
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.moment import DatabaseNow
from tablegram.storage.query import columns
from tablegram.storage.tables import leases, owners

# The part of a lease in which its owner begins nothing more: it covers what lies between asking whether it is still
# ours and the first byte of what is done, such as a connection that has to be made.
MARGIN = 1 / 6
# Who asks for a lease this often, as a part of it, holds it without a gap: it is renewed when half of it is gone, and sure for
# five sixths.
RENEWED_AT_LEAST = 1 / 5
# What nobody has asked for this long is not renewed any more: its work is done, or stuck.
UNUSED_S = 60.0
# The same as a number of leases, where those are short.
UNUSED_LEASES = 6
# What all hold is read with every beat (`engine/balance`), and believed for so long.
BELIEVED_S = 5.0

_MINE = leases.c.owner_id == bindparam("b_owner")
_TAKEN = and_(
    leases.c.name == bindparam("b_name"),
    or_(_MINE, leases.c.until < DatabaseNow()),
)
# A process that hangs inside a guarded write has locked the row: that is not free then, and nobody waits for it.
_FREE_OR_MINE = select(leases.c.name).where(_TAKEN).with_for_update(skip_locked=True)
_TAKE = Query(
    update(leases)
    .where(leases.c.name.in_(_FREE_OR_MINE))
    .values(
        owner_id=bindparam("b_owner"),
        until=DatabaseNow() + bindparam("length_ms"),
        fence=leases.c.fence + case((_MINE, 0), else_=1),
    )
    .returning(leases.c.fence),
    row=FenceRow,
)
_HOLDER = Query(select(leases.c.owner_id).where(leases.c.name == bindparam("b_name")), row=HolderRow)
_WHOSE = Query(
    select(leases.c.owner_id, leases.c.fence).where(
        leases.c.name == bindparam("b_name"), leases.c.owner_id != "", leases.c.until >= DatabaseNow()
    ),
    row=HolderAndFence,
)
_MAKE = Query(
    lambda insert: (
        insert(leases)
        .values(
            {
                **columns(leases, "name", "owner_id"),
                "until": DatabaseNow() + bindparam("length_ms"),
                "fence": literal(1),
            }
        )
        .on_conflict_do_nothing(index_elements=["name"])
        .returning(leases.c.fence)
    ),
    row=FenceRow,
)
# The rows stay, so that no number is ever given twice.
_FREE = Query(update(leases).where(_MINE).values(owner_id="", until=0))
# All of them at once. What a guarded write has locked is renewed the next time.
_RENEW = Query(
    update(leases)
    .where(leases.c.name.in_(select(leases.c.name).where(_MINE).with_for_update(skip_locked=True)))
    .values(until=DatabaseNow() + bindparam("length_ms"))
    .returning(leases.c.name, leases.c.fence),
    row=RenewedLease,
)
_THIS = and_(leases.c.name == bindparam("b_name"), _MINE, leases.c.fence == bindparam("b_fence"))
_LEAVE = Query(update(leases).where(_THIS).values(owner_id="", until=0))
# In the name of another who runs; it has the whole length to notice.
_GIVE = Query(
    update(leases)
    .where(_THIS, select(owners.c.id).where(owners.c.id == bindparam("b_heir")).exists())
    .values(owner_id=bindparam("b_heir"), until=DatabaseNow() + bindparam("length_ms"), fence=leases.c.fence + 1)
    .returning(leases.c.name),
    row=LeaseName,
)
_GUARD = Query(select(leases.c.name).where(_THIS).with_for_update(read=True), row=LeaseName)


# A clock that only runs forward, and does so while the machine sleeps. Each send looks at it twice.
steady_s = partial(time.clock_gettime, time.CLOCK_BOOTTIME)


class Lease:
    """What a process holds until another has it; the same object for as long as it is renewed in between."""

    __slots__ = ("_owner_id", "_steady", "_sure_until", "fence", "name", "used_at")

    def __init__(self, name: str, owner_id: str, fence: int, steady: Callable[[], float]) -> None:
        self.name = name
        self.fence = fence
        self._owner_id = owner_id
        self._steady = steady
        self._sure_until = 0.0
        self.used_at = steady()

    def is_sure(self) -> bool:
        """Whether this is still ours, whatever happened to this process: to be asked right before an outside effect."""
        return self._steady() < self._sure_until

    def left_s(self) -> float:
        """For how long it is sure."""
        return self._sure_until - self._steady()

    async def guard(self, tx: Tx) -> None:
        """Let the transaction fail unless this is still ours. Call it before anything is written."""
        if await tx.first(_GUARD, {"b_name": self.name, "b_owner": self._owner_id, "b_fence": self.fence}) is None:
            self.lose()
            raise LeaseLost(f"Another process has taken over {self.name}.")

    def extend(self, until: float) -> None:
        self._sure_until = until

    def lose(self) -> None:
        self._sure_until = 0.0


class Worker(Protocol):
    """Who works under a lease now."""

    def is_still(self) -> bool:
        """Whether it may be handed over without anybody noticing."""

    def nudge(self) -> None:
        """Look."""


class Workers(Protocol):
    """Work of one kind, key by key, each under a lease."""

    def worker(self, lease: str) -> Worker | None: ...

    def given(self, lease: str) -> None:
        """Another process has handed the lease to this one."""


class Leases:
    """The leases of one process. The clock is a parameter for the sake of tests."""

    def __init__(
        self, db: Database, owner: Owner, steady: Callable[[], float] = steady_s, wakeups: Wakeups | None = None
    ) -> None:
        self._db = db
        # How those who hold a lease are told that somebody wants it looked at.
        self.wakeups = wakeups or Wakeups(Alone())
        self._owner = owner
        self._lease_s = owner.lease_s
        self._steady = steady
        self._held: dict[str, Lease] = {}
        self._asking: dict[str, asyncio.Task[Lease | None]] = {}
        # Who had what this process asked for and did not get.
        self._holders: dict[str, str] = {}
        # What is being handed over, and to whom: it is not ours to begin anything under.
        self._giving: dict[str, str] = {}
        # Who holds what, as it was read for all of them together; when that was, and when leases were last freed.
        self._board: Mapping[str, str] = {}
        self._board_at = self._freed_at = 0.0
        # An answer of the store that is older than what we have given away would bring that back.
        self._moving = asyncio.Lock()
        self.workers: list[Workers] = []
        self.wakeups.hear_given(owner.id)
        self.wakeups.answer("leases", self._freed)

    def note_held(self, board: Mapping[str, str], asked_at: float) -> None:
        """Who holds what, by the steady clock no earlier than then. Nobody asks the store for what another surely has."""
        if asked_at > self._freed_at:
            self._board, self._board_at = board, asked_at

    def steady_now(self) -> float:
        return self._steady()

    def _freed(self, _lease: str) -> None:
        """Leases are free that others had: what was read before is not true any more."""
        self._board, self._freed_at = {}, self._steady()

    def _anothers(self, name: str) -> str:
        """Who has it for sure, of the other processes."""
        is_old = self._steady() - self._board_at > BELIEVED_S
        holder = "" if is_old else self._board.get(name, "")
        return "" if holder == self._owner.id else holder

    def has(self, name: str) -> bool:
        """Whether this process has it, as far as it knows without asking the store."""
        return name in self._held

    def held(self, name: str) -> Lease | None:
        """What this process surely has, and may begin something under."""
        lease = self._held.get(name)
        return lease if lease is not None and lease.is_sure() else None

    async def whose(self, name: str) -> tuple[str, int] | None:
        """Who has it now, and by which fence, as the store says; nothing where nobody has."""
        row = await self._db.first(_WHOSE, {"b_name": name})
        return None if row is None else (row["owner_id"], row["fence"])

    def holder(self, name: str) -> str:
        """Who had it when it was last asked for; empty where nobody is known."""
        return self._holders.get(name, "")

    async def hold(self, name: str) -> Lease | None:
        """The lease if this process owns it now; takes or renews it when half of it is gone."""
        if name in self._giving:
            return None
        held = self._held.get(name)
        if held is not None:
            held.used_at = self._steady()
        if held is not None and held.left_s() > self._lease_s * (1 / 2 - MARGIN):
            return held
        if held is None and (holder := self._anothers(name)):
            self._holders[name] = holder
            return None
        # Many who ask at once are answered together.
        asking = self._asking.get(name)
        if asking is None:
            asking = self._asking[name] = asyncio.create_task(self._ask(name), name=f"lease of {name}")
            asking.add_done_callback(lambda _: self._asking.pop(name, None))
        return await asyncio.shield(asking)

    async def _ask(self, name: str) -> Lease | None:
        who = {"b_name": name, "b_owner": self._owner.id, "name": name, "owner_id": self._owner.id}
        params = {**who, "length_ms": int(self._lease_s * 1_000)}
        # It is counted from before the question: however long the answer takes, the store has it for longer.
        asked_at = self._steady()

        async def take(tx: Tx) -> tuple[int | None, str]:
            row = await tx.first(_TAKE, params) or await tx.first(_MAKE, params)
            if row is not None:
                return row["fence"], ""
            holder = await tx.first(_HOLDER, {"b_name": name})
            return None, "" if holder is None else holder["owner_id"]

        fence, self._holders[name] = await self._db.write(take)
        held = self._held.get(name)
        if held is not None and held.fence != fence:
            held.lose()
            del self._held[name]
        if fence is None or name in self._giving:
            return None
        lease = self._held.setdefault(name, Lease(name, self._owner.id, fence, self._steady))
        lease.extend(asked_at + self._lease_s * (1 - MARGIN))
        return lease

    async def renew_forever(self) -> None:
        while True:
            await self.wakeups.given.wait(self._lease_s * HEARTBEAT)
            await self.renew()

    async def renew(self) -> None:
        """Renew what is used, let go of the rest, and find what others have handed to us."""
        async with self._moving:
            await self._renew()

    async def _renew(self) -> None:
        asked_at = self._steady()
        unused_s = min(UNUSED_S, self._lease_s * UNUSED_LEASES)
        for lease in [one for one in self._held.values() if asked_at - one.used_at > unused_s]:
            await self._let_go(lease)
        params = {"b_owner": self._owner.id, "length_ms": int(self._lease_s * 1_000)}
        for row in await self._db.write_aside(lambda tx: tx.all(_RENEW, params)):
            name, fence = row["name"], row["fence"]
            held = self._held.get(name)
            if held is not None and held.fence == fence:
                if name not in self._giving:
                    held.extend(asked_at + self._lease_s * (1 - MARGIN))
            elif name not in self._asking and name not in self._giving:
                if held is not None:
                    held.lose()
                self._adopt(name, fence, asked_at)

    def _adopt(self, name: str, fence: int, asked_at: float) -> None:
        lease = self._held[name] = Lease(name, self._owner.id, fence, self._steady)
        lease.extend(asked_at + self._lease_s * (1 - MARGIN))
        for workers in self.workers:
            workers.given(name)

    async def _let_go(self, lease: Lease) -> None:
        lease.lose()
        self._held.pop(lease.name, None)
        await self._db.put((_LEAVE, self._this(lease)))

    def _this(self, lease: Lease) -> dict[str, object]:
        return {"b_name": lease.name, "b_owner": self._owner.id, "b_fence": lease.fence}

    def worker(self, name: str) -> Worker | None:
        """Who works under a lease in this process."""
        return next((found for workers in self.workers if (found := workers.worker(name)) is not None), None)

    def begin_giving(self, name: str, heir: str) -> None:
        """From now on nothing is begun under the lease; `give` hands it over when what is under way has ended."""
        if name in self._held:
            self._giving[name] = heir
            self._held[name].lose()

    def is_giving(self, name: str) -> bool:
        return name in self._giving

    def keep(self, name: str) -> None:
        """It is not handed over after all."""
        self._giving.pop(name, None)

    async def give(self, name: str) -> bool:
        """Hand it over. Returns whether another process has it now."""
        async with self._moving:
            heir = self._giving.get(name)
            if heir is None:
                # Somebody else has handed it over meanwhile, or it stays after all.
                return False
            lease = self._held.pop(name, None)
            try:
                if lease is None:
                    return False
                lease.lose()
                params = {**self._this(lease), "b_heir": heir, "length_ms": int(self._lease_s * 1_000)}
                given = await self._db.write(lambda tx: tx.all(_GIVE, params))
            finally:
                self._giving.pop(name, None)
        if given:
            self.wakeups.say_given(heir)
        return bool(given)

    async def free(self, owner_id: str) -> None:
        """Give back everything that a process held."""
        if owner_id == self._owner.id:
            # Whoever asked just before has the answer first: it would take a lease of a process that leaves.
            await asyncio.gather(*self._asking.values(), return_exceptions=True)
            for lease in self._held.values():
                lease.lose()
            self._held.clear()
        await self._db.put((_FREE, {"b_owner": owner_id}))
        if owner_id == self._owner.id:
            await self.wakeups.say_last()
        else:
            self.wakeups.say_freed()
