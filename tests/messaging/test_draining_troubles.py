"""What goes wrong while messages wait or go out: tried again, given up or told, and never sent twice."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

import pytest

from tablegram.errors import Problem, Unavailable
from tablegram.messaging.ports import Accepted, NetworkRefused, Unknown
from tablegram.messaging.transmission import draining, recording
from tests.drained import drain_once
from tests.engine.waiting import settle, until
from tests.messaging.gateway import OTHER, PHONE, body, gateway, phone
from tests.messaging.scripted import delayed


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
        network.script.extend([NetworkRefused("not_on_network", "No.", 131026), Accepted("wamid.b")])
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
        await drain_once(one.inbox)
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


async def test_the_outcome_is_written_even_if_the_store_was_down(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "PAUSES_S", (0.01,))
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


async def test_an_outcome_that_a_silent_store_does_not_take_is_given_up_by_the_clock(
    database_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recording, "PAUSES_S", (0.01,))
    now, try_s = 0.0, recording.AGAIN_FOR_S / 4
    monkeypatch.setattr(recording, "monotonic", lambda: now)
    async with gateway(database_url) as one:
        await one.add_line()
        put, tries = one.db.put, 0

        async def silent(*statements: Any) -> None:
            nonlocal now, tries
            if any("new_network_id" in params for _, params in statements):
                tries += 1
                now += 0.0 if tries == 1 else try_s
                raise Unavailable("gone silent", retry_after_s=1)
            await put(*statements)

        monkeypatch.setattr(one.db, "put", silent)
        with caplog.at_level(logging.ERROR, "tablegram.drains"):
            await one.send(PHONE, "a")
            await until(lambda: "could not be written" in caplog.text)
        assert tries == 1 + 4
