"""A store that cannot answer is told as such, and nothing is half kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from tablegram.errors import Unavailable
from tablegram.settings import Settings
from tablegram.storage.database import Tx, open_database
from tablegram.storage.migrate import on_connection
from tests.storage.drivers import close_at_once, left_beside, make_impatient, nobody_is_let_in
from tests.storage.opened import CHANGE, fact, facts, opened


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores that wait a moment only, whichever one is used."""
    make_impatient(monkeypatch)


@contextmanager
def locked_by_another_program(database_url: str, name: str) -> Iterator[None]:
    locked, release = threading.Event(), threading.Event()

    def hold(connection: Connection) -> None:
        connection.execute(text("update installation set value = value where name = :name"), {"name": name})
        locked.set()
        assert release.wait(20)

    holder = threading.Thread(target=on_connection, args=(database_url, hold))
    holder.start()
    assert locked.wait(10)
    try:
        yield
    finally:
        release.set()
        holder.join()


@pytest.mark.usefixtures("impatient")
async def test_a_store_that_cannot_be_written_is_503_and_recovers_by_itself(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put(fact("n", "before"))
        change = (CHANGE, {"which": "n", "value": "after"})

        async def change_in_a_unit(tx: Tx) -> None:
            await tx.run(*change)

        with locked_by_another_program(database_url, "n"):
            attempts: list[Callable[[], Awaitable[object]]] = [
                lambda: db.put(change),
                lambda: db.write(change_in_a_unit),
            ]
            for attempt in attempts:
                with pytest.raises(Unavailable) as caught:
                    await attempt()
                assert (caught.value.status, caught.value.code) == (503, "storage_unavailable")
                assert caught.value.retry_after_s
                # Whoever hears a no knows that it was taken back.
                assert caught.value.is_undone
                assert "Nothing was kept" in caught.value.detail
            # Whoever only reads does not wait for whoever writes.
            assert await facts(db) == {"n": "before"}
        await db.put(change)
        assert await facts(db) == {"n": "after"}


@pytest.mark.once
async def test_a_file_without_a_write_ahead_log_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it whoever reads would wait for whoever writes. What is in memory only has none."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unavailable, match="write-ahead"):
        await open_database(Settings(database_url="sqlite:///:memory:")).open()


@pytest.mark.shared
async def test_who_is_cut_off_hears_that_it_may_have_been_kept_and_who_is_not_let_in_that_it_was_not(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut_off(tx: Any) -> None:
        tx.abort()
        await tx.run(CHANGE, {"which": "n", "value": "after"})

    async with opened(database_url) as db:
        with pytest.raises(Unavailable) as caught:
            await db.write(cut_off)
        assert not caught.value.is_undone
        assert "not known" in caught.value.detail
        assert "Idempotency-Key" in caught.value.detail
        with nobody_is_let_in(monkeypatch), pytest.raises(Unavailable) as caught:
            await db.put(fact("n", "before"))
        assert caught.value.is_undone
        assert "Nothing was kept" in caught.value.detail
        await db.put(fact("n", "before"))


async def test_what_another_program_holds_for_a_moment_is_waited_for(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put(fact("n", "before"))
        with locked_by_another_program(database_url, "n"):
            waiting = asyncio.ensure_future(db.put((CHANGE, {"which": "n", "value": "after"})))
            await asyncio.sleep(0.1)
            assert not waiting.done()
        await waiting
        assert await facts(db) == {"n": "after"}


async def test_who_has_ended_holds_the_store_no_more_though_somebody_keeps_what_went_wrong(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put(fact("taken"))
        # An error knows where it was raised, and so what was open there.
        (error,) = await asyncio.gather(db.put(fact("taken")), return_exceptions=True)
        assert await facts(db) == {"taken": ""}
    assert isinstance(error, Exception)
    assert left_beside(database_url) == []


@pytest.mark.shared
async def test_a_reader_that_is_lost_keeps_nobody_from_ending(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_at_once(monkeypatch)
    stuck = asyncio.Event()

    async def never_ends(tx: Tx) -> None:
        stuck.set()
        await asyncio.Event().wait()

    db = open_database(Settings(database_url=database_url))
    await db.open()
    reading = asyncio.ensure_future(db.snapshot(never_ends))
    await stuck.wait()
    async with asyncio.timeout(60):
        await db.close()
    reading.cancel()
    assert isinstance((await asyncio.gather(reading, return_exceptions=True))[0], (asyncio.CancelledError, Unavailable))
