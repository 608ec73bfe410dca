"""What was said becomes findable, a little later: an indexer walks behind the messages, in both directions.

It also walks behind new contacts: what was sent to a number before anybody was known to have it is read then, so that
sending pays nothing for it. Where it stands in both walks are facts of the installation, committed together with the
words, so that a crash repeats nothing and loses nothing.
"""

from __future__ import annotations

import asyncio
import functools
import logging

from sqlalchemy import bindparam, func, select

from tablegram.crm import said
from tablegram.crm.merging import find_living
from tablegram.crm.store import contacts as contact_store
from tablegram.engine import crash_points
from tablegram.engine.leases import Lease, Leases
from tablegram.errors import LeaseLost
from tablegram.storage.database import Database, Query, Row, Tx
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import accounts, contacts, installation, messages
from tablegram.values.clock import Clock
from tablegram.values.ids import first_id

log = logging.getLogger("tablegram.contacts")

LEASE = "contacts index"
EVERY_S = 1.0
# A batch is a few milliseconds of the writer's time, and others take their turn between two of them. The same people
# are met several times in it and looked for once, but a larger one shows in the lag of what comes in meanwhile.
BATCH = 60
BETWEEN_S = 0.005
# Most newcomers were never written to before, so a batch of them costs little.
NEWCOMERS = 200
# Keys grow with time, but two at once may be committed in the other order; nobody is overtaken that is this old.
BEHIND_MS = 5_000

m = messages.c
c = contacts.c
# Up to which message, and up to which contact.
_FACT = "contacts_indexed:"
_MET = "contacts_met:"

_NEWEST = Query(
    across_accounts(
        select(
            accounts.c.id,
            select(func.max(m.id)).where(m.account_id == accounts.c.id).scalar_subquery().label("newest"),
            select(func.max(c.id)).where(c.account_id == accounts.c.id).scalar_subquery().label("newcomer"),
        ),
        "the engine works for every account",
    )
)
_CURSORS = Query(
    select(installation).where(installation.c.name.like(_FACT + "%") | installation.c.name.like(_MET + "%"))
)
_KEEP_CURSOR = Query(
    lambda dialect_insert: (
        dialect_insert(installation)
        .values(columns(installation))
        .on_conflict_do_update(
            index_elements=["name"], set_={"value": bindparam("value")}, where=installation.c.value < bindparam("value")
        )
    )
)
_NEXT = Query(
    select(m.id, m.phone, m.text)
    .where(m.account_id == bindparam("account_id"), m.id > bindparam("after"), m.id < bindparam("before"))
    .order_by(m.id)
    .limit(BATCH)
)
_NEWCOMERS = Query(
    select(c.id, c.merged_into)
    .where(c.account_id == bindparam("account_id"), c.id > bindparam("after"), c.id < bindparam("before"))
    .order_by(c.id)
    .limit(NEWCOMERS)
)


class Indexer:
    def __init__(self, db: Database, clock: Clock, leases: Leases) -> None:
        self._db = db
        self._clock = clock
        self._leases = leases

    async def index_forever(self) -> None:
        while True:
            if await self._leases.hold(LEASE):
                try:
                    await self.index(first_id(self._clock.now_ms() - BEHIND_MS))
                except LeaseLost:
                    log.info("another process has taken over the index of contacts")
            await asyncio.sleep(EVERY_S)

    async def index(self, before: str) -> int:
        """Index every message whose key is smaller; returns how many there were."""
        cursors = {row["name"]: row["value"] for row in await self._db.all(_CURSORS)}
        total = 0
        for row in await self._db.all(_NEWEST):
            after = cursors.get(f"{_FACT}{row['id']}", "")
            if row["newest"] is not None and row["newest"] > after:
                total += await self._index_account(row["id"], after, before)
            met = cursors.get(f"{_MET}{row['id']}", "")
            if row["newcomer"] is not None and row["newcomer"] > met:
                await self._meet_newcomers(row["id"], met, before)
        return total

    async def _index_account(self, account_id: int, after: str, before: str) -> int:
        total = 0
        while True:
            rows = await self._db.all(_NEXT, {"account_id": account_id, "after": after, "before": before})
            if not rows:
                return total
            after = rows[-1]["id"]
            fact = {"name": f"{_FACT}{account_id}", "value": after}
            await self._keep(account_id, said.words_of(rows), fact)
            crash_points.reach("index.committed")
            total += len(rows)
            await asyncio.sleep(BETWEEN_S)

    async def _meet_newcomers(self, account_id: int, after: str, before: str) -> None:
        """Index what was said under a contact's names before the contact was there."""
        while True:
            rows = await self._db.all(_NEWCOMERS, {"account_id": account_id, "after": after, "before": before})
            if not rows:
                return
            words = await self._db.snapshot(functools.partial(_said_before, account_id=account_id, newcomers=rows))
            after = rows[-1]["id"]
            await self._keep(account_id, words, {"name": f"{_MET}{account_id}", "value": after})
            await asyncio.sleep(BETWEEN_S)

    async def _keep(self, account_id: int, words: said.Said, fact: dict[str, str]) -> None:
        lease = await self._leases.hold(LEASE)
        if lease is None:
            raise LeaseLost("Another process indexes contacts.")
        await self._db.write(functools.partial(_keep, lease=lease, account_id=account_id, words=words, fact=fact))


async def _said_before(tx: Tx, account_id: int, newcomers: list[Row]) -> said.Said:
    # By the contact whose names they are now: one that was merged since has given them away.
    newest: dict[str, str] = {}
    for row in newcomers:
        living = row if row["merged_into"] is None else await find_living(tx, account_id, row["merged_into"])
        if living is not None:
            newest[living["id"]] = row["id"]
    aliases = await tx.gather(contact_store.ALIASES, [{"b_account": account_id, "b_id": one} for one in newest])
    # Keys grow with time, so what was said before has smaller ones; what came later is met by the other walk.
    return await said.earlier(tx, account_id, [(row["value"], newest[row["contact_id"]]) for row in aliases])


async def _keep(tx: Tx, lease: Lease, account_id: int, words: said.Said, fact: dict[str, str]) -> None:
    await lease.guard(tx)
    await said.keep(tx, account_id, words)
    await tx.run(_KEEP_CURSOR, fact)
    crash_points.reach("index.before_commit")
