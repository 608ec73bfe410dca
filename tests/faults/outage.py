"""A store that cannot be written for a while: a full disk where it is a file, no connection where it is a server."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from contextlib import contextmanager

from tablegram.storage.database import sqlite_path


@contextmanager
def store_down(url: str, pid: int) -> Iterator[None]:
    """While inside, nothing that the process `pid` writes to the database at `url` can be kept."""
    path = sqlite_path(url)
    if path is None:
        with _no_connections(url):
            yield
        return
    # No file of the process may grow, not even by the few bytes that the log's own header is long.
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (16, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def _no_connections(url: str) -> Iterator[None]:
    server, name = url.rsplit("/", 1)
    asyncio.run(_execute(f"{server}/postgres", f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'))
    asyncio.run(
        _execute(
            f"{server}/postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
    )
    try:
        yield
    finally:
        asyncio.run(_execute(f"{server}/postgres", f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true'))


async def _execute(url: str, statement: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
