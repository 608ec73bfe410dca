"""The one place of the suite that knows which databases there are.

A test asks for a database by fixture (see `conftest.py`) and gets an address; whether a file or a
server stands behind it is chosen by `pytest --db`, so that every test is a promise about each of them.
"""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from tests.clusters import Cluster

KINDS = ("sqlite", "postgresql")
# Those that several servers may use at once.
SHARED = ("postgresql",)
# What a server of each has no use for, since it is of the other.
OF_ANOTHER = {
    "sqlite": {"asyncpg", "sqlalchemy.dialects.postgresql", "tablegram.storage.postgres"},
    "postgresql": {"sqlite3", "sqlalchemy.dialects.sqlite", "tablegram.storage.sqlite"},
}
SPARE_DATABASES = 4
# The folder in which the workers of a run share what all of them copy, in their environment.
TEMPLATES = "SUITE_TEMPLATES_FOLDER"
# As after the migrations. To make a new database takes several times as long, for each of thousands of tests; and so does
# a connection, which is why the one that empties a database is kept, with a function of its own that is planned once.
MAKE_EMPTYING = """
DO $make$
DECLARE
    body text;
BEGIN
    SELECT string_agg(format('IF EXISTS (SELECT FROM public.%I) THEN DELETE FROM public.%I; END IF;', relname, relname), E'\n')
        INTO body FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'alembic_version';
    EXECUTE format('CREATE FUNCTION pg_temp.empty_tables() RETURNS void LANGUAGE plpgsql AS $body$ BEGIN %s END $body$', body);
END $make$;
SET session_replication_role = replica;
"""
# Whoever is still connected goes first.
EMPTY_TABLES = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
SELECT pg_temp.empty_tables();
SELECT setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL;
"""


class Databases(Protocol):
    """Hands out databases of one kind. `migrated` ones are cloned from a template that is migrated once."""

    def empty(self) -> str:
        """Address of a new database without a single table."""
        ...

    def migrated(self) -> str:
        """Address of a new database with the product's present schema."""
        ...

    def drop(self, url: str) -> None:
        """Take a database away again, even while something is still connected to it."""
        ...

    def close(self) -> None:
        """Take everything away."""
        ...


def migrate(url: str) -> None:
    """Bring an empty database to the present schema, with the product's own migrations."""
    from tablegram.storage.migrate import migrate as to_present_schema

    _in_a_thread(lambda: to_present_schema(url))


def open_databases(kind: str) -> Databases:
    return Files() if kind == "sqlite" else Server()


