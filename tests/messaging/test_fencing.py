"""A process that lost its line sends nothing for it any more, and only who has the line sends at once."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tablegram.engine import crash_points
from tablegram.messaging import switchboard
from tablegram.messaging.model import Outbound
from tablegram.messaging.ports import Outcome
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission import draining
from tablegram.messaging.transmission.returning import Claim
from tablegram.values.http import wire
from tests.engine.waiting import settle, until
from tests.messaging.gateway import OTHER, PHONE, Gateway, body, gateway


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "SCAN_S", 0.02)
    monkeypatch.setattr(draining, "LEASE_RETRY_S", 0.02)
    monkeypatch.setattr(switchboard, "ASK_AGAIN_S", 0.0)


async def take_over(one: Gateway, other: Gateway, line: LiveLine) -> LiveLine:
    """The other process takes the first one for dead, which does not hear of it."""
    await other.leases.free(one.owner.id)
    assert await other.leases.hold(f"line:{line.instance.id}")
    theirs = await other.switchboard.line(1, line.instance.id)
    assert theirs is not None
    return theirs


async def status(one: Gateway, to: str, text: str) -> str:
    return str(body(await one.send(to, text))["status_code"])


async def test_who_lost_the_line_claims_nothing_of_its_queue(database_url: str) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        await one.queue(PHONE, "a")
        await one.until_said(line, "a")
        theirs = await take_over(one, other, line)
        # It believes to have the line still.
        assert line.lease is not None
        assert line.lease.is_sure()
        await one.queue(PHONE, "b")
        await settle(db=one.db)
        assert one.network(line).texts() == ["a"]
        # What it knew of the queue is not true any more.
        await until(lambda: line.lease is None)
        assert (line.backlog, line.knows_queued) == (True, False)
        other.tasks.keep("scan", other.drains.queues.scan_forever)
        await other.until_said(theirs, "b")
        assert one.network(line).texts() == ["a"]


async def test_what_was_claimed_before_the_process_hung_is_given_back_and_not_begun(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        hung = False

        def hang(name: str) -> None:
            nonlocal hung
            if name == "drain.claimed" and not hung:
                hung = True
                assert line.lease is not None
                line.lease.lose()

        monkeypatch.setattr(crash_points, "reach", hang)
        # While it hangs the other process gets the line, so that it cannot get it back at once.
        await one.queue(PHONE, "a", send_at_ms=one.clock.now_ms() + 1_000)
        await settle(db=one.db)
        free = one.leases.hold

        async def lost(name: str) -> Any:
            return None if hung else await free(name)

        monkeypatch.setattr(one.leases, "hold", lost)
        await one.later(2)
        await until(lambda: hung, "a claim")

        async def is_given_back() -> bool:
            return (await one.row())["claimed_by"] is None

        await until(is_given_back, "the message to be given back")
        await settle(db=one.db)
        row = await one.row()
        assert (row["state"], row["claimed_by"], row["attempts"]) == ("queued", None, 0)
        assert row["due_at"] is not None
        assert one.network(line).seen == []
        theirs = await take_over(one, other, line)
        other.tasks.keep("scan", other.drains.queues.scan_forever)
        await other.until_said(theirs, "a")


async def test_a_process_without_the_line_queues_and_the_one_that_has_it_sends(database_url: str) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        assert await status(one, PHONE, "a") == "sent"
        theirs = await other.switchboard.line(1, line.instance.id)
        assert theirs is not None
        assert await status(other, PHONE, "b") == "queued"
        one.tasks.keep("scan", one.drains.queues.scan_forever)
        await one.until_said(line, "a", "b")
        assert other.network(theirs).seen == []
        # As soon as it has seen that nothing waits any more.
        await until(lambda: line.may_send_now(PHONE, time.monotonic()))
        assert await status(one, PHONE, "c") == "sent"


async def test_a_line_that_nobody_has_goes_to_who_sends_first(database_url: str) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        theirs = await other.switchboard.line(1, line.instance.id)
        assert theirs is not None
        assert await status(other, PHONE, "a") == "sent"
        assert await status(one, PHONE, "b") == "queued"
        await other.leases.free(other.owner.id)
        await one.until_said(line, "b")
        await until(lambda: line.may_send_now(OTHER, time.monotonic()))
        assert await status(one, OTHER, "c") == "sent"
        assert await status(other, OTHER, "d") == "queued"


async def test_who_gets_the_line_does_not_overtake_what_others_queued_for_it(database_url: str) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        theirs = await other.switchboard.line(1, line.instance.id)
        assert theirs is not None
        assert await status(other, PHONE, "a") == "sent"
        # Nobody drains yet: the message waits in the store, and this process has not queued it.
        await other.queue(PHONE, "b", send_at_ms=one.clock.now_ms() + 1_000)
        await other.tasks.stop()
        one.clock.advance(2)
        await one.leases.free(other.owner.id)
        assert await status(one, PHONE, "c") == "queued"
        await one.until_said(line, "b", "c")


async def test_a_message_that_hung_before_it_was_sent_at_once_is_queued(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        assert await status(one, PHONE, "a") == "sent"

        def hang(name: str) -> None:
            if name == "accept.committed" and line.lease is not None:
                monkeypatch.undo()
                line.lease.lose()

        monkeypatch.setattr(crash_points, "reach", hang)
        assert await status(one, PHONE, "b") == "queued"
        # Nobody else took the line, so this process goes on with it.
        await one.until_said(line, "a", "b")


async def test_sending_at_once_asks_the_store_for_the_line_only_now_and_then(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Long enough that half of it does not go by while twenty are sent, however slow the machine is.
    async with gateway(database_url, lease_s=600) as one:
        await one.add_line()
        asked: list[str] = []
        ask = one.leases._ask

        async def counted(name: str) -> Any:
            asked.append(name)
            return await ask(name)

        monkeypatch.setattr(one.leases, "_ask", counted)
        for number in range(20):
            assert await status(one, PHONE, f"{number}") == "sent"
        assert len(asked) == 1


@pytest.mark.shared
async def test_who_gets_the_line_waits_for_what_the_former_holder_has_claimed_and_for_nobody_else(
    database_url: str,
) -> None:
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        # A process that is slow or frozen by now: it has marked the first message as its own, and not begun to send it.
        later_ms = one.clock.now_ms() + 60_000
        await one.queue(PHONE, "a", send_at_ms=later_ms)
        (row,) = await one.db.all(store.CONVERSATION, {"b_account": 1, "b_phone": PHONE, "most": 100})
        claim = {"b_account": 1, "b_id": row["id"], "owner": one.owner.id, "now": one.clock.now_ms()}
        await one.db.put((store.CLAIM, claim))
        theirs = await take_over(one, other, line)
        assert await other.drains.renewed_lease(theirs) is not None
        assert await status(other, PHONE, "b") == "queued"
        assert await status(other, OTHER, "x") == "sent"
        await settle(db=other.db)
        assert other.network(theirs).texts() == ["x"]
        # It wakes up, sees that the line is another's, and gives back what it had.
        await one.drains.returning.give_back(line, [Claim.of(row, one.clock.now_ms())])
        await other.until_said(theirs, "x", "a", "b")
        assert not theirs.abroad


@pytest.mark.parametrize("by", ["api", "queue"])
async def test_the_line_is_asked_for_once_more_before_the_first_byte(
    database_url: str, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        transmit, asked = network.transmit, []

        async def note(message: Outbound) -> Outcome:
            may_go = wire._may_go.get()
            assert may_go is not None
            asked.append(may_go())
            assert line.lease is not None
            line.lease.lose()
            asked.append(may_go())
            return await transmit(message)

        monkeypatch.setattr(network, "transmit", note)
        await (one.send(PHONE, "a") if by == "api" else one.queue(PHONE, "a"))
        await one.until_said(line, "a")
        assert asked == [True, False]
        assert wire._may_go.get() is None


async def test_a_lease_of_other_work_is_no_line(database_url: str) -> None:
    """Whoever is given a lease tells all of its workers, of whatever kind."""
    async with gateway(database_url) as one:
        one.drains.queues.given("contacts index")
        await settle(db=one.db)
        assert one.tasks.failures == 0
        assert [*one.drains.queues] == []
