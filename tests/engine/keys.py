"""A desk of one process where keys are taken, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tablegram.engine.idempotency import Call, Idempotency, KeptAnswer
from tablegram.engine.owners import Owner
from tablegram.engine.rows import CallRow
from tablegram.storage.database import Database
from tablegram.values.clock import HOUR_MS
from tests.accounts.opened import MovableClock
from tests.storage.opened import opened

KEEP_MS = 24 * HOUR_MS
CALL = Call("/send", "key-1", "body-1")
DONE = KeptAnswer(200, b'{"said":"once"}')


class Desk:
    def __init__(self, db: Database) -> None:
        self.db = db
        self.clock = MovableClock()
        self.owner = Owner(db)
        self.keys = Idempotency(db, self.owner, self.clock, KEEP_MS)
        self.asked: list[str] = []

    def another_process(self) -> tuple[Owner, Idempotency]:
        owner = Owner(self.db)
        return owner, Idempotency(self.db, owner, self.clock, KEEP_MS)

    async def look(self, call: Call = CALL, account_id: int = 1) -> CallRow | None:
        return await self.db.write(lambda tx: self.keys.look(tx, account_id, call))

    async def reserve(self, call: Call = CALL, message_key: str | None = "m1", keys: Idempotency | None = None) -> None:
        await self.db.write(lambda tx: (keys or self.keys).reserve(tx, 1, call, message_key))

    async def present(self, message_key: str) -> KeptAnswer:
        self.asked.append(message_key)
        return KeptAnswer(200, b'{"said":"present"}')

    async def resolve(self, call: Call = CALL) -> KeptAnswer:
        row = await self.look(call)
        assert row is not None
        return await self.keys.resolve(row, call, self.present)


@asynccontextmanager
async def desk(database_url: str) -> AsyncIterator[Desk]:
    async with opened(database_url) as db:
        one = Desk(db)
        await one.owner.register()
        yield one
