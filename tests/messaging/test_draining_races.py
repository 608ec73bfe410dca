"""What happens while the drain looks, waits or asks: nobody is overtaken, and nothing is paid back twice or for nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.messaging.ports import Delayed, NetworkRefused
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission.draining import ABROAD_S
from tablegram.messaging.transmission.pacing import RecipientPace
from tablegram.storage.tables import events
from tests.engine.waiting import settle, until
from tests.flows.callbacks import status
from tests.messaging.gateway import PHONE, Gateway, body, gateway, phone


async def told_of(one: Gateway) -> int:
    """How many events the account has been told."""
    return len(await one.db.all(select(events.c.id).where(events.c.account_id == 1)))


@pytest.mark.parametrize("new", [True, False], ids=["a line that is new to the process", "a line that is known"])
async def test_what_is_queued_while_the_queue_is_seen_empty_is_not_overtaken(
    database_url: str, monkeypatch: pytest.MonkeyPatch, new: bool
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        if not new:
            assert await one.drains.lease_of(line) is not None
        look, looks, answers = one.drains.look, 0, []

        async def slowly(*asked: Any) -> Any:
            nonlocal looks
            looks += 1
            rows = await look(*asked)
            if looks == 1:
                assert rows == []
                await one.queue(PHONE, "first")
            elif looks == 2:
                answers.append(body(await one.send(PHONE, "second"))["status_code"])
            return rows

        monkeypatch.setattr(one.drains, "look", slowly)
        one.drains.wake(line)
        await one.until_said(line, "first", "second")
        assert answers == ["queued"]


async def test_a_queue_that_never_gets_empty_keeps_nobody_waiting_but_its_own_recipients(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.gate.clear()
        await one.queue(PHONE, "first")
        await until(lambda: network.in_flight == [PHONE])
        await one.queue(PHONE, "second")
        # As if both were another process's, of which this one knows that there is something and not what.
        line.queued.clear()
        line.backlog, line.knows_queued = True, False
        one.drains.wake(line)
        await until(lambda: line.knows_queued and PHONE in line.queued)
        assert line.may_send_now(phone(1), time.monotonic())
        assert not line.may_send_now(PHONE, time.monotonic())
        network.gate.set()
        await one.until_said(line, "first", "second")


async def test_after_trouble_one_message_alone_finds_out_whether_the_line_is_back(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(Delayed("network_error", "Down.", 60.0, "line"))
        await one.send(phone(0), "0")
        for number in range(1, 6):
            await one.queue(phone(number), f"{number}")
        network.gate.clear()
        line.held_until = 0.0
        line.bell.ring()
        await until(lambda: network.in_flight)
        # Also when something else makes the drain look meanwhile.
        await one.queue(phone(6), "6")
        line.bell.ring()
        await settle(db=one.db)
        assert network.in_flight == [phone(0)]
        network.gate.set()
        await one.until_states(*["sent"] * 7)
        assert network.most_in_flight > 1


async def test_what_is_tried_again_later_is_still_known_to_wait(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Delayed("network_error", "Down.", 60.0, "message"))
        await one.queue(PHONE, "first")
        await until(lambda: PHONE in line.waiting and not line.sending)
        assert PHONE in line.queued
        await one.later(61)
        await one.until_said(line, "first")
        await until(lambda: PHONE not in line.queued)


async def test_who_waits_for_what_the_former_holder_may_send_is_looked_at_again_soon(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def still_there(line: LiveLine) -> None:
        """The former holder has not sent it yet."""

    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.queue(PHONE, "first")
        await one.until_said(line, "first")
        await until(lambda: not line.sending)
        monkeypatch.setattr(one.drains, "look_abroad", still_there)
        line.abroad = frozenset([PHONE])
        await one.queue(PHONE, "second")
        assert await one.drains.queues.at(line).step() == ABROAD_S
        line.abroad = frozenset()
        one.drains.wake(line)
        await one.until_said(line, "first", "second")


class Paced(RecipientPace):
    """A recipient's pace by a function, so that a test and not the machine tells how long."""

    def __init__(self, wait: Callable[[], float]) -> None:
        super().__init__(6.0, 1)
        self._wait = wait

    def wait_s(self, phone: str, now: float) -> float:
        return self._wait()


async def test_two_messages_that_wait_for_their_recipients_pace_wait_for_the_same_moment(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud", access_token="token")
        network = one.network(line)
        assert body(await one.send(PHONE, "0"))["status_code"] == "sent"
        start = one.clock.now_ms()
        # Time goes on between two looks at the queue, so that the second message seems to have to wait less.
        waits = [5.0]
        line.recipients = Paced(lambda: 0.0 if one.clock.now_ms() > start else waits.pop() if waits else 4.0)
        await one.queue(PHONE, "1")

        async def waiting(count: int) -> bool:
            rows = [row for row in await one.rows() if row["state"] == "queued"]
            return len(rows) == count and all(row["due_at"] > one.clock.now_ms() for row in rows)

        await until(lambda: waiting(1))
        await one.queue(PHONE, "2")
        await until(lambda: waiting(2))
        await one.later(4.5)
        await settle(db=one.db)
        await one.later(0.5)
        await one.until_said(line, "0", "1", "2")
        assert network.most_to_one == 1


@pytest.mark.parametrize("word", ["sent", "failed"])
async def test_a_refusal_that_comes_after_the_callback_pays_nothing_back_and_tells_nothing(
    database_url: str, word: str
) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        await one.spend_free_messages()
        await one.top_up(1_000_000)
        line = await one.add_line("cloud", access_token="token")
        network = one.network(line)
        network.script.append(NetworkRefused("not_on_network", "No.", 131026))
        network.gate.clear()
        own_id = await one.queue(PHONE, "a")
        await until(lambda: network.in_flight)
        await status(one, line, "wamid.a", word, correlation=own_id)
        known, left, told = await one.row(), await one.balance(), await told_of(one)
        assert (known["state"], left < 1_000_000) == (word, word == "sent")
        network.gate.set()
        await until(lambda: not line.sending)
        assert await one.row() == known
        assert (await one.balance(), await told_of(one)) == (left, told)
