"""Importing contacts: the table is checked, shown, agreed to, and then brought in by the engine."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec

from tablegram.accounts import store as account_store
from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm.importing import bringing_in
from tablegram.crm.importing.checking import CHECK, Entry, Existing, Looked, Table, pack, sample, unpack
from tablegram.crm.rows import ImportRow, ImportTable, WhichImport
from tablegram.crm.store import imports as store
from tablegram.engine import crash_points
from tablegram.engine.drains import Depth, Drain, Piecework, guarded
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.engine.leases import Leases
from tablegram.errors import Conflict, NotFound, no_such
from tablegram.flows.contacts.answers import ImportPage, ImportView, WrongRow
from tablegram.flows.contacts.home_country import HomeCountry
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, Clock, iso
from tablegram.values.cursor import following, from_newest
from tablegram.values.files.filenames import clean_filename
from tablegram.values.ids import new_id
from tablegram.workshop.ports import Workshop

log = logging.getLogger("tablegram.imports")

LOOK_EVERY_S = 5.0
# Sends come between two pieces.
BETWEEN_S = 0.005
# Accounts whose tables come in side by side, each unpacked in memory meanwhile.
AT_ONCE = 4
# A table that was looked at and not agreed to holds numbers of people, and is thrown away.
UNDECIDED_MS = DAY_MS

# Told how far an import is: account and import.
Told = Callable[[int, str], None]


class _Wrong(msgspec.Struct):
    """What was wrong with a table, as it is kept."""

    wrong: int
    rows: list[WrongRow]
    ignored: list[str]


_WRONG = msgspec.json.Decoder(_Wrong)


class Imports:
    """What people and programs do with imports."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, wake: Callable[[], None],
        workshop: Workshop, home: HomeCountry,
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._wake = wake
        self._workshop = workshop
        self._home = home

    async def check(self, caller: Caller, raw: bytes, filename: str, call: Call) -> Result[ImportView]:
        """Look at every row of a table and keep the good ones aside. Nothing is imported yet."""
        caller.require("contacts:manage")
        earlier = await self._idempotency.earlier_for(ImportView, caller.account_id, call)
        if earlier is not None:
            return earlier
        name = clean_filename(filename) or "contacts.csv"
        await self._need_room(caller)
        table = Table(raw, source=f"import {name}"[:200], country=await self._home.of(caller.account_id))
        row = self._row(caller, name, await self._workshop.do(caller.account_id, CHECK, table))

        async def work(tx: Tx) -> Result[ImportView]:
            # One after another, so that the count holds.
            await tx.first(account_store.LOCK_ACCOUNT, {"id": caller.account_id})
            await bringing_in.need_room(tx, caller.account_id)
            await tx.run(store.INSERT, row)
            return Result(_view(row), 201)

        return await self._idempotency.once_for(ImportView, caller.account_id, call, work)

    async def _need_room(self, caller: Caller) -> None:
        """Nobody reads a table that could not be kept."""
        await self._db.snapshot(lambda tx: bringing_in.need_room(tx, caller.account_id))

    def _row(self, caller: Caller, filename: str, looked: Looked) -> ImportTable:
        now = self._clock.now_ms()
        return {
            "account_id": caller.account_id,
            "id": new_id(now),
            "kind": "contacts",
            "filename": filename,
            "state": "checked",
            "total": looked.total,
            "done": 0,
            "skipped": 0,
            "errors": looked.errors,
            "rows": looked.rows,
            "created_by": caller.key_name or caller.key_id,
            "created_at": now,
            "finished_at": None,
        }

    async def get(self, caller: Caller, import_id: str) -> ImportView:
        caller.require("contacts:read")
        return _view(await self._db.snapshot(lambda tx: _find(tx, caller, import_id)))

    async def sample(self, caller: Caller, import_id: str) -> list[Entry]:
        """The first good rows as they were understood, while the import waits for an answer."""
        caller.require("contacts:manage")
        row = await self._db.first(store.ROWS, {"b_account": caller.account_id, "b_id": import_id})
        if row is None or row["rows"] is None:
            return []
        return sample((await asyncio.to_thread(unpack, bytes(row["rows"]))).entries)

    async def refused(self, caller: Caller, import_id: str) -> tuple[list[str], dict[int, list[str]]]:
        """The headings and the wrong rows by their lines, as they stood in the table; nothing once the table is gone."""
        caller.require("contacts:manage")
        row = await self._db.first(store.ROWS, {"b_account": caller.account_id, "b_id": import_id})
        if row is None or row["rows"] is None:
            return [], {}
        plan = await asyncio.to_thread(unpack, bytes(row["rows"]))
        return plan.headings, {one.row: one.cells for one in plan.refused}

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> ImportPage:
        """Newest first."""
        caller.require("contacts:read")
        before = from_newest(cursor)
        rows = await self._db.all(store.PAGE, {"b_account": caller.account_id, "before": before, "most": limit + 1})
        return ImportPage(data=[_view(row) for row in rows[:limit]], next_cursor=following(rows, limit))

    async def start(self, caller: Caller, import_id: str, existing: Existing, call: Call) -> Result[ImportView]:
        """Agree to all good rows. They come in by themselves from here on, whatever happens to this process."""
        caller.require("contacts:manage")
        which = {"b_account": caller.account_id, "b_id": import_id}
        kept = await self._db.first(store.ROWS, which)
        packed = None
        if kept is not None and kept["rows"] is not None:
            packed = await asyncio.to_thread(_choose, bytes(kept["rows"]), existing)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[ImportView]:
            row = await _find(tx, caller, import_id)
            if row["state"] != "checked" or packed is None:
                raise Conflict(f"This import is {row['state']} already.", code="state_conflict")
            if not row["total"]:
                raise Conflict("No row of this table can be imported.", code="state_conflict")
            await tx.run(store.START, {**which, "new_rows": packed})
            told = {"filename": row["filename"], "rows": row["total"], "existing": existing}
            await acting.note(tx, "contacts.imported", "import", import_id, told)
            return Result(_view({**row, "state": "running"}), 202)

        answer = await self._idempotency.once_for(ImportView, caller.account_id, call, work)
        self._wake()
        return answer

    async def refuse(self, caller: Caller, import_id: str) -> ImportView:
        """Throw the table away. What is running already comes in."""
        caller.require("contacts:manage")

        async def work(tx: Tx) -> ImportRow:
            row = await _find(tx, caller, import_id)
            done = await tx.run(
                store.REFUSE, {"b_account": caller.account_id, "b_id": import_id, "now": self._clock.now_ms()}
            )
            if not done and row["state"] != "refused":
                raise Conflict(f"This import is {row['state']} already.", code="state_conflict")
            return await _find(tx, caller, import_id)

        return _view(await self._db.write(work))


