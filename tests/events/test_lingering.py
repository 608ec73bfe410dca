"""A courier with nothing left stays a while: the next event finds it there, and order holds also beside other processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tablegram.events import courier
from tablegram.events.delivery import Deliveries
from tablegram.events.store import ENDPOINT, PENDING
from tests.engine.waiting import until
from tests.events.office import Office, office, texts
from tests.events.receiver import receiver


def count_reads(one: Office, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What the store was asked for an endpoint or its queue."""
    asked: list[Any] = []
    read_all = one.db.all

    async def counted(query: Any, params: Any = None) -> Any:
        asked.append(query)
        return await read_all(query, params)

    monkeypatch.setattr(one.db, "all", counted)
    names = {ENDPOINT: "endpoint", PENDING: "queue"}
    return lambda: [names[query] for query in asked if query in names]


def rested(one: Office) -> bool:
    (work,) = one.deliveries.couriers
    return work._leaves_at is not None and not work.flight


async def test_the_next_event_costs_no_look_at_the_store(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablegram.events.addressee.FRESH_S", 600.0)
    monkeypatch.setattr(courier, "LINGER_S", 600.0)
    monkeypatch.setattr(Deliveries, "is_alone", True)
    async with receiver() as server, office(database_url) as one:
        reads = count_reads(one, monkeypatch)
        endpoint = await one.add(server.url)
        # While it begins, it may read the queue once more for what it is told meanwhile.
        for number in range(2):
            await one.tell(f"number {number}")
            await one.until_states(endpoint, *["delivered"] * (number + 1))
            await until(lambda: rested(one))
        before = reads()
        assert len(before) >= 2
        for number in range(2, 5):
            await one.tell(f"number {number}")
            await one.until_states(endpoint, *["delivered"] * (number + 1))
            await until(lambda: rested(one))
        assert reads() == before
        assert texts(server) == [f"number {number}" for number in range(5)]


async def test_beside_others_the_queue_is_read_before_what_is_handed_over(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process has planned an event of the same sender, and its word has not come yet."""
    monkeypatch.setattr(courier, "LINGER_S", 600.0)
    monkeypatch.setattr(Deliveries, "is_alone", False)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        await one.tell("first")
        await one.until_states(endpoint, "delivered")
        await until(lambda: rested(one))
        await one.db.put(*one.planner.plan(1, "messages.upsert", {"data": {"text": "of another process"}}, "s"))
        one.clock.advance(0.001)
        await one.tell("ours")
        await one.until_states(endpoint, *["delivered"] * 3)
        assert texts(server) == ["first", "of another process", "ours"]


async def test_beside_others_the_queue_is_read_also_while_something_is_under_way(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Deliveries, "is_alone", False)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        server.held.add("slow")
        await one.tell("slow", "somebody else")
        await until(lambda: texts(server) == ["slow"])
        await one.db.put(*one.planner.plan(1, "messages.upsert", {"data": {"text": "of another process"}}, "s"))
        one.clock.advance(0.001)
        await one.tell("ours")
        await until(lambda: len(server.seen) == 3)
        server.held.clear()
        await one.until_states(endpoint, *["delivered"] * 3)
        assert texts(server) == ["slow", "of another process", "ours"]


async def test_a_courier_goes_in_the_end(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "LINGER_S", 0.05)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        await one.tell("first")
        await one.until_states(endpoint, "delivered")
        await until(lambda: not len(one.deliveries.couriers))
        await one.tell("second")
        await one.until_states(endpoint, "delivered", "delivered")
        assert texts(server) == ["first", "second"]


async def test_what_was_settled_is_forgotten_now_and_then(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "LINGER_S", 600.0)
    monkeypatch.setattr(courier, "MAX_SETTLED", 3)
    monkeypatch.setattr(Deliveries, "is_alone", True)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        for number in range(12):
            await one.tell(f"{number}")
            await one.until_states(endpoint, *["delivered"] * (number + 1))
            await until(lambda: rested(one))
        (work,) = one.deliveries.couriers
        assert len(work._settled) <= 5
        assert texts(server) == [str(number) for number in range(12)]
