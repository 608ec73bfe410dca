"""What the engine asks for again and again is answered from an index of what waits, however much is done already."""

from __future__ import annotations

from typing import Any

import asyncpg
import pytest

from tablegram.engine import inbox
from tablegram.events import store as events
from tablegram.media import store as media
from tablegram.messaging.store import messages
from tablegram.storage.database import Query
from tests.storage.opened import opened

WAITING = {
    "ix_inbox_pending": inbox._PENDING,
    "ix_deliveries_pending": events.PENDING,
    "ix_media_wanted": media.DUE,
    "ix_messages_queue": messages.DUE,
}


@pytest.mark.parametrize("index", WAITING)
async def test_a_queue_is_read_by_its_index(database_url: str, index: str) -> None:
    assert index in await plan_of(database_url, WAITING[index])


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
