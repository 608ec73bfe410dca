"""An endpoint gets everything from its beginning, also what a process planned that had not heard of it yet."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tablegram.engine import timers
from tablegram.errors import Unavailable
from tablegram.events import endpoints
from tablegram.events.forgetting import forget
from tablegram.events.planning import Planner, Statement, event_of
from tablegram.flows.gateway.announcing import Announcer
from tablegram.media.files import FileTold
from tablegram.messaging.incoming import InboundMedia, InboundMessage
from tests.api.product_in_process import product
from tests.engine.waiting import until
from tests.events.office import office, texts
from tests.events.receiver import receiver


async def test_what_was_planned_elsewhere_in_the_first_moments_comes_once(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both look when what they are to find is there.
    told, make_up = asyncio.Event(), endpoints.Endpoints._make_up

    async def looks_later(self: endpoints.Endpoints, account_id: int, endpoint_id: str, since_ms: int) -> None:
        await told.wait()
        self._make_up_after_s = 0.0
        await make_up(self, account_id, endpoint_id, since_ms)

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


async def test_what_waits_for_its_file_waits_for_it_before_it_goes_to_a_late_endpoint(database_url: str) -> None:
    async with receiver() as there, office(database_url) as one:
        one.endpoints._make_up_after_s = 0.0
        here, elsewhere = (
            Announcer(planner, one.clock, "https://example.com/media")
            for planner in (one.planner, Planner(one.db, one.clock))
        )

        def came(name: str, media_id: str) -> list[Statement]:
            media = InboundMedia(media_id="1") if media_id else None
            item = InboundMessage(
                network_id=name, at_ms=0, type="image", network_type="image", phone_number_id="1",
                sender_phone="905551112233", sender_user_id="", sender_name="", media=media, raw={},
            )  # fmt: skip
            return elsewhere.received(1, 1, item, f"from {name}", media_id)

        made = await one.db.write(lambda tx: one.endpoints.create(tx, 1, there.url, ["*"], ""))
        waiting, is_here = came("waiting", "med_1"), came("here", "med_2")
        for plan in (waiting, is_here, came("plain", "")):
            await one.db.put(*plan)
        told: FileTold = {"mime_type": "image/png", "size": 7, "sha256": "0"}
        await one.db.write(lambda tx: elsewhere.complete(tx, 1, event_of(is_here), told))
        one.clock.advance(0.001)
        await one.endpoints.changed(1, made.id)
        await until(lambda: len(there.taken) >= 2, "what waits for nothing to come")
        endpoints = await one.db.write(lambda tx: here.complete(tx, 1, event_of(waiting), told))
        assert endpoints == [made.id]
        here.hasten = one.deliveries.hasten
        here.completed(1, event_of(waiting), endpoints)
        await until(lambda: len(there.taken) == 3, "the other one to come")
        sizes = {
            seen.json()["data"]["message_id"]: seen.json()["data"].get("media", {}).get("size") for seen in there.taken
        }
        assert sizes == {"waiting": 7, "here": 7, "plain": None}
        assert there.taken[-1].json()["data"]["message_id"] == "waiting"


async def test_what_was_planned_for_an_endpoint_while_it_was_deleted_is_let_go_of(database_url: str) -> None:
    async with receiver() as there, office(database_url) as one:
        endpoint_id = await one.add(there.url)
        body = {"event": "messages.upsert", "data": {"text": "late"}}
        # Planned before, and committed after; by this process or by one that has not heard of the end yet.
        plan = one.planner.plan(1, "messages.upsert", body, "s")
        await one.endpoints.delete(1, endpoint_id)
        await one.db.put(*plan)
        assert await one.states(endpoint_id) == ["pending"]
        one.endpoints._make_up_after_s = 0.0
        await one.endpoints._make_up(1, endpoint_id, one.clock.now_ms())
        assert await one.states(endpoint_id) == []
        # Nothing keeps the event for longer than others.
        assert await forget(one.db, one.clock.now_ms() + 1) == 1
        assert there.taken == []


async def test_what_was_missed_is_made_up_for_also_when_the_store_is_away_meanwhile(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "PAUSE_AFTER_ERROR_S", 0.01)
    async with receiver() as there, office(database_url) as one:
        one.endpoints._make_up_after_s = 0.0
        elsewhere, enlist, tried = Planner(one.db, one.clock), one.endpoints._enlist_missed, list[int]()

        async def away(*_: object) -> None:
            raise Unavailable("The store is away.")

        async def later(*given: Any) -> None:
            tried.append(1)
            await (away if len(tried) < 3 else enlist)(*given)

        made = await one.db.write(lambda tx: one.endpoints.create(tx, 1, there.url, ["*"], ""))
        body = {"event": "messages.upsert", "data": {"text": "missed"}}
        await one.db.put(*elsewhere.plan(1, "messages.upsert", body, "s"))
        one.clock.advance(0.001)
        monkeypatch.setattr(one.endpoints, "_enlist_missed", later)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(one.planner, "reload", away)
            with pytest.raises(Unavailable):
                await one.endpoints.changed(1, made.id)
        await until(lambda: texts(there) == ["missed"], "it to come")
        assert len(tried) == 3
