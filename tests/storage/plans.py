"""How each database means to answer a statement."""

from __future__ import annotations

from typing import Any

import asyncpg

from tablegram.storage.database import Query
from tests.storage.opened import opened


async def plan_of(url: str, query: Query) -> str:
    if url.startswith("sqlite"):
        async with opened(url) as db:
            driver: Any = db._driver
            form = query.form("sqlite")

            async def explain(tx: Any) -> str:
                values = [form.fixed.get(name, 1) for name in form.order]
                rows = tx._connection.execute(f"explain query plan {form.sql}", values).fetchall()
                return " ".join(str(row[3]) for row in rows)

            return str(await driver.read(explain))
    async with opened(url):
        connection = await asyncpg.connect(url)
        try:
            # Whatever the values are: the plan that is made for all of them.
            await connection.execute("set plan_cache_mode = force_generic_plan; set enable_seqscan = off")
            form = query.form("postgresql")
            statement = await connection.prepare(form.sql)
            kinds = [parameter.name for parameter in statement.get_parameters()]
            values = ["NULL::" + kind for kind in kinds]
            await connection.execute(f"prepare asked as {form.sql}")
            rows = await connection.fetch(f"explain execute asked({', '.join(values)})")
            return " ".join(row[0] for row in rows)
        finally:
            await connection.close()
