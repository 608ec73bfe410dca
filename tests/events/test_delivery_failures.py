"""Whatever an endpoint does, nothing is lost: it is tried again, in order, until it is taken or given up."""

from __future__ import annotations

import asyncio
import time

import pytest

from tablegram.events.posting import Patience
from tablegram.events.schedule import MAX_ATTEMPTS, RETRY_S
from tablegram.events.waiting.lanes import MAX_AWAY
from tests.engine.waiting import until
from tests.events.office import office, restarted, texts
from tests.events.receiver import (
    DRIP,
    DRIPPING_HEAD,
    ERROR,
    GARBAGE,
    HUGE,
    OK,
    REDIRECT,
    RESET,
    SILENCE,
    TORN,
    TORN_HEAD,
    Seen,
    answer,
    receiver,
)

pytestmark = pytest.mark.once


@pytest.mark.both
async def test_every_attempt_that_was_written_down_is_told(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        server.script, began = [ERROR], time.monotonic()
        told: list[tuple[int, str, str]] = []
        one.deliveries.listen(
            lambda account_id, endpoint_id, event_id: told.append((account_id, endpoint_id, event_id))
        )
        endpoint = await one.add(server.url)
        event_id = await one.tell("çay")
        await until(lambda: len(told) == 1, "the failure to be told")
        await one.later(RETRY_S[0] + 1)
        await until(lambda: len(told) == 2, "the success to be told")
        assert told == [(1, endpoint, event_id)] * 2
        took_ms = sum(row["latency_ms"] for row in await one.attempts(event_id))
        assert 0 <= took_ms <= (time.monotonic() - began) * 1_000


@pytest.mark.parametrize(
    "bad", [ERROR, REDIRECT, RESET, TORN_HEAD, SILENCE, GARBAGE, DRIPPING_HEAD, answer(199), answer(304)], ids=repr
)
async def test_what_is_not_2xx_is_tried_again(database_url: str, bad: bytes | str) -> None:
    async with receiver(script=[bad]) as server, office(database_url, patience=Patience(2.0, 4.0)) as one:
        endpoint = await one.add(server.url)
        event_id = await one.tell("x")

        async def failed() -> bool:
            return len(await one.attempts(event_id)) == 1

        await until(failed)
        await one.later(2.1)
        await one.until_states(endpoint, "delivered")
        assert server.ids() == [event_id, event_id]
        assert {seen.path for seen in server.seen} == {"/hook"}
        first, second = await one.attempts(event_id)
        assert (first["error"] is not None, second["error"], second["status"]) == (True, None, 200)


@pytest.mark.parametrize("odd", [HUGE, DRIP, TORN], ids=["huge", "drip", "torn"])
async def test_a_2xx_counts_whatever_becomes_of_its_body(
    database_url: str, odd: bytes | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.posting.ANSWER_S", 1.0)
    async with receiver(script=[odd]) as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        event_id = await one.tell("x")
        await one.until_states(endpoint, "delivered")
        assert len(server.seen) == 1
        (attempt,) = await one.attempts(event_id)
        assert len(attempt["answer"]) <= 2_048
        assert attempt["answer"][0] in "x.h"
        # The next one is not hurt by what is left on that connection.
        await one.tell("y")
        await one.until_states(endpoint, "delivered", "delivered")


@pytest.mark.both
async def test_an_event_is_dead_after_its_13th_attempt_and_comes_back_by_replay(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        event_id = await one.tell("x")
        for wait_s in RETRY_S:
            await until(lambda: server.at_once == 0)
            await one.later(wait_s + 1)
        await one.until_states(endpoint, "dead")
        assert len(server.seen) == MAX_ATTEMPTS == len(await one.attempts(event_id))
        await one.later(100_000)
        assert len(server.seen) == MAX_ATTEMPTS
        server.usual = OK
        await one.replay(endpoint, event_id)
        await one.until_states(endpoint, "delivered")
        assert set(server.ids()) == {event_id}


async def test_an_event_is_dead_after_76_hours(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await one.settle()
        await one.later(77 * 3_600)
        await one.until_states(endpoint, "dead")
        assert len(server.seen) == 1


async def test_while_an_endpoint_is_down_only_its_oldest_is_tried_and_the_rest_follow_at_once(
    database_url: str,
) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        await server.refuse()
        ids = [await one.tell(f"{number}", f"sender {number}") for number in range(30)]
        await one.settle()
        for wait_s in RETRY_S[:4]:
            await one.later(wait_s + 0.1)
        rows = {row["event_id"]: row for row in await one.deliveries_of(endpoint)}
        spent = [rows[event_id]["attempts"] for event_id in ids]
        assert spent[0] >= 4
        # Those that were on their way together when it went down may have spent one.
        assert max(spent[1:]) <= 1
        assert set(await one.states(endpoint)) == {"pending"}
        await server.listen()
        await one.later(RETRY_S[4] + 1)
        await one.until_states(endpoint, *["delivered"] * 30)


@pytest.mark.both
async def test_an_outage_keeps_the_order_of_each_sender(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        for number in range(10):
            for sender in ("a", "b"):
                await one.tell(f"{sender}{number}", sender)
        for _ in range(40):
            await one.later(17)
        server.usual = OK
        for _ in range(4):
            await one.later(61)
        await one.until_states(endpoint, *["delivered"] * 20)
        for sender in ("a", "b"):
            assert [text for text in texts(server) if text[0] == sender] == [f"{sender}{n}" for n in range(10)]


async def test_an_event_that_fails_alone_holds_its_sender_for_a_minute_and_nobody_else(database_url: str) -> None:
    def decide(seen: Seen) -> bytes | str:
        return ERROR if seen.json()["data"]["text"] == "poison" else OK

    async with receiver(decide=decide) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        await one.tell("poison", "a")
        await one.tell("behind it", "a")
        await one.tell("elsewhere", "b")
        await until(lambda: "elsewhere" in texts(server))
        for _ in range(5):
            await one.later(11)
            assert "behind it" not in texts(server)
        await one.later(10)
        await until(lambda: "behind it" in texts(server))
        await one.tell("later", "a")
        await until(lambda: "later" in texts(server))
        assert (await one.states(endpoint))[0] == "pending"


async def test_an_only_sender_with_a_bad_event_is_held_for_a_minute_too(database_url: str) -> None:
    def decide(seen: Seen) -> bytes | str:
        return ERROR if seen.json()["data"]["text"] == "poison" else OK

    async with receiver(decide=decide) as server, office(database_url) as one:
        await one.add(server.url, "messages.upsert")
        await one.tell("poison", "a")
        await one.tell("1", "a")
        await one.tell("2", "a")
        for _ in range(8):
            await one.later(16)
        await until(lambda: texts(server) == ["1", "2"])


@pytest.mark.both
async def test_a_crash_between_the_answer_and_its_record_delivers_again_under_the_same_id(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        server.gate.clear()
        event_id = await one.tell("x")
        await until(lambda: server.at_once == 1)
        fresh = await restarted(one)
        server.gate.set()
        await fresh.until_states(endpoint, "delivered")
        assert server.ids() == [event_id, event_id]
        await fresh.stop()


@pytest.mark.both
async def test_a_restart_in_an_outage_keeps_the_order(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as first:
        one = first
        endpoint = await one.add(server.url, "messages.upsert")
        for number in range(5):
            await one.tell(f"{number}", "a")
        for _ in range(20):
            await one.later(30)
        one = await restarted(one)
        await one.later(5)
        server.usual = OK
        for _ in range(3):
            await one.later(61)
        await one.until_states(endpoint, *["delivered"] * 5)
        assert texts(server) == [f"{number}" for number in range(5)]
        await one.stop()


@pytest.mark.both
async def test_a_dead_endpoint_of_one_account_delays_no_other(database_url: str) -> None:
    async with (
        receiver() as server,
        receiver(usual=SILENCE) as dead,
        office(database_url) as one,
    ):
        bad = await one.add(dead.url)
        good = await one.add(server.url, account_id=2)
        for number in range(300):
            await one.tell(f"{number}", f"sender {number}")
        await until(lambda: dead.at_once == MAX_AWAY)
        for number in range(50):
            await one.tell(f"{number}", f"sender {number}", account_id=2)
        await one.until_states(good, *["delivered"] * 50, account_id=2)
        assert set(await one.states(bad)) == {"pending"}


async def test_a_clock_that_is_set_back_delays_no_retry(database_url: str) -> None:
    async with receiver(script=[ERROR]) as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await until(lambda: len(server.seen) == 1)
        await one.settle()
        await one.later(-3_600)
        await one.until_states(endpoint, "delivered")


@pytest.mark.both
async def test_a_store_that_is_down_for_a_moment_loses_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tablegram.errors import Unavailable

    monkeypatch.setattr("tablegram.engine.timers.PAUSE_AFTER_ERROR_S", 0.02)
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        real, broken = one.db.put, [True]

        async def put(*statements: object) -> None:
            if broken[0]:
                raise Unavailable("down")
            await real(*statements)  # type: ignore[arg-type]

        server.gate.clear()
        await one.tell("x")
        monkeypatch.setattr(one.db, "put", put)
        server.gate.set()
        await until(lambda: len(server.seen) >= 1)
        await asyncio.sleep(0.05)
        broken[0] = False
        await one.until_states(endpoint, "delivered")
        assert len(set(server.ids())) == 1
