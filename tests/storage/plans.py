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
    if url.startswith("sqlite"):
        form = query.form("sqlite")
        return await _plan_in_file(url, form.sql, [form.fixed.get(name, 1) for name in form.order])
    return await _plan_of_server(url, query.form("postgresql").sql)


async def plan_of_many(url: str, query: Query) -> str:
    """The plan for many rows at once."""
    bulk = query.form(url.partition(":")[0]).bulk
    assert bulk is not None
    sql = bulk.sized(MANY)
    if url.startswith("sqlite"):
        return await _plan_in_file(url, sql, [1] * sql.count("?"))
    return await _plan_of_server(url, sql)


async def fill(url: str, sql: str, many: int) -> None:
    """Write rows that an `insert … select` makes of `n`. A server counts them by and by, and then plans; a file never does."""
    if url.startswith("sqlite"):
        counting = f"(with recursive c(n) as (select 1 union all select n + 1 from c where n < {many}) select n from c)"
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            file.execute(sql.format(numbers=counting))
        file.close()
        return
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql.format(numbers=f"generate_series(1, {many}) as n"))
        await connection.execute("analyze")
    finally:
        await connection.close()


async def _plan_in_file(url: str, sql: str, values: list[Any]) -> str:
    async with opened(url) as db:
        driver: Any = db._driver

        async def explain(tx: Any) -> str:
            rows = tx._connection.execute(f"explain query plan {sql}", values).fetchall()
            return " ".join(str(row[3]) for row in rows)

        return str(await driver.read(explain))


async def _plan_of_server(url: str, sql: str) -> str:
    async with opened(url):
        connection = await asyncpg.connect(url)
        try:
            # Whatever the values are: the plan that is made for all of them.
            await connection.execute("set plan_cache_mode = force_generic_plan; set enable_seqscan = off")
            statement = await connection.prepare(sql)
            kinds = [parameter.name for parameter in statement.get_parameters()]
            values = [f"NULL::{kind}" for kind in kinds]
            await connection.execute(f"prepare asked as {sql}")
            rows = await connection.fetch(f"explain execute asked({', '.join(values)})")
            return " ".join(row[0] for row in rows)
        finally:
            await connection.close()


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
