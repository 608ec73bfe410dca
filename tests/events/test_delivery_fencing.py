"""A process that lost an endpoint posts nothing to it any more, and decides nothing about it."""

from __future__ import annotations

import asyncio

import pytest

from tablegram.engine import crash_points
from tablegram.events import delivery
from tablegram.values.http.wire import Connection, Wire
from tests.engine.waiting import until
from tests.events.office import Office, office, texts
from tests.events.receiver import ERROR, receiver


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "LEASE_RETRY_S", 0.02)


async def beside(one: Office) -> Office:
    """Another process over the same store."""
    other = Office(one.db, one.clock)
    await other.owner.register()
    return other


@pytest.mark.parametrize("where", ["delivery.claimed", "connection"])
async def test_who_hung_before_a_post_leaves_it_to_who_has_the_endpoint_now(
    database_url: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    async with office(database_url) as one, receiver() as shop:
        other = await beside(one)
        endpoint = await one.add(shop.url)
        hung = False

        def hang(name: str) -> None:
            nonlocal hung
            if name == where and not hung:
                hung = True
                for lease in one.leases._held.values():
                    lease.lose()

        monkeypatch.setattr(crash_points, "reach", hang)
        connect = Wire._open

        async def slow(wire: Wire, within_s: float) -> Connection:
            hang("connection")
            return await connect(wire, within_s)

        monkeypatch.setattr(Wire, "_open", slow)
        hold = one.leases.hold

        async def lost(name: str) -> object:
            return None if hung else await hold(name)

        monkeypatch.setattr(one.leases, "hold", lost)
        await one.tell("a")
        await until(lambda: hung, "an event on its way")
        await one.settle()
        assert shop.seen == []
        assert await one.states(endpoint) == ["pending"]
        await other.leases.free(one.owner.id)
        await other.deliveries.couriers.scan()
        await other.until_states(endpoint, "delivered")
        assert texts(shop) == ["a"]
        await other.stop()


async def test_who_gets_an_endpoint_back_does_not_post_what_another_posted_meanwhile(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(database_url) as one, receiver() as shop:
        other = await beside(one)
        endpoint = await one.add(shop.url)
        shop.gate.clear()
        for text in ("a", "b", "c"):
            await one.tell(text)
        await until(lambda: len(shop.seen) == 1, "the first of them")
        # The others wait for it in the first process's memory, which hangs, while another delivers all.
        awake, hold = asyncio.Event(), one.leases.hold

        async def hold_later(name: str) -> object:
            await awake.wait()
            return await hold(name)

        monkeypatch.setattr(one.leases, "hold", hold_later)
        for lease in one.leases._held.values():
            lease.lose()
        await other.leases.free(one.owner.id)
        await other.deliveries.couriers.scan()
        await until(lambda: len(shop.seen) == 2, "the other process")
        shop.gate.set()
        await other.until_states(endpoint, "delivered", "delivered", "delivered")
        await other.stop()
        await other.leases.free(other.owner.id)
        await one.tell("d")
        awake.set()
        await one.until_states(endpoint, *["delivered"] * 4)
        # What was on its way when it hung is the only one that came twice, under one id.
        assert sorted(texts(shop)) == ["a", "a", "b", "c", "d"]


async def test_who_lost_an_endpoint_does_not_count_failures_of_it(database_url: str) -> None:
    async with office(database_url) as one, receiver() as shop:
        other = await beside(one)
        endpoint = await one.add(shop.url)
        shop.gate.clear()
        shop.script.append(ERROR)
        event = await one.tell("a")
        await until(lambda: len(shop.seen) == 1, "the post")
        await other.leases.free(one.owner.id)
        assert await other.leases.hold(f"webhook:{endpoint}")
        shop.gate.set()
        await one.settle()
        (row,) = await one.deliveries_of(endpoint)
        assert (row["state"], row["attempts"], row["last_error"]) == ("pending", 0, None)
        assert await one.attempts(event) == []
        assert (await one.endpoint(endpoint))["failing_since"] is None
        await other.deliveries.couriers.scan()
        await other.until_states(endpoint, "delivered")
        await other.stop()


async def test_that_an_event_was_taken_is_written_whoever_has_the_endpoint_now(database_url: str) -> None:
    async with office(database_url) as one, receiver() as shop:
        other = await beside(one)
        endpoint = await one.add(shop.url)
        shop.gate.clear()
        await one.tell("a")
        await until(lambda: len(shop.seen) == 1, "the post")
        await other.leases.free(one.owner.id)
        assert await other.leases.hold(f"webhook:{endpoint}")
        shop.gate.set()
        await one.until_states(endpoint, "delivered")
        await other.stop()
