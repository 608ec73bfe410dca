"""What waits goes out by itself: in order, at pace, once, and nobody waits for another's trouble."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem, Unavailable
from tablegram.messaging.model import BULK, NORMAL, URGENT
from tablegram.messaging.ports import Accepted, Delayed, Refused, Unknown
from tablegram.messaging.transmission import draining, recording
from tablegram.messaging.transmission.pacing import Pace
from tests.engine.waiting import settle, until
from tests.messaging.gateway import OTHER, PHONE, Gateway, body, gateway, phone


def delayed(holds: Any, retry_after_s: float = 5.0, **more: Any) -> Delayed:
    return Delayed("slow_down", "Too fast.", retry_after_s, holds, **more)


async def free_line(one: Gateway, line: Any) -> None:
    """The line is let go again, as its keeper does when the network is back."""
    line.release()
    line.bell.ring()


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
        await one.until_states(*["sent"] * 4)
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


async def test_a_message_is_tried_as_often_as_its_cause_allows(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.by_phone[PHONE] = delayed("message", 1, max_tries=3, network_code=131053)
        await one.send(PHONE, "a")
        for tries in (1, 2):

            async def written(tries: int = tries) -> bool:
                return bool((await one.row())["attempts"] == tries)

            await until(written)
            await one.later(1_000)
        await one.until_states("failed")
        row = await one.row()
        assert (row["attempts"], row["error_code"], row["error_network_code"]) == (3, "slow_down", 131053)
        await one.later(1_000)
        await settle()
        assert len(network.seen) == 3


async def test_a_message_that_found_no_way_in_time_fails_and_is_not_sent(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(delayed("recipient", 3_600))
        await one.send(PHONE, "a")
        await one.later(25 * 3_600)
        await one.until_states("failed")
        row = await one.row()
        assert row["error_code"] == "expired"
        assert len(network.seen) == 1


async def test_a_refusal_by_the_drain_fails_the_message_and_the_next_one_goes(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.extend([Refused("not_on_network", "No.", 131026), Accepted("wamid.b")])
        await one.queue(PHONE, "a")
        await one.queue(PHONE, "b")
        await one.until_states("failed", "sent")
        assert network.texts() == ["a", "b"]


async def test_a_doubt_is_sent_again_only_after_the_wait(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(Unknown("lost"))
        await one.send(PHONE, "a")
        await one.later(299)
        await settle()
        assert len(network.seen) == 1
        await one.later(2)
        await until(lambda: len(network.seen) == 2)
        assert network.seen[0].correlation == network.seen[1].correlation
        await one.until_states("sent")


async def test_a_doubt_is_not_sent_again_while_a_callback_waits_to_be_read(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(Unknown("lost"))
        await one.send(PHONE, "a")
        await one.inbox.store(1, f"cloud:{line.instance.id}", b'{"entry": []}')
        await one.later(301)
        await settle()
        assert len(network.seen) == 1
        await one.inbox.drain_once()
        await one.later(2)
        await until(lambda: len(network.seen) == 2)


async def test_without_the_lease_nothing_is_sent(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "LEASE_RETRY_S", 0.02)
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        assert await other.leases.hold(f"line:{line.instance.id}")
        await one.queue(PHONE, "a")
        await settle()
        assert one.network(line).seen == []
        await other.leases.free(other.owner.id)
        await one.until_said(line, "a")


async def test_two_processes_send_each_message_once(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "SCAN_S", 0.02)
    monkeypatch.setattr(draining, "LEASE_RETRY_S", 0.02)
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        for process in (one, other):
            process.tasks.keep("scan", process.drains.queues.scan_forever)
        for number in range(30):
            await (one, other)[number % 2].queue(phone(number % 3), f"{number}")
        await one.until_states(*["sent"] * 30)
        theirs = other.drivers.get(line.instance.id)
        said = one.network(line).texts() + (theirs.texts() if theirs else [])
        assert sorted(said, key=int) == [f"{number}" for number in range(30)]


async def test_what_nobody_was_told_of_is_found(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "SCAN_S", 0.02)
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.queue(PHONE, "a", send_at_ms=one.clock.now_ms() + 5_000)
        async with gateway(database_url, beside=one) as other:
            other.tasks.keep("scan", other.drains.queues.scan_forever)
            # Whose it was has gone before it is due, so that only the other can send it.
            await one.tasks.stop()
            await one.leases.free(one.owner.id)
            one.clock.advance(6)
            await until(lambda: line.instance.id in other.drivers and other.drivers[line.instance.id].texts() == ["a"])


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
        network.script.append(delayed("line", 60))
        await one.send(PHONE, "a")
        await one.lines.delete(one.caller, line.instance.id)
        await free_line(one, line)
        await settle()
        assert len(network.seen) == 1


async def test_a_driver_that_breaks_its_word_stops_nobody_and_leaves_no_message_behind(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        good, third = network.transmit, phone(3)

        async def breaks(message: Any) -> Any:
            if message.phone in (PHONE, third):
                raise RuntimeError("a bug of a driver")
            return await good(message)

        network.transmit = breaks  # type: ignore[method-assign]
        assert body(await one.send(third, "at once"))["status_code"] == "queued"
        await one.queue(PHONE, "a")
        await one.queue(OTHER, "b")
        await until(lambda: network.texts() == ["b"])

        async def in_doubt() -> bool:
            rows = {row["phone"]: row for row in await one.rows()}
            return all(rows[one]["error_code"] == "outcome_unknown" for one in (PHONE, third))

        # Whether they were sent is unknown, so they are not simply sent again; after a while they are.
        await until(in_doubt, "doubts about both")
        assert network.texts() == ["b"]
        network.transmit = good  # type: ignore[method-assign]
        await one.later(one.settings.unknown_wait_s + 1)
        await until(lambda: sorted(network.texts()) == ["a", "at once", "b"])


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


async def test_the_outcome_is_written_even_if_the_store_was_down(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "WRITE_AGAIN_S", (0.01,) * 50)
    async with gateway(database_url) as one:
        await one.add_line()
        put, failures = one.db.put, 3

        async def put_badly(*statements: Any) -> None:
            nonlocal failures
            if any("new_network_id" in params for _, params in statements) and failures:
                failures -= 1
                raise Unavailable("down", retry_after_s=1)
            await put(*statements)

        one.db.put = put_badly  # type: ignore[method-assign]
        with suppress(Problem):
            await one.send(PHONE, "a")
        await one.until_states("sent")
        assert failures == 0


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
