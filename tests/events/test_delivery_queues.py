"""Everything planned reaches its endpoint: what it asked for, in order per sender, however long the queue is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tablegram.events.courier import IDLE_S
from tablegram.events.delivery import Deliveries
from tablegram.events.endpoints import EndpointChange
from tablegram.events.store import PENDING
from tablegram.events.waiting.lanes import MAX_AWAY
from tests.engine.waiting import until
from tests.events.office import Office, office, texts
from tests.events.receiver import ERROR, GONE, OK, receiver
from tests.values.outbound import Answers


async def test_creating_an_endpoint_sends_nothing(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        await one.add(server.url)
        await one.settle()
        assert server.connections == 0


async def test_an_endpoint_gets_only_what_it_asked_for(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.update")
        await one.tell("no")
        await one.tell("yes", kind="messages.update")
        await one.until_states(endpoint, "delivered")
        assert texts(server) == ["yes"]


async def test_an_endpoint_that_asked_for_everything_and_more_gets_everything(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert", "*")
        await one.tell("one")
        await one.tell("two", kind="messages.update")
        await one.until_states(endpoint, "delivered", "delivered")
        assert sorted(texts(server)) == ["one", "two"]


async def test_one_sender_gets_in_order_and_others_side_by_side(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        server.gate.clear()
        for number in range(100):
            for sender in ("a", "b", "c"):
                await one.tell(f"{sender}{number}", sender)
        await until(lambda: server.at_once == 3)
        await one.settle()
        assert server.most_at_once == 3
        server.gate.set()
        await one.until_states(endpoint, *["delivered"] * 300)
        for sender in ("a", "b", "c"):
            assert [text for text in texts(server) if text[0] == sender] == [f"{sender}{n}" for n in range(100)]


async def test_at_most_64_are_in_flight(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        server.gate.clear()
        for number in range(200):
            await one.tell("x", f"sender {number}")
        await until(lambda: server.at_once == MAX_AWAY)
        await one.settle()
        assert server.at_once == MAX_AWAY
        server.gate.set()
        await one.until_states(endpoint, *["delivered"] * 200)
        assert server.most_at_once == MAX_AWAY


async def test_two_processes_do_not_deliver_side_by_side(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        other = Office(one.db, one.clock)
        await other.owner.register()
        for number in range(40):
            await (one, other)[number % 2].tell(f"{number}", "a")
            await one.deliveries.couriers.scan()
            await other.deliveries.couriers.scan()
        await one.deliveries.couriers.scan()
        await one.until_states(endpoint, *["delivered"] * 40)
        assert texts(server) == [f"{number}" for number in range(40)]
        await other.stop()


async def test_a_name_that_changes_its_mind_gets_no_connection(database_url: str) -> None:
    resolver = Answers(["8.8.8.8"], ["127.0.0.1"])
    async with receiver() as server, office(database_url, listed=(), resolver=resolver) as one:
        endpoint = await one.add(f"https://rebind.example.com:8443/{server.port}")
        # The first look found a public address; what counts is the address at the dial.
        assert await one.client.is_public("https://rebind.example.com:8443/")
        event_id = await one.tell("x")

        async def tried() -> bool:
            return bool(await one.attempts(event_id))

        await until(tried)
        assert "may not be called" in (await one.attempts(event_id))[0]["error"]
        assert server.connections == 0
        assert await one.states(endpoint) == ["pending"]


async def test_a_deleted_endpoint_gets_nothing_more(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await until(lambda: server.at_once == 0 and len(server.seen) == 1)
        await one.settle()
        await one.endpoints.delete(1, endpoint)
        await one.tell("y")
        await one.later(100)
        assert len(server.seen) == 1
        assert await one.states(endpoint) == []
        assert (await one.endpoint(endpoint))["secret"] == ""


async def test_a_changed_address_acts_at_once(database_url: str) -> None:
    async with receiver(usual=ERROR) as old, receiver() as new, office(database_url) as one:
        endpoint = await one.add(old.url)
        await one.tell("x")
        await until(lambda: len(old.seen) == 1)
        await one.settle()
        await one.endpoints.update(1, endpoint, EndpointChange(url=new.url))
        await one.until_states(endpoint, "delivered")
        assert len(new.seen) == 1


async def test_a_courier_without_work_leaves_and_the_next_event_gets_another(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        await one.tell("1")
        await one.until_states(endpoint, "delivered")
        one.deliveries.ring()
        await until(lambda: len(one.deliveries.couriers) == 0)
        await one.tell("2")
        await one.until_states(endpoint, "delivered", "delivered")
        assert IDLE_S > 5


async def test_more_than_fits_in_memory_is_delivered_in_order(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.courier.MAX_KNOWN", 20)
    monkeypatch.setattr("tablegram.events.courier.LOAD", 7)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        server.gate.clear()
        for number in range(120):
            await one.tell(f"{number % 3}.{number:03}", f"sender {number % 3}")
        server.gate.set()
        await one.until_states(endpoint, *["delivered"] * 120)
        for sender in "012":
            got = [text for text in texts(server) if text[0] == sender]
            assert got == sorted(got)
        assert len(server.seen) == 120


class Reads:
    """Counts what is read of the queue. `meanwhile` happens within each read, after the store has answered."""

    def __init__(self, one: Office, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], Awaitable[None]]) -> None:
        self.times = self.rows = 0
        plain = one.db.all

        async def read(query: Any, params: Any = None) -> Any:
            rows = await plain(query, params)
            if query is PENDING:
                self.times += 1
                self.rows += len(rows)
                await meanwhile()
            return rows

        monkeypatch.setattr(one.db, "all", read)


async def test_what_comes_while_the_queue_is_read_does_not_make_it_be_read_again(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        told: list[str] = []

        async def tell_more() -> None:
            if len(told) < 40:
                told.append(f"{len(told):02}")
                await one.tell(told[-1])

        # With other processes about it is: theirs may be earlier.
        monkeypatch.setattr(Deliveries, "is_alone", True)
        reads = Reads(one, monkeypatch, tell_more)
        await one.tell("")
        while len(told) < 40:
            await tell_more()
        await one.until_states(endpoint, *["delivered"] * 41)
        assert texts(server) == ["", *told]
        assert reads.times < 10


async def test_a_long_queue_is_read_a_few_times_and_not_for_every_event_that_leaves_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.courier.MAX_KNOWN", 64)
    monkeypatch.setattr("tablegram.events.courier.LOAD", 16)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        server.gate.clear()
        for number in range(300):
            await one.tell(f"{number:03}", f"sender {number % 10}")
        reads = Reads(one, monkeypatch, lambda: asyncio.sleep(0))
        server.gate.set()
        await one.until_states(endpoint, *["delivered"] * 300)
        assert len(server.seen) == 300
        # Each is read about twice: once among the next ones, once more as one that is known; more often where answers are
        # slow. Read for every event that leaves, it would be a lot of them each time.
        assert reads.rows < 300 * 4


async def test_what_comes_while_others_wait_in_the_store_does_not_overtake_them(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.courier.MAX_KNOWN", 8)
    monkeypatch.setattr("tablegram.events.waiting.lanes.MAX_AWAY", 6)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        server.held = {str(number) for number in range(8)}
        for number in range(8):
            await one.tell(str(number), f"sender {number}")
        await until(lambda: server.at_once == 6)
        # The courier knows as many as it may, so that this one stays in the store.
        await one.tell("z first", "z")
        server.held.discard("0")
        await until(lambda: texts(server)[6:] == ["6"])
        await one.tell("z second", "z")
        for number in range(1, 8):
            server.held.discard(str(number))
            await one.settle()
        await one.until_states(endpoint, *["delivered"] * 10)
        assert texts(server)[-2:] == ["z first", "z second"]


async def test_what_was_answered_with_410_goes_again_though_others_of_that_time_are_still_under_way(
    database_url: str,
) -> None:
    async with receiver(script=[OK, GONE], held={"slow"}) as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        await one.tell("slow", "a")
        await until(lambda: len(server.seen) == 1)
        await one.tell("gone", "b")
        await until(lambda: not one.planner.takers(1, "messages.upsert"))
        await one.endpoints.update(1, endpoint, EndpointChange(state="active"))
        await until(lambda: texts(server) == ["slow", "gone"])
        server.held.clear()
        await one.until_states(endpoint, "delivered", "delivered")
