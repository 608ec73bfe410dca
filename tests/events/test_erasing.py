"""Who was erased is not told of any more: not from memory, not by another process, not by an answer that comes late."""

from __future__ import annotations

from functools import partial

import pytest

from tablegram.events import erasure
from tablegram.events.courier import TRUST_MS
from tablegram.events.schedule import RETRY_S
from tests.engine.waiting import until
from tests.events.office import Office, office, texts
from tests.events.receiver import ERROR, OK, answer, receiver


async def erase(one: Office, sender: str, *, told: bool = True, account_id: int = 1) -> None:
    """Take a sender out of the store; `told`: this process's couriers hear of it, as after a real erasure."""
    gone, _ = await erasure.sweep(one.db, account_id, [sender])
    if told:
        one.deliveries.erase(account_id, gone)


async def test_what_waits_in_memory_is_not_sent_after_the_erasure(database_url: str) -> None:
    async with receiver(script=[ERROR, ERROR, ERROR]) as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        for number in range(5):
            await one.tell(f"ayse {number}", "ayse")
        await one.tell("mehmet", "mehmet")
        await until(lambda: len(server.seen) >= 2)
        await one.settle()
        before = len(server.seen)
        await erase(one, "ayse")
        for _ in range(4):
            await one.later(70)
        await one.until_states(endpoint, "delivered")
        assert texts(server) == ["mehmet"]
        assert not [seen for seen in server.seen[before:] if b"ayse" in seen.body]


async def test_another_process_erases_and_the_courier_looks_before_it_tries_again(database_url: str) -> None:
    async with receiver(script=[ERROR]) as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        await one.tell("ayse", "ayse")

        async def failed() -> bool:
            return bool((await one.deliveries_of(endpoint))[0]["attempts"])

        await until(failed)
        await erase(one, "ayse", told=False)
        for _ in range(3):
            await one.later(60)
        assert len(server.seen) == 1
        await one.tell("mehmet", "mehmet")
        await one.until_states(endpoint, "delivered")
        assert texts(server) == ["mehmet"]


async def test_what_has_failed_is_looked_at_again_however_soon_it_is_tried(database_url: str) -> None:
    async with receiver(script=[ERROR]) as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        await one.tell("ayse", "ayse")

        async def failed() -> bool:
            return bool((await one.deliveries_of(endpoint))[0]["attempts"])

        await until(failed)
        await erase(one, "ayse", told=False)
        # Sooner than what was read is taken to have changed.
        assert RETRY_S[0] * 1_000 < TRUST_MS
        await one.later(RETRY_S[0])
        assert len(server.seen) == 1


async def test_an_event_that_waited_long_behind_others_is_looked_at_again(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        server.gate.clear()
        await one.tell("first", "ayse")
        await one.tell("second", "ayse")
        await until(lambda: server.at_once == 1)
        await erase(one, "ayse", told=False)
        one.clock.advance(10)
        server.gate.set()
        await one.settle()
        await one.tell("mehmet", "mehmet")
        await one.until_states(endpoint, "delivered")
        assert texts(server) == ["first", "mehmet"]


async def test_an_answer_that_comes_after_the_erasure_is_not_kept(database_url: str) -> None:
    for act in (answer(200, b"noted: ayse"), answer(500, b"cannot take ayse"), answer(410, b"ayse")):
        for told in (True, False):
            async with receiver(script=[act]) as server, office(database_url) as one:
                endpoint = await one.add(server.url)
                server.gate.clear()
                event_id = await one.tell("ayse", "ayse")
                await until(lambda server=server: server.at_once == 1)  # type: ignore[misc]
                await erase(one, "ayse", told=told)
                server.gate.set()
                await one.settle()
                assert await one.attempts(event_id) == []
                assert await one.deliveries_of(endpoint) == []
                await one.later(5)
                assert len(server.seen) == 1
                await one.endpoints.delete(1, endpoint)


async def test_other_accounts_and_senders_are_left_alone(database_url: str) -> None:
    async with receiver(script=[ERROR] * 4) as server, office(database_url) as one:
        mine, foreign = await one.add(server.url), await one.add(server.url, account_id=2)
        await one.tell("ayse", "ayse")
        await one.tell("other ayse", "ayse", account_id=2)
        await one.settle()
        await erase(one, "ayse")
        server.script.clear()
        server.usual = OK
        await one.later(5)
        await one.later(60)
        await one.until_states(foreign, "delivered", account_id=2)
        assert await one.states(mine) == []
        assert texts(server) == ["other ayse"]


async def test_a_sweep_takes_all_that_is_there_and_the_end_what_came_since(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "CHUNK", 2)
    async with office(database_url) as one:
        assert await erasure.sweep(one.db, 1, ["ayse"]) == ([], 0)
        first = [await one.tell(f"ayse {number}", "ayse") for number in range(5)]
        await one.tell("mehmet", "mehmet")
        gone, upto = await erasure.sweep(one.db, 1, ["ayse", "nobody"])
        assert sorted(gone) == sorted(first)
        assert upto > 0
        assert (await erasure.sweep(one.db, 1, ["ayse"]))[0] == [], "nothing is left of it"
        later = await one.tell("ayse, once more", "ayse")
        finish = partial(erasure.finish, account_id=1, senders=["ayse"], after=upto)
        assert await one.db.write(finish) == [later]
        assert await one.db.write(finish) == []
        # Where it looked is where others go on, and what others wrote is theirs.
        assert (await erasure.sweep(one.db, 1, ["mehmet"]))[1] >= upto
        assert (await erasure.sweep(one.db, 2, ["ayse"]))[0] == []
