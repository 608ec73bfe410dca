"""Which schema a database has, and which one this program needs. A server asks at its start, and loads no migration for it."""

from __future__ import annotations

import asyncio
from contextlib import closing
from functools import cache
from pathlib import Path

from tablegram.storage.database import sqlite_path
from tablegram.values.files.private import keep_private

_NOTED = "select version_num from alembic_version"
_VERSIONS = Path(__file__).with_name("migrations") / "versions"


def revision(url: str) -> str | None:
    """The revision that the database is at; nothing when it is empty. Must not be called from a running event loop."""
    path = sqlite_path(url)
    return asyncio.run(_of_server(url)) if path is None else _of_file(path)


@cache
def newest() -> str:
    """The revision that this version of the program expects: files of migrations begin with their number."""
    return max(file.name.partition("_")[0] for file in _VERSIONS.glob("[0-9]*_*.py"))


def _of_file(path: Path) -> str | None:
    import sqlite3

    keep_private(path)
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        if not connection.execute("select 1 from sqlite_master where name = 'alembic_version'").fetchone():
            return None
        row = connection.execute(_NOTED).fetchone()
        return None if row is None else str(row[0])


async def _of_server(url: str) -> str | None:
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        if await connection.fetchval("select to_regclass('alembic_version')") is None:
            return None
        found = await connection.fetchval(_NOTED)
        return None if found is None else str(found)
    finally:
        await connection.close()
