"""The log of API calls, by request id. Written in batches beside the requests: it must never slow one down."""

from __future__ import annotations

import asyncio
import logging
import re

from tablegram.accounts.keys import bodies
from tablegram.accounts.keys.calls import CallFilter, Calls
from tablegram.accounts.rows import CallRow, NewCall
from tablegram.engine.timers import Bell
from tablegram.storage.database import Database, Params
from tablegram.values.ids import new_id

log = logging.getLogger("tablegram.api")

FLUSH_EVERY_S = 0.5
BATCH_ROWS = 200
# Half a minute of full speed. Beyond it the store is down, and the newest rows are dropped and counted.
MAX_WAITING = 50_000
# Of bodies that wait to be written. Beyond it calls are logged without them.
MAX_WAITING_BYTES = 8_000_000

_KEY = re.compile(r"(tg_(?:live|test)_)\w+")


class RequestLog:
    def __init__(self, db: Database) -> None:
        self.calls = Calls(db)
        self._rows: list[NewCall] = []
        self._task: asyncio.Task[None] | None = None
        self._full = Bell()
        self._stopping = False
        self.dropped = 0
        # What was asked and answered, by the row that it belongs to; empty unless an account wants it.
        self._bodies: dict[int, tuple[bytes, bytes]] = {}
        self._body_bytes = 0

    def add(self, row: NewCall, request: bytes = b"", answer: bytes = b"") -> None:
        """Take a row without its id, and its bodies where the account keeps them. Returns at once."""
        rows = self._rows
        if len(rows) >= MAX_WAITING:
            self.dropped += 1
            return
        rows.append(row)
        if request or answer:
            size = len(request) + len(answer)
            if self._body_bytes + size <= MAX_WAITING_BYTES:
                self._bodies[id(row)] = request, answer
                self._body_bytes += size
        if len(rows) == BATCH_ROWS:
            self._full.ring()

    async def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="request-log")

    async def stop(self) -> None:
        """Write what waits, and end."""
        self._stopping = True
        self._full.ring()
        if self._task is not None:
            await self._task
            self._task = None
        await self.flush()

    async def flush(self) -> None:
        """Write what waits now. What comes meanwhile has its own time: else each commit would take the few of the one before."""
        left = len(self._rows)
        while left > 0:
            most = min(left, BATCH_ROWS)
            left -= most
            batch, self._rows = self._rows[:most], self._rows[most:]
            for row in batch:
                row["id"] = new_id(row["created_at"])
            kept = await self._kept_of(batch) if self._bodies else []
            try:
                await self.calls.keep(batch, kept)
            except Exception as error:
                # The calls themselves were answered; the log alone has a gap, and says so.
                self.dropped += len(batch)
                log.warning("%d rows of the request log were lost: %s", len(batch), type(error).__name__)
                return

    async def _kept_of(self, batch: list[NewCall]) -> list[Params]:
        """The bodies of a batch, made fit to be kept; requests go on between two of them."""
        kept: list[Params] = []
        for row in batch:
            request, answer = self._bodies.pop(id(row), (b"", b""))
            if request or answer:
                self._body_bytes -= len(request) + len(answer)
                which = {"account_id": row["account_id"], "id": row["id"], "created_at": row["created_at"]}
                kept.append({**which, "request": bodies.shown(request), "answer": bodies.shown(answer)})
                await asyncio.sleep(0)
        return kept

    async def _run(self) -> None:
        while not self._stopping:
            await self._full.wait(FLUSH_EVERY_S)
            await self.flush()

    async def page(self, account_id: int, before: str, most: int, wanted: CallFilter | None = None) -> list[CallRow]:
        """The account's calls, newest first, older than `before` (the id of a row; empty: from the newest)."""
        return await self.calls.page(account_id, before, most, wanted)

    async def find(self, account_id: int, request_id: str) -> CallRow | None:
        return await self.calls.find(account_id, request_id)


def without_keys(text: str) -> str:
    """The text with every API key in it made useless: who pastes a key into an address must not find it logged."""
    return _KEY.sub(r"\1…", text) if "tg_" in text else text