class Importer(Piecework):
    """The engine's part: brings in what was agreed to, piece by piece, by turns between accounts."""

    every_s = LOOK_EVERY_S
    between_s = BETWEEN_S

    def __init__(self, db: Database, clock: Clock, leases: Leases) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._listeners: list[Told] = []
        self.drain = Drain("contact imports", self, leases, depth=Depth(db, clock, store.WAITING))

    def listen(self, told: Told) -> None:
        """Have `told(account_id, import_id)` called after every piece."""
        self._listeners.append(told)

    async def pieces(self) -> AsyncIterator[None]:
        turns = _Turns()
        while True:
            for which in turns.choose(await self._db.all(store.RUNNING)):
                turns.begin(which, self._import(which))
            if not turns.under_way:
                break
            for account_id, pieces in turns.under_way.items():
                async for _ in pieces:
                    yield
                    break
                else:
                    turns.end(account_id)
        now = self._clock.now_ms()
        await self._db.put((store.FORGET_OLD, {"before": now - UNDECIDED_MS, "now": now}))

    async def _import(self, which: WhichImport) -> AsyncIterator[None]:
        row = await self._db.first(store.ROWS, {"b_account": which["account_id"], "b_id": which["id"]})
        if row is None or row["state"] != "running" or row["rows"] is None:
            return
        plan = await asyncio.to_thread(unpack, bytes(row["rows"]))
        done = row["done"]
        while done < len(plan.entries):
            advance = functools.partial(bringing_in.advance, row=row, plan=plan, done=done, now_ms=self._clock.now_ms())
            done = await self._db.write(guarded(self.lease, advance))
            crash_points.reach("import.committed")
            for told in self._listeners:
                told(row["account_id"], row["id"])
            yield
        log.info("import %s: all of its %s rows are in", row["id"], len(plan.entries))


class _Turns:
    """Whose import goes on: few at once, of different accounts, piece by piece in turn. Each is begun once."""

    def __init__(self) -> None:
        self.under_way: dict[int, AsyncIterator[None]] = {}
        self._begun: set[tuple[int, str]] = set()
        self._served: Counter[int] = Counter()

    def choose(self, running: Sequence[WhichImport]) -> list[WhichImport]:
        """The oldest of each account that has none under way, first of those that have come in least."""
        new = [row for row in running if (row["account_id"], row["id"]) not in self._begun]
        oldest = {row["account_id"]: row for row in reversed(new) if row["account_id"] not in self.under_way}
        first = sorted(oldest.values(), key=lambda row: (self._served[row["account_id"]], row["id"]))
        return first[: AT_ONCE - len(self.under_way)]

    def begin(self, row: WhichImport, pieces: AsyncIterator[None]) -> None:
        self._begun.add((row["account_id"], row["id"]))
        self._served[row["account_id"]] += 1
        self.under_way = {**self.under_way, row["account_id"]: pieces}

    def end(self, account_id: int) -> None:
        self.under_way = {one: pieces for one, pieces in self.under_way.items() if one != account_id}


def _choose(packed: bytes, existing: Existing) -> bytes:
    return pack(msgspec.structs.replace(unpack(packed), existing=existing))


async def _find(tx: Tx, caller: Caller, import_id: str) -> ImportRow:
    row = await tx.first(store.GET, {"b_account": caller.account_id, "b_id": import_id})
    if row is None:
        raise NotFound(no_such("import"), code="import_unknown")
    return row


def _view(row: ImportRow) -> ImportView:
    told = _WRONG.decode(row["errors"])
    return ImportView(
        id=row["id"],
        filename=row["filename"],
        state=row["state"],
        # Good rows; how many of them are in; how many of those were known and left as they were.
        total=row["total"],
        done=row["done"],
        kept=row["skipped"],
        wrong=told.wrong,
        errors=told.rows,
        ignored_columns=told.ignored,
        created_by=row["created_by"],
        created_at=iso(row["created_at"]),
        finished_at=iso(row["finished_at"]),
    )
