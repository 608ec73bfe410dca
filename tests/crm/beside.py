"""Another program at the same database, which holds rows for as long as it likes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

_WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@asynccontextmanager
async def beside(url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def somebody_waits(connection: Any) -> None:
    """Until anybody waits for a row that another one holds."""
    async with asyncio.timeout(20):
        while not await connection.fetchval(_WAITS):
            await asyncio.sleep(0.005)
