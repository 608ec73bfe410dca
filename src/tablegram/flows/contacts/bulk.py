"""Many contacts at once: tagged, untagged or erased by the engine, piece by piece."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable

import msgspec

from tablegram.accounts.audit import Acting, Actor, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import bulk
from tablegram.crm.bulk import Act, Chosen
from tablegram.crm.rows import JobRow
from tablegram.crm.store import jobs as store
from tablegram.engine import crash_points
from tablegram.engine.drains import Depth, Drain, Piecework, guarded
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.engine.leases import Leases
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.flows.contacts.answers import ContactJob, ContactJobPage
from tablegram.flows.contacts.erasure import Erasure
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import following, from_newest
from tablegram.values.ids import new_id

LOOK_EVERY_S = 5.0
MAX_IDS, MAX_TAG = 1_000, 60
# More than an account may have; what is counted is bounded all the same.
MAX_COUNTED = 10_000_000
# Jobs of one account at a time, and of all that are looked at in one round.
MAX_RUNNING, ROUND = 5, 50

# Told how far a job is: account and job.
Told = Callable[[int, str], None]


class BulkJobs:
    """What people do with many contacts."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, wake: Callable[[], None]
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._wake = wake

    async def count(self, caller: Caller, chosen: Chosen) -> int:
        caller.require("contacts:read")
        return await self._db.snapshot(lambda tx: bulk.count(tx, caller.account_id, chosen, MAX_COUNTED))

    async def start(self, caller: Caller, act: Act, tag: str, chosen: Chosen, call: Call) -> ContactJob:
        """`begin`, for who wants to know of the job and not of the call."""
        return (await self.begin(caller, act, tag, chosen, call)).value

    async def begin(
        self, caller: Caller, act: Act, tag: str, chosen: Chosen, call: Call, expects: int | None = None
    ) -> Result[ContactJob]:
        """Have it done with everybody who is meant. It goes on by itself, whatever happens to this process.

        Who `expects` another count than there is has nothing done.
        """
        caller.require("contacts:manage")
        tag = " ".join(tag.split())
        if act != "erase" and not 0 < len(tag) <= MAX_TAG:
            raise Invalid.field("tag", "tag_wrong", f"Write a tag of at most {MAX_TAG} characters.")
        if chosen.ids is not None and not 0 < len(chosen.ids) <= MAX_IDS:
            raise Invalid.field("id", "nobody_chosen", f"Choose 1 to {MAX_IDS:,} contacts.")
        acting, actor, now = self._audit.acting(caller), Actor.of(caller), self._clock.now_ms()

        async def work(tx: Tx) -> Result[ContactJob]:
            running = await tx.all(store.UNDER_WAY, {"b_account": caller.account_id, "most": MAX_RUNNING})
            if len(running) == MAX_RUNNING:
                raise Conflict(f"{MAX_RUNNING} such jobs are running. Wait for one to end.", code="jobs_full")
            total = await bulk.count(tx, caller.account_id, chosen, MAX_COUNTED)
            if expects not in (None, total):
                raise Conflict(
                    f"This means {total:,} contacts. Look at them, and send that figure.", code="count_differs"
                )
            row: JobRow = {
                "account_id": caller.account_id,
                "id": new_id(now),
                "act": act,
                "tag": tag if act != "erase" else "",
                "chosen": msgspec.json.encode(chosen).decode(),
                "behind": "",
                "state": "running",
                "total": total,
                "done": 0,
                "created_by": msgspec.json.encode([actor.kind, actor.id, actor.name]).decode(),
                "created_at": now,
                "finished_at": None,
            }
            await tx.run(store.INSERT, row)
            # How many, and not who was looked for: the log outlives the contact.
            await acting.note(tx, f"contacts.bulk_{act}", "contacts", "", {"contacts": total})
            return Result(_view(row), 202)

        answer = await self._idempotency.once_for(ContactJob, caller.account_id, call, work)
        self._wake()
        return answer

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> ContactJobPage:
        """Newest first."""
        caller.require("contacts:read")
        before = from_newest(cursor)
        rows = await self._db.all(store.PAGE, {"b_account": caller.account_id, "before": before, "most": limit + 1})
        return ContactJobPage(data=[_view(row) for row in rows[:limit]], next_cursor=following(rows, limit))

    async def get(self, caller: Caller, job_id: str) -> ContactJob:
        caller.require("contacts:read")
        row = await self._db.first(store.GET, {"b_account": caller.account_id, "b_id": job_id})
        if row is None:
            raise NotFound(no_such("job"), code="job_unknown")
        return _view(row)

    async def running(self, caller: Caller) -> list[ContactJob]:
        caller.require("contacts:read")
        rows = await self._db.all(store.UNDER_WAY, {"b_account": caller.account_id, "most": MAX_RUNNING})
        return [_view(row) for row in rows]


class BulkWork(Piecework):
    """The engine's part, a piece of each job in turn."""

    every_s = LOOK_EVERY_S

    def __init__(self, db: Database, clock: Clock, leases: Leases, erasure: Erasure, told: Told) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._erasure = erasure
        self._told = told
        self.tag_followers: list[bulk.Tagged] = []
        self.drain = Drain("contact jobs", self, leases, depth=Depth(db, clock, store.WAITING))

    async def pieces(self) -> AsyncIterator[None]:
        going = True
        while going:
            going = False
            for job in await self._db.all(store.RUNNING, {"most": ROUND}):
                going |= await (self._erase(job) if job["act"] == "erase" else self._tag(job))
                crash_points.reach("bulk.committed")
                self._told(job["account_id"], job["id"])
                yield

    async def _tag(self, job: JobRow) -> bool:
        piece = functools.partial(bulk.tag_piece, job=job, now_ms=self._clock.now_ms(), followers=self.tag_followers)
        return await self._db.write(guarded(self.lease, piece))

    async def _erase(self, job: JobRow) -> bool:
        """The next person; whether there may be more now. One who is just being imported is tried again later."""
        ids = await self._db.snapshot(lambda tx: bulk.following(tx, job, 1))
        if ids:
            kind, actor_id, name = msgspec.json.decode(job["created_by"])
            acting = Acting(self._clock, job["account_id"], Actor(kind, actor_id, name), "")
            try:
                await self._erasure.erase_for(job["account_id"], ids[0], acting)
            except NotFound:
                pass
            except Conflict:
                return False
        now = self._clock.now_ms()
        note = functools.partial(bulk.advance, job=job, ids=ids, now_ms=now, is_last=not ids)
        await self._db.write(guarded(self.lease, note))
        return bool(ids)


def _view(row: JobRow) -> ContactJob:
    return ContactJob(
        id=row["id"],
        act=row["act"],
        tag=row["tag"],
        state=row["state"],
        total=row["total"],
        done=row["done"],
        created_at=iso(row["created_at"]),
        finished_at=iso(row["finished_at"]),
    )