class Files:
    """SQLite: a database is a file."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tablegram-databases-"))
        self._numbers = itertools.count(1)
        self._template: Path | None = None

    def empty(self) -> str:
        return f"sqlite:///{self._new_path()}"

    def migrated(self) -> str:
        if self._template is None:
            self._template = _template_in(Path(os.environ.get(TEMPLATES) or self._folder))
        path = self._new_path()
        shutil.copyfile(self._template, path)
        return f"sqlite:///{path}"

    def drop(self, url: str) -> None:
        path = url.removeprefix("sqlite:///")
        for suffix in ("", "-wal", "-shm"):
            Path(path + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _new_path(self) -> Path:
        return self._folder / f"test_{next(self._numbers)}.db"


def _template_in(folder: Path) -> Path:
    """A migrated database to copy."""
    template = folder / "template.db"

    def make() -> None:
        # Whoever was killed in the middle of it has left a part.
        for suffix in ("", "-wal", "-shm"):
            Path(f"{template}{suffix}").unlink(missing_ok=True)
        migrate(f"sqlite:///{template}")
        settle(template)

    _once(template, make)
    return template


def settle(database: Path) -> None:
    """A plain copy takes all of it, once nothing sits in its write-ahead log any more."""
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _once(made: Path, make: Callable[[], None]) -> None:
    """The first of a run's workers that needs this makes it, while the others wait."""
    done = Path(f"{made}.done")
    with Path(f"{made}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make()
            done.touch()


class Server:
    """PostgreSQL: one server for each worker, on a copy of what a run has made once."""

    def __init__(self, folder: Path | None = None) -> None:
        self.cluster = Cluster(folder or Path(tempfile.mkdtemp(prefix="tablegram-postgres-")))
        self._numbers = itertools.count(1)
        self._has_template = False
        # Handed out as clones of the template; and those given back, empty again.
        self._cloned: set[str] = set()
        self._spare: list[str] = []
        # A test's own event loop is taken while it asks for one more database.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._administrator: Any = None
        self._emptying: dict[str, Any] = {}
        shared = os.environ.get(TEMPLATES)
        try:
            if folder is None and shared:
                self.cluster.copy(_cluster_in(Path(shared)))
                self._has_template = True
            else:
                self.cluster.make()
            self.cluster.start()
        except BaseException:
            self.close()
            raise

    def empty(self) -> str:
        return self._create("template0")

    def migrated(self) -> str:
        self.make_template()
        url = self.cluster.url(self._spare.pop()) if self._spare else self._create("migrated")
        self._cloned.add(url.rsplit("/", 1)[1])
        return url

    def drop(self, url: str) -> None:
        name = url.rsplit("/", 1)[1]
        if name in self._cloned and len(self._spare) < SPARE_DATABASES:
            self._cloned.discard(name)
            self._wait_for(self._empty(name))
            self._spare.append(name)
        else:
            self._execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            self._emptying.pop(name, None)

    def make_template(self) -> None:
        """What migrated databases are clones of."""
        if not self._has_template:
            self._execute("CREATE DATABASE migrated TEMPLATE template0")
            migrate(self.cluster.url("migrated"))
            self._has_template = True

    def close(self) -> None:
        self._hang_up()
        self.cluster.stop("immediate")
        self.cluster.remove()

    def end(self) -> Cluster:
        """No server any more, and all of its databases, to be copied."""
        self._hang_up()
        self.cluster.stop("fast")
        return self.cluster

    def _create(self, template: str) -> str:
        name = f"test_{next(self._numbers)}"
        # Copying files is four times as fast as writing the log of a copy.
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self.cluster.url(name)

    def _execute(self, statement: str) -> None:
        """As the server's own administrator, over one connection that is kept."""
        self._wait_for(self._administer(statement))

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    def _hang_up(self) -> None:
        self._wait_for(self._close_connections())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _close_connections(self) -> None:
        for connection in (self._administrator, *self._emptying.values()):
            if connection is not None:
                await connection.close()

    async def _administer(self, statement: str) -> None:
        import asyncpg

        if self._administrator is None:
            self._administrator = await asyncpg.connect(self.cluster.url("postgres"))
        await self._administrator.execute(statement)

    async def _empty(self, name: str) -> None:
        import asyncpg

        connection = self._emptying.get(name)
        # A test that takes the store away takes this one away too.
        if connection is None or connection.is_closed():
            connection = self._emptying[name] = await asyncpg.connect(self.cluster.url(name))
            await connection.execute(MAKE_EMPTYING)
        await connection.execute(EMPTY_TABLES)


def _cluster_in(folder: Path) -> Cluster:
    """To copy, with a migrated database in it."""

    def make() -> None:
        # In a place of its own: whoever is killed in the middle of it leaves a part, and somebody who clears that away.
        server = Server(Path(tempfile.mkdtemp(dir=folder)))
        try:
            server.make_template()
        except BaseException:
            server.close()
            raise
        server.end().move(folder)

    _once(folder / "data", make)
    return Cluster(folder)


def _in_a_thread(work: Callable[[], object]) -> None:
    """An `async` test may ask for one more database: its own thread's event loop is taken then."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(work).result()


def forget_settings() -> None:
    """Drop the developer's own TABLEGRAM_ variables: a test sees the defaults and what it sets itself."""
    for name in [name for name in os.environ if name.startswith("TABLEGRAM_")]:
        del os.environ[name]
