"""The product with its store step exchanged, so that each way of storing pays for the same everything else.

python -m bench.variants VARIANT

group     the product as it is
single    the same code, one transaction for each request
session   a SQLAlchemy session for each request
ceiling   the same endpoint with store and network taken out
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Sequence
from typing import Any

import asyncpg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from tablegram import settings as configuration
from tablegram.accounts.keys import store as call_store
from tablegram.cli.serving import serve
from tablegram.messaging.lines.cloud.driver import CloudLine
from tablegram.messaging.ports import Accepted
from tablegram.messaging.store import messages as store
from tablegram.storage import postgres, sqlite
from tablegram.storage.group_commit import Unit, Work, perform, settle
from tablegram.storage.postgres import PostgresDatabase, PostgresTx
from tablegram.storage.query import Query
from tablegram.storage.rows import Params
from tablegram.storage.sqlite import SqliteDatabase

POOL = 20


class SingleSqlite(SqliteDatabase):
    """One transaction a request, in the same writing thread."""

    async def open(self) -> None:
        sqlite.MAX_BATCH = 1  # type: ignore[attr-defined]
        await super().open()


class SinglePostgres(PostgresDatabase):
    """One transaction a request, on a pool of connections."""

    async def open(self) -> None:
        await super().open()
        self._writers = await asyncpg.create_pool(self._url, min_size=POOL, max_size=POOL)

    def submit(
        self, statements: Sequence[tuple[Query, Params]], work: Work | None = None, **_: Any
    ) -> asyncio.Future[Any]:
        assert self._loop is not None
        unit = Unit(self._loop.create_future(), statements, work)
        self._loop.create_task(self._alone(unit))
        return unit.future

    async def _alone(self, unit: Unit) -> None:
        try:
            async with self._writers.acquire() as connection, connection.transaction():
                await perform(PostgresTx(connection), [unit])
        except Exception as error:
            unit.error = error
        settle([unit])


class _SessionTx:
    """The statements of a unit through a session, as an application on the ORM's session would run them."""

    def __init__(self, session: AsyncSession, dialect: str) -> None:
        self._session = session
        self._dialect = dialect
        self.writes = 0

    async def _execute(self, query: Query, params: Params) -> Any:
        form = query.form(self._dialect)
        names = {f"p{number}": value for number, value in enumerate(form.values(params))}
        self.writes += 1
        return await self._session.execute(_named(form.sql, self._dialect), names)

    async def run(self, query: Query, params: Params) -> int:
        return int((await self._execute(query, params)).rowcount)

    async def many(self, query: Query, rows: Sequence[Params]) -> None:
        for row in rows:
            await self._execute(query, row)

    async def all(self, query: Query, params: Params) -> list[Any]:
        return list((await self._execute(query, params)).mappings().all())

    async def first(self, query: Query, params: Params) -> Any:
        rows = await self.all(query, params)
        return rows[0] if rows else None

    async def gather(self, query: Query, rows: Sequence[Params]) -> list[Any]:
        return [found for row in rows for found in await self.all(query, row)]


_NAMED: dict[str, Any] = {}


def _named(sql: str, dialect: str) -> Any:
    if sql not in _NAMED:
        out, number = sql, 0
        if dialect == "sqlite":
            while "?" in out:
                out = out.replace("?", f":p{number}", 1)
                number += 1
        else:
            for number in range(sql.count("$"), 0, -1):
                out = out.replace(f"${number}::", f"${number}\\:\\:").replace(f"${number}", f":p{number - 1}")
        _NAMED[sql] = text(out)
    return _NAMED[sql]


def with_sessions(base: Any, url: str, dialect: str) -> Any:
    class Sessions(base):  # type: ignore[misc]
        async def open(self) -> None:
            await super().open()
            engine = create_async_engine(url, pool_size=POOL, max_overflow=0, connect_args=_options(dialect))
            self._sessions = async_sessionmaker(engine)

        def submit(
            self, statements: Sequence[tuple[Query, Params]], work: Work | None = None, **_: Any
        ) -> asyncio.Future[Any]:
            unit = Unit(self._loop.create_future(), statements, work)
            self._loop.create_task(self._alone(unit))
            return unit.future

        async def _alone(self, unit: Unit) -> None:
            try:
                async with self._sessions() as session, session.begin():
                    await perform(_SessionTx(session, dialect), [unit])
            except Exception as error:
                unit.error = error
            settle([unit])

    return Sessions


def _options(dialect: str) -> dict[str, Any]:
    return {"timeout": 60} if dialect == "sqlite" else {}


def _done(value: Any = None) -> asyncio.Future[Any]:
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    future.set_result(value)
    return future


def take_out_store_and_network() -> None:
    """A message and its outcome are forgotten, and every message is accepted; the rest is unchanged."""
    numbers = iter(range(10**12))
    forgotten = (store.INSERT, store.ACCEPTED, call_store.INSERT_CALL)

    async def transmit(self: CloudLine, message: Any) -> Accepted:
        return Accepted(f"wamid.none{next(numbers)}")

    def forgetful(base: Any) -> None:
        real = base.submit

        def submit(self: Any, statements: Any, work: Any = None, **how: bool) -> Any:
            if work is None and statements and statements[0][0] in forgotten:
                return _done()
            return real(self, statements, work, **how)

        base.submit = submit

    CloudLine.transmit = transmit  # type: ignore[method-assign]
    forgetful(SqliteDatabase)
    forgetful(PostgresDatabase)


def choose(variant: str, url: str) -> None:
    if variant == "ceiling":
        take_out_store_and_network()
    elif variant == "single":
        sqlite.SqliteDatabase, postgres.PostgresDatabase = SingleSqlite, SinglePostgres  # type: ignore[misc]
    elif variant == "session":
        sqlite_url = url.replace("sqlite:", "sqlite+aiosqlite:")
        server_url = url.replace("postgresql:", "postgresql+asyncpg:")
        sqlite.SqliteDatabase = with_sessions(SqliteDatabase, sqlite_url, "sqlite")  # type: ignore[misc]
        postgres.PostgresDatabase = with_sessions(PostgresDatabase, server_url, "postgresql")  # type: ignore[misc]
    elif variant != "group":
        raise SystemExit(__doc__)


def main(variant: str) -> None:
    settings = configuration.load()
    logging.getLogger("uvicorn").setLevel("WARNING")
    choose(variant, settings.effective_database_url)
    serve(settings, lambda: print("ready", flush=True))


if __name__ == "__main__":
    main(sys.argv[1])
