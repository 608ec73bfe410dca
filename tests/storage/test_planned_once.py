"""A server that has counted a table plans what is found by key, and what is inserted, once; everything else anew each time."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Insert, bindparam, insert, update
from sqlalchemy.sql import operators, visitors

import tablegram
from tablegram.flows.gateway import sending
from tablegram.storage.connections.planning import ANEW, COUNTED_ROWS, ONCE
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.query import _speaks, columns, table_of
from tablegram.storage.tables import installation
from tablegram.storage.tables.schema import metadata
from tests.storage.drivers import overhear
from tests.storage.opened import facts, opened
from tests.storage.plans import fill
from tests.storage.statements import DIALECTS

ADD = Query(insert(installation).values(columns(installation)), planned_once=True)
RENAME = Query(
    update(installation).where(installation.c.name == bindparam("which")).values(name=bindparam("name")),
    planned_once=True,
)
# It may be any number of rows.
TOUCH = Query(update(installation).where(installation.c.name < bindparam("which")).values(value=bindparam("value")))
PLANS = (
    "select sum(generic_plans), sum(custom_plans) from pg_prepared_statements where statement like 'INSERT INTO inst%'"
)


def added(name: str) -> tuple[Query, dict[str, Any]]:
    return ADD, {"name": name, "value": ""}


def counted(db: Database, *tables: str) -> None:
    driver: Any = db._driver
    # By nobody else meanwhile.
    driver._counting.cancel()
    driver._planning.count(tables)


async def asked(db: Database, question: str) -> Any:
    """What the connection that commits groups says."""
    driver: Any = db._driver
    return await driver._main._connection.fetchrow(question)


async def way_of(db: Database) -> tuple[str, str]:
    """What the connection does, and what is believed of it."""
    driver: Any = db._driver
    return (await asked(db, "show plan_cache_mode"))[0], driver._main._way


@pytest.mark.shared
async def test_what_the_server_has_counted_is_planned_once(database_url: str) -> None:
    await fill(database_url, "insert into installation (name, value) select 'f' || n, '' from {numbers}", COUNTED_ROWS)
    async with opened(database_url) as db:
        driver: Any = db._driver
        async with asyncio.timeout(30):
            while "installation" not in driver._planning._counted:
                await asyncio.sleep(0.01)
        for number in range(3):
            await db.put(added(f"n{number}"))
        assert await asked(db, PLANS) == (3, 0)


@pytest.mark.shared
async def test_what_it_has_not_counted_is_planned_anew(database_url: str) -> None:
    async with opened(database_url) as db:
        counted(db, "messages")
        for number in range(10):
            await db.put(added(f"n{number}"))
        assert await asked(db, PLANS) == (0, 10)


@pytest.mark.shared
async def test_the_server_is_told_once(database_url: str) -> None:
    async with opened(database_url) as db:
        counted(db, "installation")
        heard = overhear(db)
        await db.put(added("one"))
        await db.put(added("two"))
        assert [text.split()[0] for text in heard] == ["set", "INSERT", "INSERT"]
        assert await way_of(db) == (ONCE, ONCE)


@pytest.mark.shared
async def test_whatever_else_is_asked_is_planned_anew(database_url: str) -> None:
    """Nobody knows what a function asks for; nor may a statement be planned once because its neighbour is."""
    async with opened(database_url) as db:
        counted(db, "installation")

        async def unit(tx: Tx) -> None:
            await tx.run(*added("two"))

        others: list[Callable[[], Any]] = [
            lambda: db.write(unit),
            lambda: db.put((TOUCH, {"which": "b", "value": ""})),
            lambda: db.put(added("three"), (TOUCH, {"which": "b", "value": ""})),
        ]
        for other in others:
            await db.put((RENAME, {"which": "none", "name": "none"}))
            assert await way_of(db) == (ONCE, ONCE)
            await other()
            assert await way_of(db) == (ANEW, ANEW)
        counted(db, "messages")
        await db.put(added("four"))
        assert await way_of(db) == (ANEW, ANEW)


@pytest.mark.shared
async def test_a_function_that_says_all_it_asks_is_planned_as_that_is(database_url: str) -> None:
    async with opened(database_url) as db:
        counted(db, "installation")

        async def unit(tx: Tx) -> None:
            await tx.run(*added(str(random.random())))

        await db.write(unit, asks=(ADD, RENAME))
        assert await way_of(db) == (ONCE, ONCE)
        await db.write(unit, asks=(ADD, TOUCH))
        assert await way_of(db) == (ANEW, ANEW)


@pytest.mark.shared
async def test_a_connection_does_what_is_believed_of_it_whatever_fails(database_url: str) -> None:
    chance = random.Random(7)
    async with opened(database_url) as db:
        counted(db, "installation")
        await db.put(added("there"))
        expected = {"there": ""}

        async def fails(tx: Tx) -> None:
            await tx.run(*added("there"))

        for round_ in range(60):
            fresh = [f"n{round_}.{number}" for number in range(chance.randrange(4))]
            others: list[Callable[[], Any]] = [
                lambda: db.put(added("there")),
                lambda: db.write(fails),
                lambda: db.put((TOUCH, {"which": "", "value": ""})),
            ]
            units = [partial(db.put, added(name)) for name in fresh] + chance.sample(others, chance.randrange(4))
            chance.shuffle(units)
            answers = await asyncio.gather(*[unit() for unit in units], return_exceptions=True)
            assert {str(answer).partition(" ")[0] for answer in answers if answer is not None} <= {"duplicate"}
            told, believed = await way_of(db)
            assert told == believed
            expected |= dict.fromkeys(fresh, "")
        assert await facts(db) == expected


@pytest.mark.shared
async def test_a_new_connection_plans_anew_until_it_is_told(database_url: str) -> None:
    async with opened(database_url) as db:
        counted(db, "installation")
        await db.put(added("one"))
        driver: Any = db._driver
        driver._main._connection.terminate()
        await db.put((TOUCH, {"which": "b", "value": ""}))
        assert await way_of(db) == (ANEW, ANEW)
        await db.put(added("two"))
        assert await way_of(db) == (ONCE, ONCE)


def planned_once() -> Iterator[tuple[str, Query]]:
    for module in pkgutil.walk_packages(tablegram.__path__, "tablegram."):
        if ".store" in module.name or module.name.startswith("tablegram.engine."):
            names = vars(importlib.import_module(module.name))
            yield from (
                (f"{module.name}.{name}", one)
                for name, one in names.items()
                if isinstance(one, Query) and one._planned_once
            )


def test_only_inserts_and_changes_by_the_whole_key_are_planned_once() -> None:
    seen = dict(planned_once())
    assert {"tablegram.messaging.store.turns.INSERT_IN_TURN", "tablegram.engine.idempotency._FINISH"} <= set(seen)
    for name, query in seen.items():
        statement: Any = query._build(_speaks(DIALECTS[1])[1])
        if isinstance(statement, Insert):
            continue
        assert statement.whereclause is not None, name
        parts: list[Any] = list(visitors.iterate(statement.whereclause))
        equal = {one.left for one in parts if getattr(one, "operator", None) is operators.eq}
        assert set(metadata.tables[table_of(statement)].primary_key) <= equal, name


def test_a_send_under_a_key_asks_nothing_that_is_planned_anew() -> None:
    assert [query for query in sending._PLAIN if not query._planned_once] == []
