"""What waits goes out by itself: in order, at pace, and nobody waits for another's trouble."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.events import store as events
from tablegram.messaging.model import BULK, NORMAL, URGENT
from tablegram.messaging.transmission import draining
from tablegram.messaging.transmission.pacing import Pace
from tests.engine.waiting import settle, until
from tests.messaging.gateway import OTHER, PHONE, Gateway, body, gateway, phone
from tests.messaging.scripted import delayed


async def free_line(one: Gateway, line: Any) -> None:
    """The line is let go again, as its watch does when the network is back."""
    line.release()
    line.bell.ring()


async def at_rest(one: Gateway, line: Any) -> None:
    """The drain has looked, and waits for something to do: what it is just reading when a line is stopped, it still sends."""
    await one.queue(phone(99), "before")
    await one.until_states("sent")
    await settle(db=one.db)
    one.network(line).seen.clear()


def _few_at_once(monkeypatch: pytest.MonkeyPatch) -> int:
    """More than begin together, and few enough for a test."""
    most = draining.AT_ONCE + draining.WORTH_A_LOOK
    monkeypatch.setattr(draining, "BULK_IN_FLIGHT", dict.fromkeys(draining.BULK_IN_FLIGHT, most))
    return most


async def test_messages_to_one_recipient_go_in_order_and_one_at_a_time(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        texts = [f"message {number}" for number in range(30)]
        for text in texts:
            await one.queue(PHONE, text)
        await one.until_said(line, *texts)
        assert one.network(line).most_to_one == 1
        await one.until_states(*["sent"] * 30)


async def test_many_recipients_are_served_at_once_but_not_without_limit(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = _few_at_once(monkeypatch) + draining.LEFT_FREE
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.gate.clear()
        recipients = most * 2
        await one.queue_many([(phone(number % recipients), f"{number}") for number in range(recipients * 2)])
        await until(lambda: len(network.in_flight) > most // 2)
        await settle()
        assert len(network.in_flight) <= most
        network.gate.set()
        await until(lambda: len(network.seen) == recipients * 2)
        assert network.most_in_flight <= most
        assert network.most_to_one == 1
        for number in range(recipients):
            assert network.texts(phone(number)) == [f"{number}", f"{number + recipients}"]


async def test_urgent_ones_go_first_and_bulk_last(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await at_rest(one, line)
        one.network(line).script.append(delayed("line", 60))
        await one.send(OTHER, "first")
        for number, (text, priority) in enumerate(
            [("bulk", BULK), ("normal", NORMAL), ("urgent", URGENT), ("bulk 2", BULK), ("urgent 2", URGENT)]
        ):
            await one.queue(phone(number), text, priority=priority)
        line.strikes = 0
        await free_line(one, line)
        await until(lambda: len(one.network(line).seen) == 7)
        said = one.network(line).texts()[1:]
        assert sorted(said[:2]) == ["urgent", "urgent 2"]
        assert sorted(said[2:4]) == ["first", "normal"]
        assert sorted(said[4:]) == ["bulk", "bulk 2"]


async def test_a_line_that_is_held_sends_nothing_and_then_everything_in_order(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        await at_rest(one, line)
        network.script.append(delayed("line", 60, line_state="degraded"))
        assert body(await one.send(PHONE, "a"))["status_code"] == "queued"
        for text in ("b", "c"):
            assert body(await one.send(PHONE, text))["status_code"] == "queued"
        assert body(await one.send(OTHER, "d"))["status_code"] == "queued"
        await settle()
        assert network.texts() == ["a"]
        await free_line(one, line)
        await until(lambda: len(network.seen) == 5)
        assert network.texts(PHONE) == ["a", "a", "b", "c"]
        await one.until_states(*["sent"] * 5)
        # What was held up keeps no error of it.
        assert {row["error_code"] for row in await one.rows()} == {None}
        # That it takes messages again makes no line healthy: its next examination does.
        assert line.instance.state == "degraded"


async def test_a_recipient_that_is_held_holds_up_nobody_else(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(delayed("recipient", 30))
        await one.send(PHONE, "a")
        assert body(await one.send(PHONE, "b"))["status_code"] == "queued"
        await one.send(OTHER, "x")
        await until(lambda: network.texts(OTHER) == ["x"])
        assert network.texts(PHONE) == ["a"]
        await one.later(31)
        await until(lambda: len(network.texts(PHONE)) == 3)
        assert network.texts(PHONE) == ["a", "a", "b"]


async def test_a_hold_that_ends_while_the_queue_is_read_lets_nobody_overtake(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(delayed("recipient", 30))
        await one.send(PHONE, "a")
        look = one.drains.due

        async def slowly(*asked: Any) -> Any:
            rows = await look(*asked)
            if rows:
                one.clock.advance(31)
            return rows

        monkeypatch.setattr(one.drains, "due", slowly)
        await one.queue(PHONE, "b")
        await until(lambda: len(network.texts()) == 3)
        assert network.texts() == ["a", "a", "b"]


async def test_a_message_that_waits_alone_lets_its_recipient_wait_behind_it(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(delayed("message", 1))
        await one.send(PHONE, "a")
        await one.queue(PHONE, "b")
        await settle()
        assert network.texts() == ["a"]
        await one.later(30)
        await until(lambda: len(network.seen) == 3)
        assert network.texts() == ["a", "a", "b"]


class Stopped(Pace):
    """A pace whose clock stands still until a test lets it go on."""

    def __init__(self, per_s: float, burst: float) -> None:
        super().__init__(per_s, burst)
        self.at: float | None = time.monotonic()

    def wait_s(self, now: float, *, sparing: bool = False) -> float:
        return super().wait_s(self.at or now, sparing=sparing)

    def take(self, now: float) -> None:
        super().take(self.at or now)


async def test_what_is_over_the_pace_waits_and_is_not_refused(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line(pace=2.0)
        assert line.pace is not None
        # No time passes while the four are sent, however long that takes.
        line.pace = Stopped(2.0, 2.0)
        answers = [body(await one.send(phone(number), f"{number}"))["status_code"] for number in range(4)]
        assert answers == ["sent", "sent", "queued", "queued"]
        line.pace.at = None
        await one.until_states(*["sent"] * 4)
        assert one.network(line).texts() == ["0", "1", "2", "3"]


async def test_a_deleted_line_sends_nothing_more(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        await at_rest(one, line)
        network.script.append(delayed("line", 60))
        await one.send(PHONE, "a")
        await one.lines.delete(one.caller, line.instance.id)
        await free_line(one, line)
        await settle()
        assert len(network.seen) == 1


async def test_a_scheduled_message_waits_for_its_time(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        answer = await one.send(PHONE, "later", send_at_ms=one.clock.now_ms() + 60_000)
        assert body(answer)["status_code"] == "queued"
        # It holds nobody up until then.
        assert body(await one.send(PHONE, "now"))["status_code"] == "sent"
        await one.later(59)
        await settle()
        assert one.network(line).texts() == ["now"]
        await one.later(1.001)
        await one.until_said(line, "now", "later")


async def test_what_goes_by_itself_is_told_to_an_endpoint_that_this_process_had_not_heard_of(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        endpoint = {"account_id": 1, "id": "h1", "url": "https://example.com/", "description": "", "events": "*"}
        row = {**endpoint, "state": "active", "reason": "", "secret": "", "created_at": one.clock.now_ms()}
        await one.db.put((events.INSERT_ENDPOINT, row))
        await one.queue()
        await one.until_said(line, "Hi")
        await one.until_states("sent")
        (told,) = await one.db.all(events.PENDING, {"account_id": 1, "webhook_id": "h1", "most": 9})
        assert '"sent"' in told["body"].lower()


async def test_cancelled_while_waiting_is_never_sent(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(delayed("line", 60))
        await one.send(OTHER, "first")
        key = await one.queue(PHONE, "never")
        await one.lookups.cancel(one.caller, key, Call("/cancel"))
        await free_line(one, line)
        await one.until_states("cancelled", "sent")
        await asyncio.sleep(0.02)
        assert network.texts(PHONE) == []


async def test_what_many_get_at_once_leaves_room_for_the_message_of_an_order(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = _few_at_once(monkeypatch)
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.gate.clear()
        for number in range(most * 2):
            await one.queue(phone(number), "offer", priority=BULK)
        await until(lambda: len(network.in_flight) == most)
        # None of them has landed, and none does before this one is on its way.
        await one.queue(OTHER, "Your order is ready.", priority=NORMAL)
        await until(lambda: OTHER in network.in_flight)
        assert len(network.in_flight) == most + 1
        network.gate.set()
        await one.until_states(*["sent"] * (most * 2 + 1))
        assert network.most_in_flight <= most + draining.LEFT_FREE
