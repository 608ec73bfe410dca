"""Bring a database to the schema of this version. Safe to run twice, and by two programs at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from tablegram.storage import steps
from tablegram.storage.database import sqlite_path
from tablegram.values.files.private import keep_private

Result = TypeVar("Result")

# Any constant will do; it only has to be the same in every version of the program.
_ADVISORY_LOCK = 7_311_404
# So long who needs a file waits for another program.
_BUSY_S = 30.0


def migrate(url: str) -> str:
    """Migrate to the newest revision and return its name. Must not be called from a running event loop."""

    def upgrade(connection: Connection) -> str:
        _upgrade(connection)
        steps.note_floor(connection, steps.floor(scripts()))
        return newest()

    return on_connection(url, upgrade)


def migrate_to(url: str, wanted: str) -> None:
    """Migrate an empty or older database up to a named revision; used before an older backup is loaded."""
    on_connection(url, lambda connection: _upgrade(connection, wanted))


def revision(url: str) -> str | None:
    """The revision that the database is at; nothing when it is empty."""
    return on_connection(url, lambda connection: MigrationContext.configure(connection).get_current_revision())


@cache
def newest() -> str:
    """The revision that this version of the program expects."""
    return scripts().get_current_head() or ""


def is_newer(present: str) -> bool:
    """Whether a revision is of a version after this one, which brought it along."""
    return present not in {script.revision for script in scripts().walk_revisions()}


def serves_us(url: str, present: str) -> bool:
    """Whether the schema of a newer version still has all that this program uses."""
    if not is_newer(present):
        return False
    return on_connection(url, steps.noted_floor) <= newest()


def on_connection(url: str, function: Callable[[Connection], Result]) -> Result:
    """Run something on a plain SQLAlchemy connection, outside the product's own paths."""
    path = sqlite_path(url)
    if path is None:
        return asyncio.run(_on_server(url, function))
    keep_private(path)
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool, connect_args={"timeout": _BUSY_S})
    try:
        with engine.connect() as connection:
            _log_ahead(connection)
            result = function(connection)
            connection.commit()
            return result
    finally:
        engine.dispose()


def _log_ahead(connection: Connection) -> None:
    """A new file becomes one with a log. Who does that while another program does is not let wait for it, and so comes again."""
    until = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute(text("pragma journal_mode = wal"))
            connection.commit()
            return
        except OperationalError:
            connection.rollback()
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


async def _on_server(url: str, function: Callable[[Connection], Result]) -> Result:
    parsed = make_url(url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(parsed, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            result = await connection.run_sync(function)
            await connection.commit()
            return result
    finally:
        await engine.dispose()


def _upgrade(connection: Connection, wanted: str = "head") -> None:
    config = _config()
    config.attributes["connection"] = connection
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"select pg_advisory_xact_lock({_ADVISORY_LOCK})"))
        steps.quieten(connection, steps.to_be_quiet(connection, scripts(), wanted))
    else:
        # Takes the write lock, so that a second program waits here and then finds nothing to do.
        connection.exec_driver_sql("begin immediate")
    command.upgrade(config, wanted)


@cache
def scripts() -> ScriptDirectory:
    """The migrations that this version brings along."""
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config
