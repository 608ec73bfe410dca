"""PostgreSQL through asyncpg: one connection commits groups, one short ones beside it, one what is patient; a pool reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg

from tablegram.errors import Problem, Unavailable
from tablegram.storage.connections.planning import ANEW, Planning, told
from tablegram.storage.connections.silence import STATEMENT_S, Silence
from tablegram.storage.group_commit import MAX_BATCH, CameSecond, Tx, Unit, Work, perform, settle
from tablegram.storage.query import Query, R
from tablegram.storage.rows import Params

READERS = 8
CONNECT_TIMEOUT_S = 5.0
CLOSE_WITHIN_S = 10.0
# Times 4 MB, as servers are set: what one step of one reading statement may take.
HASHES = "4"
# So often a unit runs that gave way to another process's, which was first, or waited for it as it waited for that one.
MOST_TRIES = 3
_GAVE_WAY = (asyncpg.DeadlockDetectedError, CameSecond)

# Events are numbered when they are written and seen when they are committed, which two processes may do in another
# order. So a transaction that may write events says first, as a lock that nobody waits for, from which number on: until
# it has ended, nobody reads past that. The lock's first half names the sequence, its second half the number.
_BEGIN = "begin"
_BEGIN_NUMBERED = """
begin; select pg_advisory_xact_lock_shared(
    (to_regclass('events_seq_seq')::oid::bigint - 2147483648)::int,
    ((coalesce(pg_sequence_last_value(to_regclass('events_seq_seq')), 0) & 4294967295) - 2147483648)::int
)
"""
_UNFLUSHED = "set local synchronous_commit = off"
# The last number is read before the locks: whoever has taken a smaller one has locked before, and is seen to. Whoever began
# in between has announced a larger one, and holds back nothing that was read. Only the lower half of a number is announced.
_HORIZON = """
with top as materialized (select coalesce(pg_sequence_last_value(to_regclass('events_seq_seq')), 0) as seq)
select least(top.seq, (
    select min(top.seq - greatest(0, ((top.seq - objid::bigint) & 4294967295) - 2147483648)) from pg_locks
    where locktype = 'advisory' and objsubid = 2 and mode = 'ShareLock' and granted and top.seq is not null
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = (to_regclass('events_seq_seq')::oid::bigint + 2147483648) & 4294967295
)) from top
"""

_DOWN = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    # What the client says when the server hangs up at the moment something is asked.
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
    OSError,
    TimeoutError,
)
# A server that says so has rolled back what it was asked. One that says nothing any more may have done it.
_UNDONE = (
    asyncpg.QueryCanceledError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
)
_SILENT = "The store stopped answering. Whether this was kept is not known; repeat it with its Idempotency-Key."
# Whatever the server says instead of letting us in, the store is down as far as a caller is concerned.
_NOT_LET_IN = (*_DOWN, asyncpg.PostgresError)


class PostgresTx:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.writes = 0
        # What it has asked the server so far.
        self.steps = 0

    def abort(self) -> None:
        self._connection.terminate()

    async def run(self, query: Query, params: Params) -> int:
        form = query.form("postgresql")
        self.steps += 1
        status = await self._connection.execute(form.sql, *form.values(params))
        count = int(status.rsplit(" ", 1)[-1])
        self.writes += count
        return count

    async def many(self, query: Query, rows: Sequence[Params]) -> None:
        if not rows:
            return
        form = query.form("postgresql")
        self.steps += 1
        self.writes += len(rows)
        if len(rows) == 1:
            await self._connection.execute(form.sql, *form.values(rows[0]))
        elif form.bulk is not None:
            for sql, values in form.bulk.runs(rows):
                await self._connection.execute(sql, *values)
        else:
            await self._connection.executemany(form.sql, [form.values(row) for row in rows])

    async def all(self, query: Query[R], params: Params) -> list[R]:
        form = query.form("postgresql")
        self.steps += 1
        rows: list[R] = await self._connection.fetch(form.sql, *form.values(params))
        self.writes += len(rows) if form.changes_rows else 0
        return rows

    async def first(self, query: Query[R], params: Params) -> R | None:
        rows = await self.all(query, params)
        return rows[0] if rows else None

    async def gather(self, query: Query[R], rows: Sequence[Params]) -> list[R]:
        if not rows:
            return []
        form = query.form("postgresql")
        self.steps += 1
        found: list[R] = []
        if len(rows) == 1:
            # Two thirds of what the client takes for many.
            found = await self._connection.fetch(form.sql, *form.values(rows[0]))
        elif form.bulk is not None:
            for sql, values in form.bulk.runs(rows):
                found += await self._connection.fetch(sql, *values)
        else:
            # One round trip for all of them.
            found = await self._connection.fetchmany(form.sql, [form.values(row) for row in rows])
        self.writes += len(found) if form.changes_rows else 0
        return found


class PostgresDatabase:
    dialect = "postgresql"

    def __init__(self, url: str, idle_s: float) -> None:
        """`idle_s`: for so long a process that hangs in a transaction keeps others from reading on, and its locks."""
        self._url = url
        self._idle_ms = int(idle_s * 1_000)
        self._pool: Any = None
        self._silence = Silence(self._give_up)
        self._watching: asyncio.Task[None] | None = None
        self._expiring: asyncio.Future[None] | None = None
        self._planning = Planning()
        self._counting: asyncio.Task[None] | None = None
        self._main = _Committer(self._connect_writer, self._silence, self._planning, _BEGIN_NUMBERED)
        # While one connection waits for the server's word on a large unit, the other acknowledges what comes in.
        self._side = _Committer(self._connect_writer, self._silence, self._planning, is_short=True)
        # Pieces of much work that nobody waits for, one after the other: nobody waits for one of these either.
        self._patient = _Committer(self._connect_writer, self._silence, self._planning, _BEGIN_NUMBERED, most=1)
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Who counts customers puts their orders into groups, in memory where they fit.
        options = self._options(default_transaction_read_only="on", hash_mem_multiplier=HASHES)
        self._pool = await asyncpg.create_pool(self._url, min_size=1, max_size=READERS, reset=_as_it_is, **options)
        await self._main.open()
        await self._side.open()
        await self._patient.open()
        self._watching = asyncio.create_task(self._silence.watch_forever(), name="silent connections")
        self._counting = asyncio.create_task(self._planning.watch_forever(self._ask), name="counted tables")

    def _give_up(self) -> None:
        """No connection of before leads anywhere: whoever asks next makes another."""
        for committer in (self._main, self._side, self._patient):
            committer.give_up()
        self._expiring = asyncio.ensure_future(self._pool.expire_connections())

    def _options(self, **settings: str) -> dict[str, Any]:
        common = {
            "application_name": "tablegram",
            "statement_timeout": str(int(STATEMENT_S * 1_000)),
            "plan_cache_mode": ANEW,
            "jit": "off",
        }
        return {"timeout": CONNECT_TIMEOUT_S, "server_settings": common | settings}

    async def _connect_writer(self) -> Any:
        """A connection that commits groups. It is told to follow keys: everything here looks for a few rows by theirs."""
        ways = dict.fromkeys(("enable_seqscan", "enable_hashjoin", "enable_mergejoin"), "off")
        timeout = {"idle_in_transaction_session_timeout": str(self._idle_ms)}
        return await asyncpg.connect(self._url, **self._options(**ways, **timeout))

    async def connect_listener(self) -> Any:
        """What is told here may be lost, so that nothing waits for the disk."""
        return await asyncpg.connect(self._url, **self._options(synchronous_commit="off"))

    async def close(self) -> None:
        await self._patient.close()
        await self._side.close()
        await self._main.close()
        if self._pool is not None:
            # Whoever reads ends by itself; a reader that is lost must not keep the process from ending.
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_WITHIN_S):
                    await self._pool.close()
        for task in filter(None, (self._watching, self._counting)):
            task.cancel()

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
        assert self._loop is not None, "the database is not open"
        unit = Unit(self._loop.create_future(), statements, work, patient=patient, flushed=flushed, asks=asks)
        committer = self._side if aside else self._patient if patient else self._main
        committer.take(unit)
        return unit.future

    async def read(self, function: Callable[[Tx], Awaitable[Any]]) -> Any:
        async with (
            self._reader() as (connection, tx),
            connection.transaction(readonly=True, isolation="repeatable_read"),
        ):
            return await function(tx)

    async def read_rows(self, query: Query[R], params: Params) -> list[R]:
        """One statement sees one moment by itself, and goes there and back once."""
        async with self._reader() as (_, tx):
            return await tx.all(query, params)

    async def _ask(self, sql: str, *values: object) -> Sequence[Any]:
        async with self._reader() as (connection, _):
            found: Sequence[Any] = await connection.fetch(sql, *values)
            return found

    async def horizon(self) -> int:
        async with self._reader() as (connection, _):
            return int(await connection.fetchval(_HORIZON))

    @asynccontextmanager
    async def _reader(self) -> AsyncIterator[tuple[Any, PostgresTx]]:
        try:
            connection = await self._pool.acquire(timeout=CONNECT_TIMEOUT_S)
        except _NOT_LET_IN as error:
            raise _unavailable() from error
        tx = PostgresTx(connection)
        self._silence.begin(tx)
        try:
            yield connection, tx
        except _DOWN as error:
            raise _unavailable() from error
        finally:
            self._silence.end(tx)
            await self._pool.release(connection)


async def _as_it_is(_connection: Any) -> None:
    """Whoever reads leaves nothing behind at a connection, so that nothing has to be put back."""


class _Committer:
    """One connection that commits whatever waits for it, again and again."""

    def __init__(
        self, connect: Callable[[], Awaitable[Any]], silence: Silence, planning: Planning, begin: str = _BEGIN,
        *, is_short: bool = False, most: int = MAX_BATCH,
    ) -> None:  # fmt: skip
        """`most`: units in one transaction."""
        self._connect = connect
        self._silence = silence
        self._planning = planning
        # As the connection was told last.
        self._way = ANEW
        self._is_short = is_short
        self._begin = begin
        self._most = most
        self._connection: Any = None
        self._pending: list[Unit] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._is_busy = False

    async def open(self) -> None:
        self._connection = await self._connect()
        self._task = asyncio.create_task(self._commit_forever(), name="group commit")

    def take(self, unit: Unit) -> None:
        self._pending.append(unit)
        self._wake.set()

    async def close(self) -> None:
        """Commit what waits, and end."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        if self._connection is not None:
            with suppress(TimeoutError):
                await self._connection.close(timeout=CLOSE_WITHIN_S)

    def give_up(self) -> None:
        """The connection is of no use any more. Who is in the middle of something with it is told by itself."""
        if self._connection is not None and not self._is_busy:
            self._connection.terminate()

    async def _commit_forever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                # Whoever has called by now comes along: one turn of the loop costs less than a commit.
                await asyncio.sleep(0)
                batch, self._pending = self._pending[: self._most], self._pending[self._most :]
                await self._commit(batch)
                settle(batch)
            if self._closing:
                return

    async def _commit(self, batch: list[Unit], tries: int = 1) -> None:
        try:
            await self._reconnect()
            begin, way = self._beginning(batch), self._planning.of(batch)
            if way != self._way and begin:
                # What a transaction that is taken back has said is taken back with it.
                begin = f"{told(way)}; {begin}"
            tx = PostgresTx(self._connection)
            self._silence.begin(tx, is_short=self._is_short)
            self._is_busy = True
            try:
                if way != self._way and not begin:
                    await self._connection.execute(told(way))
                    self._way = way
                async with _transaction(self._connection, begin):
                    await perform(tx, batch)
                self._way = way
            finally:
                self._is_busy = False
                self._silence.end(tx)
        except Exception as error:
            if len(batch) == 1 and tries < MOST_TRIES and isinstance(error, _GAVE_WAY):
                # The units of a batch hold their locks together, whatever order each takes its own in.
                await self._commit(batch, tries + 1)
                return
            # With the server gone, trying each unit alone would only make everybody wait for the same answer.
            if len(batch) == 1 or isinstance(error, (*_DOWN, Unavailable)):
                for unit in batch:
                    unit.error = translate(error)
                return
            for unit in batch:
                await self._commit([unit])

    def _beginning(self, batch: Sequence[Unit]) -> str:
        """What the batch's transaction begins with; nothing where one statement is all of it, and a transaction by itself."""
        queries = {query for unit in batch for query, _ in unit.statements}
        reads = any(unit.work is not None for unit in batch)
        numbers = reads or any(query.form("postgresql").numbers_events for query in queries)
        if not batch[0].is_flushed:
            return f"{self._begin}; {_UNFLUSHED}"
        return self._begin if numbers else "" if len(queries) == 1 else _BEGIN

    async def _reconnect(self) -> None:
        if self._connection is None or self._connection.is_closed():
            try:
                self._connection, self._way = await self._connect(), ANEW
            except _NOT_LET_IN as error:
                raise _unavailable() from error


@asynccontextmanager
async def _transaction(connection: Any, begin: str) -> AsyncIterator[None]:
    """The client's own transactions take one more round trip to say something at their beginning."""
    if not begin:
        yield
        return
    try:
        await connection.execute(begin)
        yield
    except BaseException:
        if not connection.is_closed():
            await connection.execute("rollback")
        raise
    await connection.execute("commit")


def translate(error: BaseException) -> BaseException:
    if isinstance(error, Problem):
        return error
    if not isinstance(error, _DOWN):
        return error
    unavailable = _unavailable() if isinstance(error, _UNDONE) else Unavailable(_SILENT, retry_after_s=1)
    unavailable.__cause__ = error
    return unavailable


def _unavailable() -> Unavailable:
    """For who was not let in, only read, or heard a no: nothing was done."""
    unavailable = Unavailable("The store cannot be reached right now. Nothing was kept; try again.", retry_after_s=1)
    unavailable.is_undone = True
    return unavailable
