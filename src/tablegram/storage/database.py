"""The store's face: read a snapshot, commit a unit of work. Which database it is, only this folder knows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, overload

from sqlalchemy import Executable
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from tablegram.settings import Settings
from tablegram.storage.group_commit import Tx, Work
from tablegram.storage.query import Query, R
from tablegram.storage.rows import Params, Row
from tablegram.values.files.private import keep_private

Result = TypeVar("Result")

__all__ = [
    "Database",
    "Params",
    "Query",
    "Row",
    "Statement",
    "Tx",
    "errors_of",
    "open_database",
    "sqlite_path",
    "without_password",
]

# What can be committed later, or by somebody else: a query with what fills it in.
Statement = tuple[Query, Params]


class _Driver(Protocol):
    dialect: str

    @property
    def connect_listener(self) -> Callable[[], Awaitable[Any]] | None:
        """Makes a connection on which processes of this database hear each other; nothing where there is only one."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    def submit(
        self,
        statements: Sequence[tuple[Query, Params]],
        work: Work | None = None,
        *,
        aside: bool = False,
        patient: bool = False,
        flushed: bool = True,
        asks: Sequence[Query] = (),
    ) -> asyncio.Future[Any]: ...

    async def read(self, function: Callable[[Tx], Awaitable[Any]]) -> Any: ...

    async def read_rows(self, query: Query[R], params: Params) -> list[R]: ...

    async def horizon(self) -> int: ...


class Database:
    def __init__(self, driver: _Driver) -> None:
        self._driver = driver
        self.submit = driver.submit
        self.connect_listener = driver.connect_listener

    async def open(self) -> None:
        await self._driver.open()

    async def close(self) -> None:
        await self._driver.close()

    @property
    def is_shared(self) -> bool:
        """Whether several processes may serve it."""
        return self.connect_listener is not None

    async def write(
        self, work: Callable[[Tx], Awaitable[Result]], *, patient: bool = False, flushed: bool = True,
        asks: Sequence[Query] = (),
    ) -> Result:  # fmt: skip
        """Run a unit of work in the next group's transaction; returns after the commit.

        `patient`: it is a piece of much work that nobody waits for, and lets others go first. One that is not `flushed` does
        not wait for the disk, and a power cut may take it back. It is for what can be done again, and what nobody outside
        hears of before another commit: it plans no event, and answers no caller. `asks` names every statement that it
        may run, which lets a server plan them once if they say that they may be.
        """
        result: Result = await self._driver.submit((), work, patient=patient, flushed=flushed, asks=asks)
        return result

    def put(self, *statements: tuple[Query, Params]) -> Awaitable[None]:
        """Commit plain statements together; the cheapest way in. It is under way at once, and the answer is awaited."""
        return self._driver.submit(statements)

    async def tell(self, query: Query[R], params: Params) -> R:
        """The same for one statement that `tells`: what it gave back for these values."""
        row: R = await self._driver.submit(((query, params),))
        return row

    async def put_aside(self, *statements: tuple[Query, Params]) -> None:
        """The same, but not behind the others' work where the database can do both at once.

        Not for new events: the order in which they are numbered must be the order in which they are committed.
        """
        await self._driver.submit(statements, aside=True)

    async def write_aside(self, work: Callable[[Tx], Awaitable[Result]]) -> Result:
        """A unit of work that waits for no other, as `put_aside`."""
        result: Result = await self._driver.submit((), work, aside=True)
        return result

    async def horizon(self) -> int:
        """Up to which number all events are there that ever will be: any process's that commits later has a larger one.

        To be asked before what it is about is read.
        """
        return await self._driver.horizon()

    async def snapshot(self, function: Callable[[Tx], Awaitable[Result]]) -> Result:
        """Several reads that see the same moment."""
        result: Result = await self._driver.read(function)
        return result

    @overload
    async def all(self, query: Query[R], params: Params | None = None) -> list[R]: ...

    @overload
    async def all(self, query: Executable, params: Params | None = None) -> list[Row]: ...

    async def all(self, query: Query[Any] | Executable, params: Params | None = None) -> list[Any]:
        prepared = query if isinstance(query, Query) else Query(query)
        return await self._driver.read_rows(prepared, params or {})

    @overload
    async def first(self, query: Query[R], params: Params | None = None) -> R | None: ...

    @overload
    async def first(self, query: Executable, params: Params | None = None) -> Row | None: ...

    async def first(self, query: Query[Any] | Executable, params: Params | None = None) -> Any:
        rows = await self.all(query, params)
        return rows[0] if rows else None


def sqlite_path(url: str) -> Path | None:
    """The file behind a SQLite address, or nothing for a server."""
    parsed = make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def without_password(url: str) -> str:
    """A database's address as it may be shown."""
    return make_url(url).render_as_string(hide_password=True)


def errors_of(url: str) -> tuple[type[Exception], ...]:
    """What is raised when this database cannot be used. Only its own driver is loaded."""
    if sqlite_path(url) is not None:
        import sqlite3

        return OSError, SQLAlchemyError, sqlite3.Error
    import asyncpg

    return OSError, SQLAlchemyError, asyncpg.PostgresError


def open_database(settings: Settings) -> Database:
    """The database that the settings name, not yet opened. Only its own driver is loaded."""
    url = settings.effective_database_url
    path = sqlite_path(url)
    if path is not None:
        from tablegram.storage.sqlite import SqliteDatabase

        keep_private(path)
        return Database(SqliteDatabase(path))
    from tablegram.storage.postgres import PostgresDatabase

    return Database(PostgresDatabase(url, settings.effective_lease_s))
