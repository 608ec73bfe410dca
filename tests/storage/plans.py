"""How each database means to answer a statement."""

from __future__ import annotations

import sqlite3
from typing import Any

import asyncpg

from tablegram.storage.database import Query
from tests.storage.opened import opened

MANY = 16


async def plan_of(url: str, query: Query) -> str:
    """The plan for one row."""
    return (await plans_of(url, [query]))[0]


async def plans_of(url: str, queries: list[Query]) -> list[str]:
    """The same of several; to open the database takes longer than its answers."""
    if url.startswith("sqlite"):
        forms = [query.form("sqlite") for query in queries]
        return await _plans_in_file(
            url, [(form.sql, [form.fixed.get(name, 1) for name in form.order]) for form in forms]
        )
    return await _plans_of_server(url, [query.form("postgresql").sql for query in queries])


async def plan_of_many(url: str, query: Query) -> str:
    """The plan for many rows at once."""
    bulk = query.form(url.partition(":")[0]).bulk
    assert bulk is not None
    sql = bulk.sized(MANY)
    if url.startswith("sqlite"):
        return (await _plans_in_file(url, [(sql, [1] * sql.count("?"))]))[0]
    return (await _plans_of_server(url, [sql]))[0]


async def fill(url: str, sql: str, many: int) -> None:
    await fill_all(url, [sql], many)


async def fill_all(url: str, inserts: list[str], many: int) -> None:
    """Write rows that each `insert … select` makes of `n`. A server counts them by and by, and then plans; a file never does."""
    if url.startswith("sqlite"):
        counting = f"(with recursive c(n) as (select 1 union all select n + 1 from c where n < {many}) select n from c)"
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            for sql in inserts:
                file.execute(sql.format(numbers=counting, no_bytes="x''"))
        file.close()
        return
    connection = await asyncpg.connect(url)
    try:
        for sql in inserts:
            await connection.execute(sql.format(numbers=f"generate_series(1, {many}) as n", no_bytes="''::bytea"))
        await connection.execute("analyze")
    finally:
        await connection.close()


async def _plans_in_file(url: str, statements: list[tuple[str, list[Any]]]) -> list[str]:
    async with opened(url) as db:
        driver: Any = db._driver

        async def explain(tx: Any) -> list[str]:
            plans = [tx._connection.execute(f"explain query plan {sql}", values) for sql, values in statements]
            return [" ".join(str(row[3]) for row in plan.fetchall()) for plan in plans]

        found: list[str] = await driver.read(explain)
        return found


async def _plans_of_server(url: str, statements: list[str]) -> list[str]:
    async with opened(url):
        connection = await asyncpg.connect(url)
        try:
            # Whatever the values are: the plan that is made for all of them.
            await connection.execute("set plan_cache_mode = force_generic_plan; set enable_seqscan = off")
            return [await _plan_on(connection, sql) for sql in statements]
        finally:
            await connection.close()


async def _plan_on(connection: asyncpg.Connection, sql: str) -> str:
    statement = await connection.prepare(sql)
    kinds = [parameter.name for parameter in statement.get_parameters()]
    values = [f"NULL::{kind}" for kind in kinds]
    await connection.execute(f"prepare asked as {sql}")
    rows = await connection.fetch(f"explain execute asked({', '.join(values)})")
    await connection.execute("deallocate asked")
    return " ".join(row[0] for row in rows)


async def refused(url: str, statements: list[tuple[str, Query]]) -> list[str]:
    """Which of these statements the database does not understand, and why; nothing is run."""
    if url.startswith("sqlite"):
        return await _refused_by_file(url, statements)
    found = []
    connection = await asyncpg.connect(url)
    try:
        for name, query in statements:
            form = query.form("postgresql")
            for sql in (form.sql, form.bulk.sized(MANY)) if form.bulk else (form.sql,):
                try:
                    await connection.prepare(sql)
                except asyncpg.PostgresError as error:
                    found.append(f"{name}: {error}: {sql}")
    finally:
        await connection.close()
    return found


async def _refused_by_file(url: str, statements: list[tuple[str, Query]]) -> list[str]:
    found = []
    async with opened(url) as db:
        driver: Any = db._driver

        async def explain(tx: Any) -> None:
            for name, query in statements:
                form = query.form("sqlite")
                texts = {form.sql: len(form.order)}
                if form.bulk is not None:
                    many = form.bulk.sized(MANY)
                    texts[many] = many.count("?")
                for sql, count in texts.items():
                    try:
                        tx._connection.execute(f"explain {sql}", [1] * count).fetchall()
                    except sqlite3.Error as error:
                        found.append(f"{name}: {error}: {sql}")

        await driver.read(explain)
    return found
