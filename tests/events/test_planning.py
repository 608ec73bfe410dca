"""Who plans events knows the endpoints by the reading that began last, whichever of several ends first."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.events import store
from tests.events.office import office

pytestmark = pytest.mark.once


async def test_a_reading_that_took_longer_takes_nothing_back(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(database_url) as one:
        has_read, go_on, really = asyncio.Event(), asyncio.Event(), one.db.all

        async def late(query: Any, *given: Any) -> Any:
            rows = await really(query, *given)
            if query is store.ACTIVE_ENDPOINTS and not has_read.is_set():
                has_read.set()
                await go_on.wait()
            return rows

        monkeypatch.setattr(one.db, "all", late)
        assert not one.planner.knows(1)
        reading = asyncio.create_task(one.planner.reload(1))
        async with asyncio.timeout(60):
            await has_read.wait()
        # Whoever hears of a change now has to read it.
        assert one.planner.knows(1)
        assert not one.planner.knows(2)
        made = await one.db.write(lambda tx: one.endpoints.create(tx, 1, "https://example.com/x", ["*"], ""))
        await one.planner.reload(1)
        go_on.set()
        await reading
        assert one.planner.takers(1, "messages.upsert") == [made.id]
        # And what is read after all of them counts.
        await one.db.put((store.DELETE_ENDPOINT, {"b_account": 1, "b_id": made.id, "now": one.clock.now_ms()}))
        await one.planner.reload(1)
        assert one.planner.takers(1, "messages.upsert") == []
