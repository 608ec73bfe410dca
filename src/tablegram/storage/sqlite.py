"""SQLite: one writing thread, a few reading ones. WAL, and every commit reaches the disk (`FULL`)."""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tablegram.errors import Problem, Unavailable
from tablegram.storage.group_commit import MAX_BATCH, NO_HORIZON, Tx, Unit, Work, perform, settle
from tablegram.storage.query import Query, R
from tablegram.storage.rows import Params

log = logging.getLogger("tablegram.storage")

READERS = 2
# Commands of the operator write beside the server in short transactions; the server waits for them.
BUSY_TIMEOUT_S = 10.0
# The writer's share of memory: with SQLite's own 2 MB the indexes of a busy day are read again for every commit. Beyond this
# more is no help: the indexes of a million messages fit into neither, and the system has their pages in memory anyway.
WRITER_CACHE_KB = 16_000
# How long the log grows (64 MB) before it is moved into the file. The same pages are written many times on a busy day;
# moved rarely, most of that is saved. No commit depends on it.
CHECKPOINT_PAGES = 16_000


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, isolation_level=None, timeout=BUSY_TIMEOUT_S, check_same_thread=False, cached_statements=512
    )
    connection.row_factory = sqlite3.Row
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("pragma foreign_keys = on")
    if read_only:
        connection.execute("pragma query_only = on")
    else:
        connection.execute(f"pragma cache_size = -{WRITER_CACHE_KB}")
        connection.execute(f"pragma wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return connection


class SqliteTx:
    """Runs in the writing thread. Its methods never really wait, so a unit of work is driven in one step."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.writes = 0

    async def run(self, query: Query, params: Params) -> int:
        form = query.form("sqlite")
        cursor = self._connection.execute(form.sql, form.values(params))
        # What returns rows has not happened before they are fetched.
        count = len(cursor.fetchall()) if cursor.description else cursor.rowcount
        cursor.close()
        self.writes += max(count, 0)
        return count

    async def many(self, query: Query, rows: Sequence[Params]) -> None:
        form = query.form("sqlite")
        self.writes += len(rows)
        if len(rows) == 1:
            self._connection.execute(form.sql, form.values(rows[0])).close()
            return
        if form.bulk is None:
            self._connection.executemany(form.sql, [form.values(row) for row in rows]).close()
            return
        for sql, values in form.bulk.runs(rows):
            self._connection.execute(sql, values).close()

    async def all(self, query: Query[R], params: Params) -> list[R]:
        form = query.form("sqlite")
        rows: list[R] = self._connection.execute(form.sql, form.values(params)).fetchall()
        self.writes += len(rows) if form.changes_rows else 0
        return rows

    async def first(self, query: Query[R], params: Params) -> R | None:
        rows = await self.all(query, params)
        return rows[0] if rows else None

    async def gather(self, query: Query[R], rows: Sequence[Params]) -> list[R]:
        form = query.form("sqlite")
        # One row stays as it is, which is a little less work for the store.
        bulk = form.bulk if len(rows) > 1 else None
        found: list[R] = []
        for sql, values in bulk.runs(rows) if bulk else ((form.sql, form.values(row)) for row in rows):
            found += self._connection.execute(sql, values).fetchall()
        self.writes += len(found) if form.changes_rows else 0
        return found


def _drive(work: Awaitable[Any]) -> Any:
    """Run a coroutine that never waits for anything but its transaction."""
    steps = work.__await__()
    try:
        next(steps)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("a unit of work may wait for its transaction only")


class SqliteDatabase:
    dialect = "sqlite"
    connect_listener = None

    def __init__(self, path: Path) -> None:
        self._path = path
        self._queue: queue.SimpleQueue[Unit | None] = queue.SimpleQueue()
        # Taken from the queue too early, and those that let others go first; only the writing thread looks here.
        self._held: deque[Unit | None] = deque()
        self._patient: deque[Unit] = deque()
        self._is_their_turn = False
        self._is_flushing = True
        self._local = threading.local()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="tablegram-read")
        self._reader_connections: list[sqlite3.Connection] = []
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        connection = connect(self._path)
        mode = connection.execute("pragma journal_mode").fetchone()[0]
        if mode != "wal":
            raise Unavailable(f"The file system of {self._path} does not support write-ahead logging (mode {mode}).")
        self._thread = threading.Thread(
            target=self._write_forever, args=(connection,), name="tablegram-write", daemon=True
        )
        self._thread.start()

    async def close(self) -> None:
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        self._readers.shutdown(wait=True)
        for connection in self._reader_connections:
            connection.close()

    def submit(
        self,
        statements: Sequence[tuple[Query, Params]],
        work: Work | None = None,
        *,
        aside: bool = False,
        patient: bool = False,
        flushed: bool = True,
        asks: Sequence[Query] = (),
    ) -> asyncio.Future[Any]:
        """A file has one writer, so nothing is committed aside."""
        assert self._loop is not None, "the database is not open"
        unit = Unit(self._loop.create_future(), statements, work, patient=patient, flushed=flushed, asks=asks)
        self._queue.put(unit)
        return unit.future

    async def horizon(self) -> int:
        # One writer at a time: whatever is committed later is numbered later.
        return NO_HORIZON

    async def read(self, function: Callable[[Tx], Awaitable[Any]]) -> Any:
        assert self._loop is not None, "the database is not open"
        return await self._loop.run_in_executor(self._readers, self._read, function)

    async def read_rows(self, query: Query[R], params: Params) -> list[R]:
        """One statement sees one moment by itself."""
        assert self._loop is not None, "the database is not open"
        return await self._loop.run_in_executor(self._readers, self._read_once, query, params)

    def _read_once(self, query: Query[R], params: Params) -> list[R]:
        try:
            rows: list[R] = _drive(SqliteTx(self._reader()).all(query, params))
        except sqlite3.Error as error:
            raise translate(error) from error
        return rows

    def _read(self, function: Callable[[Tx], Awaitable[Any]]) -> Any:
        try:
            connection = self._reader()
            try:
                # One snapshot for everything that the function reads.
                connection.execute("begin")
                return _drive(function(SqliteTx(connection)))
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")
        except sqlite3.Error as error:
            raise translate(error) from error

    def _reader(self) -> sqlite3.Connection:
        """This thread's own connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = connect(self._path, read_only=True)
            self._reader_connections.append(connection)
        return connection

    def _write_forever(self, connection: sqlite3.Connection) -> None:
        assert self._loop is not None
        tx = SqliteTx(connection)
        while (first := self._first()) is not None:
            batch = [first] if first.is_patient else [first, *self._waiting(MAX_BATCH - 1)]
            # Who came meanwhile waits for the disk, and so joins nobody who does not.
            self._commit(connection, tx, batch, self._late if first.is_flushed else _nobody)
            self._loop.call_soon_threadsafe(settle, batch)
        connection.close()

    def _first(self) -> Unit | None:
        """Whoever comes next: one of all that wait, or in their turn one of the patient."""
        while not (self._patient and self._is_their_turn):
            if self._held:
                unit = self._held.popleft()
            elif self._patient and self._queue.empty():
                break
            else:
                unit = self._queue.get()
            if unit is None and self._patient:
                # The end comes after all that wait.
                self._held.append(unit)
                break
            if unit is None or not unit.is_patient:
                self._is_their_turn = True
                return unit
            self._patient.append(unit)
        self._is_their_turn = False
        return self._patient.popleft()

    def _waiting(self, most: int, *, plain: bool = False) -> Iterator[Unit]:
        """What is there by now, as far as the next that has to wait: the end, or for the `plain` ones a function."""
        while most > 0 and not self._held:
            try:
                unit = self._queue.get_nowait()
            except queue.Empty:
                return
            if unit is not None and unit.is_patient:
                self._patient.append(unit)
                continue
            if unit is None or (plain and unit.work is not None):
                self._held.append(unit)
                return
            most -= 1
            yield unit

    def _late(self, batch: list[Unit]) -> list[Unit]:
        """Plain statements that came while a batch was being worked on: they need not wait for its commit and another."""
        return list(self._waiting(MAX_BATCH - len(batch), plain=True))

    def _commit(
        self, connection: sqlite3.Connection, tx: SqliteTx, batch: list[Unit], late: Callable[[list[Unit]], list[Unit]]
    ) -> None:
        """Commit a batch, to which `late` may add."""
        try:
            self._flush(connection, batch[0].is_flushed)
            connection.execute("begin immediate")
            _drive(perform(tx, batch))
            joined = late(batch)
            batch += joined
            if joined:
                _drive(perform(tx, joined))
            connection.execute("commit")
        except BaseException as error:
            _roll_back(connection)
            # With the disk full or the file locked, trying each unit alone would only make everybody wait longer.
            if len(batch) == 1 or isinstance(error, sqlite3.OperationalError):
                for unit in batch:
                    unit.error = translate(error)
                return
            for unit in batch:
                self._commit(connection, tx, [unit], _nobody)

    def _flush(self, connection: sqlite3.Connection, is_flushed: bool) -> None:
        """Whether the next commit waits for the disk. A failure is that of the commit: none is flushed less than it asked for."""
        if is_flushed != self._is_flushing:
            connection.execute(f"pragma synchronous = {'full' if is_flushed else 'normal'}")
            self._is_flushing = is_flushed


def _nobody(_batch: list[Unit]) -> list[Unit]:
    return []


def _roll_back(connection: sqlite3.Connection) -> None:
    try:
        if connection.in_transaction:
            connection.execute("rollback")
    except sqlite3.Error:
        # The writing thread must outlive a broken disk; the next transaction starts by finding out how things are.
        log.exception("a transaction could not be rolled back")


def translate(error: BaseException) -> BaseException:
    """A caller is told that storage is down, whatever the driver calls it; constraint errors stay what they are."""
    if isinstance(error, sqlite3.IntegrityError | Problem):
        return error
    if isinstance(error, sqlite3.OperationalError):
        unavailable = Unavailable(
            "The store cannot be written right now. Nothing was kept; try again.", retry_after_s=1
        )
        # What a file does not take is rolled back.
        unavailable.is_undone = True
        return unavailable
    return error
