"""Who fails among those that share a transaction fails alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, select

from tablegram.errors import Conflict, Problem
from tablegram.storage.database import Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.tables import installation
from tests.engine.waiting import settle
from tests.storage.busy_writer import hold_writer, together
from tests.storage.drivers import count_transactions
from tests.storage.opened import INSERT_MESSAGE, SET, fact, facts, message, opened

SET_RETURNING = Query(insert(installation).values(columns(installation)).returning(installation.c.name))
BY_NAME = Query(select(installation).where(installation.c.name == bindparam("name")))
BAD_ROWS = {
    "a name that is taken": (SET, {"name": "taken", "value": ""}),
    "a missing value": (SET, {"name": "empty", "value": None}),
    "a state that does not exist": (INSERT_MESSAGE, message(1, "m1", state="flying")),
    "a figure too large for its column": (INSERT_MESSAGE, message(1, "m1", created_at=2**70)),
    "a value of the wrong kind": (INSERT_MESSAGE, message(1, "m1", phone=b"\xff", created_at={})),
}


@pytest.mark.parametrize("bad", BAD_ROWS.values(), ids=BAD_ROWS.keys())
async def test_a_bad_row_fails_alone(database_url: str, bad: tuple[Query, dict[str, Any]]) -> None:
    async with opened(database_url) as db:
        await db.put(fact("taken"))
        results = await together(
            db,
            lambda: db.put(fact("one")),
            lambda: db.put(bad),
            lambda: db.put(fact("two")),
            lambda: db.put(fact("three")),
        )
        assert [isinstance(result, Exception) for result in results] == [False, True, False, False]
        assert not isinstance(results[1], Problem)
        assert sorted(await facts(db)) == ["one", "taken", "three", "two"]


async def test_statements_of_one_unit_are_kept_together_or_not_at_all(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put(fact("taken"))
        results = await together(db, lambda: db.put(fact("new"), fact("taken")), lambda: db.put(fact("mate")))
        assert isinstance(results[0], Exception)
        assert sorted(await facts(db)) == ["mate", "taken"]


async def test_a_refusal_before_any_write_fails_alone_and_nobody_runs_again(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []

    async def good(tx: Tx) -> str:
        runs.append("good")
        await tx.run(SET, {"name": f"good {len(runs)}", "value": ""})
        return "done"

    async def refuses(tx: Tx) -> None:
        runs.append("refuses")
        await tx.first(BY_NAME, {"name": "anything"})
        await tx.gather(BY_NAME, [{"name": "anything"}, {"name": "else"}])
        raise Conflict("not today")

    async with opened(database_url) as db:
        sizes = count_transactions(monkeypatch)
        results = await together(db, lambda: db.write(good), lambda: db.write(refuses), lambda: db.write(good))
        assert [results[0], results[2]] == ["done", "done"]
        assert isinstance(results[1], Conflict)
        assert runs == ["good", "refuses", "good"]
        assert sizes == [1, 3]
        assert len(await facts(db)) == 2


@pytest.mark.parametrize("write", [SET, SET_RETURNING], ids=["plain", "returning"])
async def test_a_refusal_after_a_write_takes_back_that_write_alone(database_url: str, write: Query) -> None:
    async def refuses(tx: Tx) -> None:
        await tx.first(write, {"name": "half", "value": ""}) if write is SET_RETURNING else await tx.run(
            write, {"name": "half", "value": ""}
        )
        raise Conflict("not today")

    async with opened(database_url) as db:
        results = await together(
            db, lambda: db.put(fact("one")), lambda: db.write(refuses), lambda: db.put(fact("two"))
        )
        assert isinstance(results[1], Conflict)
        assert sorted(await facts(db)) == ["one", "two"]
        # Alone in its batch it fares no better.
        with pytest.raises(Conflict):
            await db.write(refuses)
        assert sorted(await facts(db)) == ["one", "two"]


async def test_what_comes_while_the_writer_is_busy_and_fails_fails_alone(database_url: str) -> None:
    """It may have joined the transaction that was going on."""
    async with opened(database_url) as db:
        await db.put(fact("taken"))

        async def work(tx: Tx) -> str:
            await tx.run(*fact("worked"))
            # The writer is busy; it may be a thread of its own.
            time.sleep(0.05)
            return "done"

        busy = asyncio.ensure_future(db.write(work))
        results = await asyncio.gather(db.put(fact("fine")), db.put(fact("taken")), return_exceptions=True)
        assert await busy == "done"
        assert results[0] is None
        assert isinstance(results[1], Exception)
        assert {"worked", "fine", "taken"} <= set(await facts(db))


async def test_a_caller_that_gave_up_disturbs_nobody(database_url: str) -> None:
    async with opened(database_url) as db:
        release = asyncio.Event()
        busy = await hold_writer(db, release)
        gone = asyncio.ensure_future(db.put(fact("gone")))
        stays = asyncio.ensure_future(db.put(fact("stays")))
        await asyncio.sleep(0)
        gone.cancel()
        release.set()
        await asyncio.gather(busy, stays)
        assert "stays" in await facts(db)


LEFT, OVER = ({"name": name, "value": ""} for name in ("left", "over"))
# Every way in which a unit can write.
WRITES: dict[str, Callable[[Tx], Awaitable[Any]]] = {
    "one row": lambda tx: tx.run(SET, LEFT),
    "one of many": lambda tx: tx.many(SET, [LEFT]),
    "many": lambda tx: tx.many(SET, [LEFT, OVER]),
    "one that is told": lambda tx: tx.all(SET_RETURNING, LEFT),
    "one that is gathered": lambda tx: tx.gather(SET_RETURNING, [LEFT]),
    "many that are gathered": lambda tx: tx.gather(SET_RETURNING, [LEFT, OVER]),
}


@pytest.mark.parametrize("way", WRITES)
async def test_who_refuses_after_writing_leaves_nothing_behind_and_disturbs_nobody(database_url: str, way: str) -> None:
    async def refuse(tx: Tx) -> None:
        await WRITES[way](tx)
        raise Conflict("not like this")

    async with opened(database_url) as db:
        release = asyncio.Event()
        held = await hold_writer(db, release)
        refused = asyncio.create_task(db.write(refuse))
        mate = asyncio.ensure_future(db.put(fact("mate")))
        await settle()
        release.set()
        await asyncio.gather(held, mate)
        with pytest.raises(Conflict):
            await refused
        assert await facts(db) == {"mate": ""}
