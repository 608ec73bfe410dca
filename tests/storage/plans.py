"""How each database means to answer a statement."""

from __future__ import annotations

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
    if url.startswith("sqlite"):
        form = query.form("sqlite")
        assert form.together is not None
        return await _plan_in_file(url, form.together.sized(MANY), [1] * len(form.order) * MANY)
    bulk = query.form("postgresql").bulk
    assert bulk is not None
    return await _plan_of_server(url, bulk)


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
