"""An endpoint that asks for time, or fails for days: who waits, who is told, and what is switched off."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.events import store
from tablegram.events.endpoints import EndpointChange
from tests.engine.waiting import until
from tests.events.office import office, restarted, texts
from tests.events.receiver import BUSY, ERROR, GONE, OK, Seen, receiver

pytestmark = pytest.mark.once


@pytest.mark.both
async def test_410_disables_at_once_and_what_is_pending_stays(database_url: str) -> None:
    async with receiver() as told, receiver(usual=GONE) as server, office(database_url) as one:
        await one.add(told.url, "webhook.failing")
        endpoint = await one.add(server.url, "messages.upsert", "webhook.failing")
        for number in range(3):
            await one.tell(f"{number}")

        async def disabled() -> bool:
            return bool((await one.endpoint(endpoint))["state"] == "disabled")

        await until(disabled)
        await one.later(10_000)
        assert len(server.seen) == 1
        assert await one.states(endpoint) == ["pending"] * 3
        await until(lambda: len(told.seen) == 1)
        data = told.seen[0].json()["data"]
        assert (data["webhook_id"], data["state"]) == (endpoint, "disabled")
        assert data["failing_since"] == data["timestamp"]
        assert "410" in data["reason"]
        # What happens meanwhile is not planned for it, and comes by a replay of that time.
        since = one.clock.now_ms()
        await one.tell("meanwhile")
        assert len(await one.states(endpoint)) == 3
        server.usual = OK
        await one.endpoints.update(1, endpoint, EndpointChange(state="active"))
        await one.until_states(endpoint, *["delivered"] * 3)
        await one.endpoints.replay_range(1, endpoint, since, one.clock.now_ms())
        await until(lambda: texts(server) == ["0", "1", "2", "meanwhile"])


async def test_what_is_read_while_an_endpoint_is_switched_off_is_not_posted(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with receiver(usual=GONE) as server, office(database_url) as one:
        server.gate.clear()
        endpoint = await one.add(server.url, "messages.upsert")
        await one.tell("0")
        await until(lambda: server.seen)
        courier = one.deliveries.couriers.at((1, endpoint))
        reading, read_on = asyncio.Event(), asyncio.Event()
        really = one.db.all

        async def late(query: Any, *given: Any) -> Any:
            rows = await really(query, *given)
            if query is store.PENDING:
                reading.set()
                await read_on.wait()
            return rows

        monkeypatch.setattr(one.db, "all", late)
        courier.wake()
        async with asyncio.timeout(30):
            await reading.wait()
        server.gate.set()
        await until(lambda: not courier.flight)
        assert (await one.endpoint(endpoint))["state"] == "disabled"
        read_on.set()
        await one.settle()
        assert len(server.seen) == 1
        assert await one.states(endpoint) == ["pending"]


async def test_429_and_retry_after_are_respected_by_all_its_events(database_url: str) -> None:
    async with receiver(usual=BUSY) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        for number in range(5):
            await one.tell(f"{number}", f"sender {number}")
        await until(lambda: server.at_once == 0 and server.seen)
        await one.settle()
        asked = len(server.seen)
        server.usual = OK
        for _ in range(8):
            await one.later(11)
        assert len(server.seen) == asked
        await one.later(5)
        await one.until_states(endpoint, *["delivered"] * 5)
        spent = [row["attempts"] for row in await one.deliveries_of(endpoint)]
        assert sum(spent) <= 5 + asked


async def test_a_429_while_the_endpoint_is_given_time_spends_no_attempt(database_url: str) -> None:
    def decide(seen: Seen) -> bytes | str:
        return OK if seen.json()["data"]["text"] == "0" else BUSY

    async with receiver(decide=decide) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        server.held = {str(number) for number in range(5)}
        for number in range(5):
            await one.tell(str(number), f"sender {number}")
        await until(lambda: server.at_once == 5)
        # One is taken, so that the endpoint is not simply down; then it asks for patience, and gets it.
        server.held.discard("0")
        await one.until_states(endpoint, "delivered", *["pending"] * 4)
        server.held.discard("1")

        async def spent() -> list[int]:
            return [row["attempts"] for row in await one.deliveries_of(endpoint) if row["state"] == "pending"]

        async def noted() -> bool:
            return await spent() == [1, 0, 0, 0]

        await until(noted)
        await one.settle()
        # Those that were on their way already only hear the same.
        server.held.clear()
        await until(lambda: server.at_once == 0)
        await one.settle()
        assert await spent() == [1, 0, 0, 0]
        server.decide = None
        await one.later(91)
        await one.until_states(endpoint, *["delivered"] * 5)


async def test_five_days_of_failures_only_disable_and_one_success_clears_the_record(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        for day in range(4):
            await one.tell(f"{day}")
            for _ in range(4):
                await one.later(6 * 3_600)
        assert (await one.endpoint(endpoint))["state"] == "active"
        assert (await one.endpoint(endpoint))["failing_since"] is not None
        server.usual = OK
        await one.tell("well")
        for _ in range(6):
            await one.later(6 * 3_600)

        async def clean() -> bool:
            return (await one.endpoint(endpoint))["failing_since"] is None

        await until(clean)
        server.usual = ERROR
        for day in range(7):
            await one.tell(f"again {day}")
            for _ in range(4):
                await one.later(6 * 3_600)
        row = await one.endpoint(endpoint)
        assert (row["state"], row["reason"]) == ("disabled", "Nothing but failures for five days.")


@pytest.mark.both
async def test_the_owner_is_told_once_in_a_bad_period_even_over_a_restart(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with receiver() as told, receiver(usual=ERROR) as server, office(database_url) as first:
        one = first
        await one.add(told.url, "webhook.failing")
        endpoint = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await one.tell("y", "other")
        planned, plan = list[int](), one.planner.planned

        def noted(account: int, *more: Any) -> None:
            planned.append(account)
            plan(account, *more)

        monkeypatch.setattr(one.planner, "planned", noted)
        for _ in range(30):
            await one.later(16)
        await until(lambda: len(told.seen) == 1)
        assert planned == [1], "whoever waits for such news hears of it at once"
        data = told.seen[0].json()["data"]
        assert (data["state"], data["reason"], data["webhook_id"]) == ("active", "HTTP 500", endpoint)
        one = await restarted(one)
        for _ in range(10):
            await one.later(600)
        assert len(told.seen) == 1
        await one.stop()
