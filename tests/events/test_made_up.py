"""An endpoint gets everything from its beginning, also what a process planned that had not heard of it yet."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tablegram.events import endpoints
from tablegram.events.planning import Planner
from tests.api.product_in_process import product
from tests.engine.waiting import until
from tests.events.office import texts
from tests.events.receiver import receiver


async def test_what_was_planned_elsewhere_in_the_first_moments_comes_once(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both look when what they are to find is there.
    told, make_up = asyncio.Event(), endpoints.Endpoints._make_up

    async def looks_later(self: endpoints.Endpoints, account_id: int, hook_id: str, since_ms: int) -> None:
        await told.wait()
        self._make_up_after_s = 0.0
        await make_up(self, account_id, hook_id, since_ms)

    monkeypatch.setattr(endpoints.Endpoints, "_make_up", looks_later)
    async with receiver() as there, product(database_url, tmp_path) as one:
        # What another process knows of the account's endpoints: there are none.
        elsewhere = Planner(one.api.db, one.api.clock)
        await elsewhere.reload(1)

        async def tell(text: str, sender: str) -> None:
            body = {"event": "messages.upsert", "data": {"text": text}}
            plan = elsewhere.plan(1, "messages.upsert", body, sender)
            assert len(plan) == 1
            await one.api.db.put(*plan)

        await tell("before", "a")
        made = await one.ask("POST", "/webhooks", {"url": there.url, "events": ["messages.upsert"]})
        assert made.status == 201
        await tell("elsewhere", "b")
        await one.tell("here", "c")
        told.set()
        await until(lambda: sorted(texts(there)) == ["elsewhere", "here"])
        told.clear()
        # Looking again, as after any change of the endpoint, brings nothing twice.
        await one.ask("PATCH", f"/webhooks/{made.json()['id']}", {"description": "x"})
        await tell("later", "d")
        told.set()
        await until(lambda: len(there.taken) > 2)
        assert sorted(texts(there)) == ["elsewhere", "here", "later"]
