"""What was said becomes findable, a little later: an indexer walks behind the messages, in both directions.

Where it stands is a fact of the installation, committed together with the words, so that a crash repeats nothing and
loses nothing.
"""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from sqlalchemy import bindparam, func, select

from tablegram.crm.store import contacts as contact_store
from tablegram.crm.store import terms as term_store
from tablegram.crm.terms import said_terms
from tablegram.engine.leases import Leases
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import accounts, installation, messages
from tablegram.values.clock import Clock
from tablegram.values.ids import first_id

EVERY_S = 1.0
# A batch is a few milliseconds of the writer's time, and others take their turn between two of them.
BATCH = 50
BETWEEN_S = 0.005
# Keys grow with time, but two at once may be committed in the other order; nobody is overtaken that is this old.
BEHIND_MS = 5_000

m = messages.c
_FACT = "contacts_indexed:"

_NEWEST = Query(
    across_accounts(
        select(
            accounts.c.id,
            select(func.max(m.id)).where(m.account_id == accounts.c.id).scalar_subquery().label("newest"),
        ),
        "the engine works for every account",
    )
)
_CURSORS = Query(select(installation).where(installation.c.name.like(_FACT + "%")))
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


class Indexer:
    def __init__(self, db: Database, clock: Clock, leases: Leases) -> None:
        self._db = db
        self._clock = clock
        self._leases = leases

    async def index_forever(self) -> None:
        while True:
            if await self._leases.hold("contacts index"):
                await self.index(first_id(self._clock.now_ms() - BEHIND_MS))
            await asyncio.sleep(EVERY_S)

    async def index(self, before: str) -> int:
        """Index every message whose key is smaller; returns how many there were."""
        cursors = {row["name"]: row["value"] for row in await self._db.all(_CURSORS)}
        total = 0
        for row in await self._db.all(_NEWEST):
            after = cursors.get(f"{_FACT}{row['id']}", "")
            if row["newest"] is not None and row["newest"] > after:
                total += await self._index_account(row["id"], after, before)
        return total

    async def _index_account(self, account_id: int, after: str, before: str) -> int:
        total = 0
        while True:
            rows = await self._db.all(_NEXT, {"account_id": account_id, "after": after, "before": before})
            if not rows:
                return total
            said: dict[str, dict[str, None]] = {}
            for row in rows:
                said.setdefault(row["phone"], {}).update(dict.fromkeys(said_terms(row["text"])))
            after = rows[-1]["id"]
            await self._db.write(functools.partial(_keep, account_id=account_id, said=said, cursor=after))
            total += len(rows)
            await asyncio.sleep(BETWEEN_S)


async def _keep(tx: Tx, account_id: int, said: dict[str, dict[str, None]], cursor: str) -> None:
    """The words go to whoever has the number now: nobody, if he was erased since the messages were read."""
    names = [
        {"account_id": account_id, "kind": kind, "value": value} for value in said for kind in ("phone", "user_id")
    ]
    found = await tx.gather(contact_store.FIND_ALIAS, names)
    rows: list[dict[str, Any]] = [
        {"account_id": account_id, "contact_id": row["contact_id"], "term": term, "source": "said"}
        for row in found
        for term in said[row["value"]]
    ]
    if rows:
        await tx.many(term_store.ADD, rows)
    await tx.run(_KEEP_CURSOR, {"name": f"{_FACT}{account_id}", "value": cursor})
