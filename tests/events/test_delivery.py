"""Everything planned reaches its endpoint: at least once, in order per sender, whatever the endpoint does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from tablegram.events.courier import IDLE_S
from tablegram.events.lanes import MAX_AWAY
from tablegram.events.posting import Patience
from tablegram.events.schedule import MAX_ATTEMPTS, RETRY_S
from tablegram.events.store import PENDING
from tests.engine.waiting import until
from tests.events.office import Office, office, restarted, texts
from tests.events.receiver import (
    BUSY,
    DRIP,
    DRIPPING_HEAD,
    ERROR,
    GARBAGE,
    GONE,
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
from tests.values.test_outbound import Answers


async def test_an_event_is_posted_as_it_is_with_a_signature_that_the_reference_library_accepts(
    database_url: str,
) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        event_id = await one.tell("çay")
        await one.until_states(hook, "delivered")
        (seen,) = server.seen
        assert (seen.path, seen.id, seen.headers["content-type"]) == ("/hook", event_id, "application/json")
        assert seen.json() == {"event": "messages.upsert", "data": {"text": "çay"}}
        # The library compares with the machine's own clock; the movable one is far ahead of it.
        assert_signed(one, hook, seen)


def assert_signed(one: Office, hook: str, seen: Seen, secret: str | None = None) -> None:
    library = Webhook(secret or one.secrets[hook])
    stamp = int(seen.headers["webhook-timestamp"])
    assert abs(stamp - one.clock.now_ms() // 1_000) < 86_400
    from datetime import UTC, datetime

    expected = library.sign(seen.id, datetime.fromtimestamp(stamp, UTC), seen.body.decode())
    assert expected in seen.headers["webhook-signature"].split(" ")


async def test_every_attempt_that_was_written_down_is_told(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        server.script = [ERROR]
        told: list[tuple[int, str, str]] = []
        one.deliveries.listen(lambda account_id, hook_id, event_id: told.append((account_id, hook_id, event_id)))
        hook = await one.add(server.url)
        event_id = await one.tell("çay")
        await until(lambda: len(told) == 1, "the failure to be told")
        await one.later(RETRY_S[0] + 1)
        await until(lambda: len(told) == 2, "the success to be told")
        assert told == [(1, hook, event_id)] * 2


async def test_creating_an_endpoint_sends_nothing(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        await one.add(server.url)
        await one.settle()
        assert server.connections == 0


async def test_an_endpoint_gets_only_what_it_asked_for(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.update")
        await one.tell("no")
        await one.tell("yes", kind="messages.update")
        await one.until_states(hook, "delivered")
        assert texts(server) == ["yes"]


async def test_an_endpoint_that_asked_for_everything_and_more_gets_everything(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert", "*")
        await one.tell("one")
        await one.tell("two", kind="messages.update")
        await one.until_states(hook, "delivered", "delivered")
        assert sorted(texts(server)) == ["one", "two"]


async def test_one_sender_gets_in_order_and_others_side_by_side(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url)
        server.gate.clear()
        for number in range(100):
            for sender in ("a", "b", "c"):
                await one.tell(f"{sender}{number}", sender)
        await until(lambda: server.at_once == 3)
        await one.settle()
        assert server.most_at_once == 3
        server.gate.set()
        await one.until_states(hook, *["delivered"] * 300)
        for sender in ("a", "b", "c"):
            assert [text for text in texts(server) if text[0] == sender] == [f"{sender}{n}" for n in range(100)]


async def test_at_most_64_are_in_flight(database_url: str) -> None:
    async with receiver() as server, office(database_url, patience=Patience(10, 30)) as one:
        hook = await one.add(server.url)
        server.gate.clear()
        for number in range(200):
            await one.tell("x", f"sender {number}")
        await until(lambda: server.at_once == MAX_AWAY)
        await one.settle()
        assert server.at_once == MAX_AWAY
        server.gate.set()
        await one.until_states(hook, *["delivered"] * 200)
        assert server.most_at_once == MAX_AWAY


@pytest.mark.parametrize(
    "bad", [ERROR, REDIRECT, RESET, TORN_HEAD, SILENCE, GARBAGE, DRIPPING_HEAD, answer(199), answer(304)], ids=repr
)
async def test_what_is_not_2xx_is_tried_again(database_url: str, bad: bytes | str) -> None:
    async with receiver(script=[bad]) as server, office(database_url, patience=Patience(1.0, 1.5)) as one:
        hook = await one.add(server.url)
        event_id = await one.tell("x")

        async def failed() -> bool:
            return len(await one.attempts(event_id)) == 1

        await until(failed)
        await one.later(2.1)
        await one.until_states(hook, "delivered")
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
        hook = await one.add(server.url)
        event_id = await one.tell("x")
        await one.until_states(hook, "delivered")
        assert len(server.seen) == 1
        (attempt,) = await one.attempts(event_id)
        assert len(attempt["answer"]) <= 2_048
        assert attempt["answer"][0] in "x.h"
        # The next one is not hurt by what is left on that connection.
        await one.tell("y")
        await one.until_states(hook, "delivered", "delivered")


async def test_every_attempt_is_signed_for_its_own_time_under_the_same_id(database_url: str) -> None:
    async with receiver(script=[ERROR, ERROR]) as server, office(database_url) as one:
        hook = await one.add(server.url)
        await one.tell("x")
        for _ in range(2):
            await one.settle()
            await one.later(6)
        await one.until_states(hook, "delivered")
        stamps = [int(seen.headers["webhook-timestamp"]) for seen in server.seen]
        assert len(set(stamps)) == 3
        assert len(set(server.ids())) == 1
        for seen in server.seen:
            assert_signed(one, hook, seen)


async def test_an_event_is_dead_after_its_13th_attempt_and_comes_back_by_replay(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        event_id = await one.tell("x")
        for wait_s in RETRY_S:
            await until(lambda: server.at_once == 0)
            await one.later(wait_s + 1)
        await one.until_states(hook, "dead")
        assert len(server.seen) == MAX_ATTEMPTS == len(await one.attempts(event_id))
        await one.later(100_000)
        assert len(server.seen) == MAX_ATTEMPTS
        server.usual = OK
        await one.replay(hook, event_id)
        await one.until_states(hook, "delivered")
        assert set(server.ids()) == {event_id}


async def test_an_event_is_dead_after_76_hours(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await one.settle()
        await one.later(77 * 3_600)
        await one.until_states(hook, "dead")
        assert len(server.seen) == 1


async def test_while_an_endpoint_is_down_only_its_oldest_is_tried_and_the_rest_follow_at_once(
    database_url: str,
) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        await server.refuse()
        ids = [await one.tell(f"{number}", f"sender {number}") for number in range(30)]
        await one.settle()
        for wait_s in RETRY_S[:4]:
            await one.later(wait_s + 0.1)
        rows = {row["event_id"]: row for row in await one.deliveries_of(hook)}
        spent = [rows[event_id]["attempts"] for event_id in ids]
        assert spent[0] >= 4
        # Those that were on their way together when it went down may have spent one.
        assert max(spent[1:]) <= 1
        assert set(await one.states(hook)) == {"pending"}
        await server.listen()
        await one.later(RETRY_S[4] + 1)
        await one.until_states(hook, *["delivered"] * 30)


async def test_an_outage_keeps_the_order_of_each_sender(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        for number in range(10):
            for sender in ("a", "b"):
                await one.tell(f"{sender}{number}", sender)
        for _ in range(40):
            await one.later(17)
        server.usual = OK
        for _ in range(4):
            await one.later(61)
        await one.until_states(hook, *["delivered"] * 20)
        for sender in ("a", "b"):
            assert [text for text in texts(server) if text[0] == sender] == [f"{sender}{n}" for n in range(10)]


async def test_an_event_that_fails_alone_holds_its_sender_for_a_minute_and_nobody_else(database_url: str) -> None:
    def decide(seen: Seen) -> bytes | str:
        return ERROR if seen.json()["data"]["text"] == "poison" else OK

    async with receiver(decide=decide) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
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
        assert (await one.states(hook))[0] == "pending"


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


async def test_410_disables_at_once_and_what_is_pending_stays(database_url: str) -> None:
    async with receiver() as told, receiver(usual=GONE) as server, office(database_url) as one:
        await one.add(told.url, "webhook.failing")
        hook = await one.add(server.url, "messages.upsert", "webhook.failing")
        for number in range(3):
            await one.tell(f"{number}")

        async def disabled() -> bool:
            return (await one.hook(hook))["state"] == "disabled"

        await until(disabled)
        await one.later(10_000)
        assert len(server.seen) == 1
        assert await one.states(hook) == ["pending"] * 3
        await until(lambda: len(told.seen) == 1)
        data = told.seen[0].json()["data"]
        assert (data["webhook_id"], data["state"]) == (hook, "disabled")
        assert "410" in data["reason"]
        # What happens meanwhile is not planned for it, and comes by a replay of that time.
        since = one.clock.now_ms()
        await one.tell("meanwhile")
        assert len(await one.states(hook)) == 3
        server.usual = OK
        await one.endpoints.update(1, hook, {"state": "active"})
        await one.until_states(hook, *["delivered"] * 3)
        await one.endpoints.replay_range(1, hook, since, one.clock.now_ms())
        await until(lambda: texts(server) == ["0", "1", "2", "meanwhile"])


async def test_429_and_retry_after_are_respected_by_all_its_events(database_url: str) -> None:
    async with receiver(usual=BUSY) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
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
        await one.until_states(hook, *["delivered"] * 5)
        spent = [row["attempts"] for row in await one.deliveries_of(hook)]
        assert sum(spent) <= 5 + asked


async def test_five_days_of_failures_only_disable_and_one_success_clears_the_record(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        for day in range(4):
            await one.tell(f"{day}")
            for _ in range(4):
                await one.later(6 * 3_600)
        assert (await one.hook(hook))["state"] == "active"
        assert (await one.hook(hook))["failing_since"] is not None
        server.usual = OK
        await one.tell("well")
        for _ in range(6):
            await one.later(6 * 3_600)

        async def clean() -> bool:
            return (await one.hook(hook))["failing_since"] is None

        await until(clean)
        server.usual = ERROR
        for day in range(7):
            await one.tell(f"again {day}")
            for _ in range(4):
                await one.later(6 * 3_600)
        row = await one.hook(hook)
        assert (row["state"], row["reason"]) == ("disabled", "Nothing but failures for five days.")


async def test_the_owner_is_told_once_in_a_bad_period_even_over_a_restart(database_url: str) -> None:
    async with receiver() as told, receiver(usual=ERROR) as server, office(database_url) as first:
        one = first
        await one.add(told.url, "webhook.failing")
        hook = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await one.tell("y", "other")
        for _ in range(30):
            await one.later(16)
        await until(lambda: len(told.seen) == 1)
        data = told.seen[0].json()["data"]
        assert (data["state"], data["reason"], data["webhook_id"]) == ("active", "HTTP 500", hook)
        one = await restarted(one)
        for _ in range(10):
            await one.later(600)
        assert len(told.seen) == 1
        await one.stop()


async def test_a_rotation_signs_with_both_secrets_for_a_day(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        old = one.secrets[hook]
        made = await one.db.write(lambda tx: one.endpoints.rotate(tx, 1, hook))
        await one.endpoints.changed(1, hook)
        await one.tell("both")
        await one.until_states(hook, "delivered")
        assert_signed(one, hook, server.seen[0], old)
        assert_signed(one, hook, server.seen[0], made["secret"])
        await one.later(25 * 3_600)
        one.deliveries.wake(1, hook, changed=True)
        await one.tell("new only")
        await one.until_states(hook, "delivered", "delivered")
        assert len(server.seen[1].headers["webhook-signature"].split(" ")) == 1
        assert_signed(one, hook, server.seen[1], made["secret"])


async def test_a_crash_between_the_answer_and_its_record_delivers_again_under_the_same_id(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        server.gate.clear()
        event_id = await one.tell("x")
        await until(lambda: server.at_once == 1)
        fresh = await restarted(one)
        server.gate.set()
        await fresh.until_states(hook, "delivered")
        assert server.ids() == [event_id, event_id]
        await fresh.stop()


async def test_a_restart_in_an_outage_keeps_the_order(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as first:
        one = first
        hook = await one.add(server.url, "messages.upsert")
        for number in range(5):
            await one.tell(f"{number}", "a")
        for _ in range(20):
            await one.later(30)
        one = await restarted(one)
        await one.later(5)
        server.usual = OK
        for _ in range(3):
            await one.later(61)
        await one.until_states(hook, *["delivered"] * 5)
        assert texts(server) == [f"{number}" for number in range(5)]
        await one.stop()


async def test_two_processes_do_not_deliver_side_by_side(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        other = Office(one.db, one.clock)
        await other.owner.register()
        for number in range(40):
            await (one, other)[number % 2].tell(f"{number}", "a")
            await one.deliveries.scan()
            await other.deliveries.scan()
        await one.deliveries.scan()
        await one.until_states(hook, *["delivered"] * 40)
        assert texts(server) == [f"{number}" for number in range(40)]
        await other.stop()


async def test_a_dead_endpoint_of_one_account_delays_no_other(database_url: str) -> None:
    async with (
        receiver() as server,
        receiver(usual=SILENCE) as dead,
        office(database_url, patience=Patience(5, 30)) as one,
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


async def test_a_name_that_changes_its_mind_gets_no_connection(database_url: str) -> None:
    resolver = Answers(["8.8.8.8"], ["127.0.0.1"])
    async with receiver() as server, office(database_url, listed=(), resolver=resolver) as one:
        hook = await one.add(f"https://rebind.example.com:8443/{server.port}")
        # The first look found a public address; what counts is the address at the dial.
        assert await one.client.is_public("https://rebind.example.com:8443/")
        event_id = await one.tell("x")

        async def tried() -> bool:
            return bool(await one.attempts(event_id))

        await until(tried)
        assert "may not be called" in (await one.attempts(event_id))[0]["error"]
        assert server.connections == 0
        assert await one.states(hook) == ["pending"]


async def test_a_deleted_endpoint_gets_nothing_more(database_url: str) -> None:
    async with receiver(usual=ERROR) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await until(lambda: server.at_once == 0 and len(server.seen) == 1)
        await one.settle()
        await one.endpoints.delete(1, hook)
        await one.tell("y")
        await one.later(100)
        assert len(server.seen) == 1
        assert await one.states(hook) == []
        assert (await one.hook(hook))["secret"] == ""


async def test_a_changed_address_acts_at_once(database_url: str) -> None:
    async with receiver(usual=ERROR) as old, receiver() as new, office(database_url) as one:
        hook = await one.add(old.url)
        await one.tell("x")
        await until(lambda: len(old.seen) == 1)
        await one.settle()
        await one.endpoints.update(1, hook, {"url": new.url})
        await one.until_states(hook, "delivered")
        assert len(new.seen) == 1


async def test_a_courier_without_work_leaves_and_the_next_event_gets_another(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        await one.tell("1")
        await one.until_states(hook, "delivered")
        one.deliveries.ring()
        await until(lambda: one.deliveries.busy == 0)
        await one.tell("2")
        await one.until_states(hook, "delivered", "delivered")
        assert IDLE_S > 5


async def test_more_than_fits_in_memory_is_delivered_in_order(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.courier.MAX_KNOWN", 20)
    monkeypatch.setattr("tablegram.events.courier.LOAD", 7)
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        server.gate.clear()
        for number in range(120):
            await one.tell(f"{number % 3}.{number:03}", f"sender {number % 3}")
        server.gate.set()
        await one.until_states(hook, *["delivered"] * 120)
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
        hook = await one.add(server.url, "messages.upsert")
        told: list[str] = []

        async def tell_more() -> None:
            if len(told) < 40:
                told.append(f"{len(told):02}")
                await one.tell(told[-1])

        reads = Reads(one, monkeypatch, tell_more)
        await one.tell("")
        while len(told) < 40:
            await tell_more()
        await one.until_states(hook, *["delivered"] * 41)
        assert texts(server) == ["", *told]
        assert reads.times < 10


async def test_a_long_queue_is_read_a_few_times_and_not_for_every_event_that_leaves_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.courier.MAX_KNOWN", 64)
    monkeypatch.setattr("tablegram.events.courier.LOAD", 16)
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        server.gate.clear()
        for number in range(300):
            await one.tell(f"{number:03}", f"sender {number % 10}")
        reads = Reads(one, monkeypatch, lambda: asyncio.sleep(0))
        server.gate.set()
        await one.until_states(hook, *["delivered"] * 300)
        assert len(server.seen) == 300
        # Each is read about twice: once among the next ones, once more as one that is known.
        assert reads.rows < 300 * 2.5


async def test_a_clock_that_is_set_back_delays_no_retry(database_url: str) -> None:
    async with receiver(script=[ERROR]) as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
        await one.tell("x")
        await until(lambda: len(server.seen) == 1)
        await one.settle()
        await one.later(-3_600)
        await one.until_states(hook, "delivered")


async def test_a_store_that_is_down_for_a_moment_loses_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tablegram.errors import Unavailable

    monkeypatch.setattr("tablegram.engine.timers.PAUSE_AFTER_ERROR_S", 0.02)
    async with receiver() as server, office(database_url) as one:
        hook = await one.add(server.url, "messages.upsert")
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
        await one.until_states(hook, "delivered")
        assert len(set(server.ids())) == 1
