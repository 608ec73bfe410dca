"""What was said becomes findable, a little later: an indexer walks behind the messages, in both directions.

It also walks behind new contacts: what was sent to a number before anybody was known to have it is read then, so that
sending pays nothing for it. Where it stands in both walks are facts of the installation, committed together with the
words, so that a crash repeats nothing and loses nothing.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator

from tablegram.crm.merging import find_living
from tablegram.crm.rows import Newcomer
from tablegram.crm.said.words import Said, earlier, finds, keep, words_of
from tablegram.crm.store import contacts as contact_store
from tablegram.crm.store import indexing as store
from tablegram.engine import crash_points
from tablegram.engine.drains import Drain, Piecework, guarded
from tablegram.engine.leases import Leases
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import first_id

EVERY_S = 1.0
# When nothing was said. What is said is findable five seconds later in any case.
QUIET_S = 3.0
# A batch is a few milliseconds of the writer's time, and others take their turn between two of them. The same people
# are met several times in it and looked for once, but a larger one shows in the lag of what comes in meanwhile.
BATCH = 60
BETWEEN_S = 0.005
# Keys grow with time, but two at once may be committed in the other order; nobody is overtaken that is this old.
BEHIND_MS = 5_000


class Indexer(Piecework):
    every_s = EVERY_S
    between_s = BETWEEN_S
    quiet_s = QUIET_S

    def __init__(self, db: Database, clock: Clock, leases: Leases) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self.drain = Drain("contacts index", self, leases, retry_s=EVERY_S)

    def pieces(self) -> AsyncIterator[int]:
        return self._batches(first_id(self._clock.now_ms() - BEHIND_MS))

    async def index(self, before: str) -> int:
        """Index every message whose key is smaller; returns how many there were."""
        return sum([count async for count in self._batches(before)]) if await self.drain.hold() else 0

    async def _batches(self, before: str) -> AsyncIterator[int]:
        """Batch after batch of every account; how many messages each held."""
        cursors = {row["name"]: row["value"] for row in await self._db.all(store.CURSORS)}
        for row in await self._db.all(store.NEWEST):
            after = cursors.get(f"{store.INDEXED}{row['id']}", "")
            if row["newest"] is not None and row["newest"] > after:
                async for count in self._index_account(row["id"], after, before):
                    yield count
            met = cursors.get(f"{store.MET}{row['id']}", "")
            if row["newcomer"] is not None and row["newcomer"] > met:
                async for count in self._meet_newcomers(row["id"], met, before):
                    yield count

    async def _index_account(self, account_id: int, after: str, before: str) -> AsyncIterator[int]:
        which = {"account_id": account_id, "before": before, "most": BATCH}
        passed = False
        while rows := await self._db.all(store.NEXT, {**which, "after": after}):
            after = rows[-1]["id"]
            words = words_of(row for row in rows if finds(row))
            # A campaign is passed over, and where it ends is noted once.
            passed = not words and len(rows) == BATCH
            if not passed:
                await self._keep(account_id, words, {"name": f"{store.INDEXED}{account_id}", "value": after})
                crash_points.reach("index.committed")
            yield len(rows)
        if passed:
            await self._keep(account_id, {}, {"name": f"{store.INDEXED}{account_id}", "value": after})

    async def _meet_newcomers(self, account_id: int, after: str, before: str) -> AsyncIterator[int]:
        """Index what was said under a contact's names before the contact was there."""
        which = {"account_id": account_id, "before": before}
        while rows := await self._db.all(store.NEWCOMERS, {**which, "after": after}):
            words = await self._db.snapshot(functools.partial(_said_before, account_id=account_id, newcomers=rows))
            after = rows[-1]["id"]
            await self._keep(account_id, words, {"name": f"{store.MET}{account_id}", "value": after})
            yield 0

    async def _keep(self, account_id: int, words: Said, fact: dict[str, str]) -> None:
        keep = functools.partial(_keep, account_id=account_id, words=words, fact=fact)
        await self._db.write(guarded(self.lease, keep), patient=True, flushed=False)


async def _said_before(tx: Tx, account_id: int, newcomers: list[Newcomer]) -> Said:
    # By the contact whose names they are now: one that was merged since has given them away.
    newest: dict[str, str] = {}
    for row in newcomers:
        living = row if row["merged_into"] is None else await find_living(tx, account_id, row["merged_into"])
        if living is not None:
            newest[living["id"]] = row["id"]
    aliases = await tx.gather(contact_store.ALIASES, [{"b_account": account_id, "b_id": one} for one in newest])
    # Keys grow with time, so what was said before has smaller ones; what came later is met by the other walk.
    return await earlier(tx, account_id, [(row["value"], newest[row["contact_id"]]) for row in aliases])


async def _keep(tx: Tx, account_id: int, words: Said, fact: dict[str, str]) -> None:
    await keep(tx, account_id, words)
    await tx.run(store.KEEP_CURSOR, fact)
    crash_points.reach("index.before_commit")
