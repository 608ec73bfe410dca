"""The one place of these tests that reaches into the drivers: into all of them alike, whichever one is used."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg
import pytest
from sqlalchemy import create_engine

from tablegram.storage import group_commit, migrate, postgres, sqlite
from tablegram.storage.database import Database, Tx, sqlite_path

# What a file's `synchronous` says when every commit is waited for.
FULL = 2


def make_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a moment only for what another program holds."""
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_S", 0.2)
    monkeypatch.setattr(postgres, "STATEMENT_S", 0.2)


def close_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a moment only for readers that do not come back."""
    monkeypatch.setattr(postgres, "CLOSE_WITHIN_S", 0.2)


@contextmanager
def held_by_another(url: str, for_s: float, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A new file that another program has for itself for a moment, where nobody is let wait. A server has nothing like it."""
    path = sqlite_path(url)
    if path is None:
        yield
        return

    def impatient(*about: Any, **how: Any) -> Any:
        return create_engine(*about, **{**how, "connect_args": {"timeout": 0}})

    monkeypatch.setattr(migrate, "create_engine", impatient)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("begin exclusive")
    ended = threading.Timer(for_s, other.close)
    ended.start()
    try:
        yield
    finally:
        ended.join()


def left_beside(url: str) -> list[str]:
    """What lies beside a file for as long as somebody has it open; nothing where there is a server."""
    path = sqlite_path(url)
    return [] if path is None else [end for end in ("-wal", "-shm") if path.with_name(path.name + end).exists()]


async def another_program(url: str) -> Any:
    """A connection that knows nothing of the product, to a server that several share."""
    return await asyncpg.connect(url)


@contextmanager
def nobody_is_let_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that no new connection reaches."""

    async def refuse(*_: Any, **__: Any) -> Any:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr("asyncpg.connect", refuse)
        yield


def count_transactions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The size of each batch, as it is run inside one transaction."""
    sizes: list[int] = []
    perform = group_commit.perform

    async def counted(tx: Tx, batch: Any) -> None:
        sizes.append(len(batch))
        await perform(tx, batch)

    for driver in (sqlite, postgres):
        monkeypatch.setattr(driver, "perform", counted)
    return sizes


async def waits_for_the_disk(tx: Tx) -> bool:
    """Whether a commit of this connection returns only when a loss of power could not undo it."""
    connection: Any = tx._connection  # type: ignore[attr-defined]
    if isinstance(tx, sqlite.SqliteTx):
        return bool(connection.execute("pragma synchronous").fetchone()[0] == FULL)
    return bool(await connection.fetchval("show synchronous_commit") == "on")


def overhear(db: Database) -> list[str]:
    """What the writer of a server is told from now on, a text for each time it is asked; nothing where there is no server."""
    heard: list[str] = []
    committer = getattr(db._driver, "_main", None)
    if committer is not None:
        committer._connection.add_query_logger(lambda record: heard.append(record.query))
    return heard
