"""Words carried by the database itself: PostgreSQL's notifications, on a connection of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

CHANNEL = "tablegram"

_TROUBLES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, TimeoutError)


class PostgresCarrier:
    name = "postgresql"
    # Each notification is a transaction, and they commit one after another on the whole database server.
    gather_s = 0.05

    def __init__(self, connect: Callable[[], Awaitable[Any]]) -> None:
        self._connect = connect

    async def connect(self, heard: Callable[[str], None], broken: Callable[[], None]) -> PostgresLink:
        try:
            connection = await self._connect()
        except _TROUBLES as error:
            raise OSError(str(error)) from error
        me = connection.get_server_pid()

        def hear(_: object, teller: int, __: object, words: str) -> None:
            if teller != me:
                heard(words)

        link = PostgresLink(connection)
        connection.add_termination_listener(lambda _: broken())
        try:
            await connection.add_listener(CHANNEL, hear)
        except _TROUBLES as error:
            await link.close()
            raise OSError(str(error)) from error
        return link


class PostgresLink:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @property
    def is_open(self) -> bool:
        return not self._connection.is_closed()

    async def send(self, words: str) -> None:
        try:
            await self._connection.execute("select pg_notify($1, $2)", CHANNEL, words)
        except _TROUBLES as error:
            raise OSError(str(error)) from error

    async def probe(self, within_s: float) -> None:
        try:
            await self._connection.fetchval("select 1", timeout=within_s)
        except _TROUBLES as error:
            raise OSError(str(error)) from error

    async def close(self) -> None:
        try:
            await self._connection.close(timeout=1)
        except (*_TROUBLES, OSError):
            self._connection.terminate()
