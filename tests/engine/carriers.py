"""What carries the bus: the same promises are asked of each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import pytest

from tablegram.settings import Settings
from tablegram.storage.database import Database
from tests.engine.nats_server import nats_server

Break = Callable[[Database], Awaitable[None]]


@dataclass
class Carried:
    settings: Callable[[str], Settings]
    # Takes the ground from under every connection, and gives it back.
    break_off: Break


async def _end_listeners(db: Database) -> None:
    connect = db.connect_listener
    assert connect is not None
    connection = await connect()
    try:
        await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() "
            "and (query like '%pg_notify%' or query ilike 'listen%')"
        )
    finally:
        await connection.close()


@pytest.fixture(params=["store", "nats"])
def carrier(request: pytest.FixtureRequest) -> Iterator[Carried]:
    if request.param == "store":
        yield Carried(lambda url: Settings(database_url=url), _end_listeners)
        return
    with nats_server() as server:

        async def restart(_: Database) -> None:
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)

        yield Carried(lambda url: Settings(database_url=url, nats_url=server.url), restart)
