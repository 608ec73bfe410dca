"""The same key again: the same answer, and one message."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tablegram.engine.idempotency import Call, KeptAnswer
from tablegram.errors import Conflict, Invalid, Problem, QuotaExhausted, Refused
from tablegram.flows.gateway.sending import Draft
from tablegram.messaging import ports
from tablegram.messaging.model import Media, Text
from tablegram.messaging.ports import Accepted, Delayed, Unknown
from tablegram.messaging.transmission.pacing import Pace
from tablegram.storage.connections.planning import ONCE
from tests.engine.waiting import until
from tests.messaging.gateway import PHONE, Gateway, body, gateway


def keyed(key: str = "k1", fingerprint: str = "f1", *, respond_async: bool = False) -> Call:
    return Call("/messages/send", key, fingerprint, respond_async)


async def test_the_same_body_gets_the_same_answer_and_is_sent_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        first = await one.send(call=keyed())
        again = await one.send(call=keyed())
        assert (first.replayed, again.replayed) == (False, True)
        assert first.body == again.body
        assert len(one.network(line).seen) == 1
        assert len(await one.rows()) == 1


@pytest.mark.parametrize(
    "outcome", [Delayed("busy", "Later.", 600, "recipient"), Unknown("lost")], ids=["queued", "unknown"]
)
async def test_a_queued_answer_stays_queued_under_its_key(database_url: str, outcome: ports.Outcome) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(outcome)
        first = await one.send(call=keyed())
        assert body(first)["status_code"] == "queued"
        again = await one.send(call=keyed())
        assert (again.body, again.replayed) == (first.body, True)
        assert len(await one.rows()) == 1


async def test_respond_async_and_scheduled_sends_are_replayed_too(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        later: dict[str, Any] = {"send_at_ms": one.clock.now_ms() + 60_000}
        for key, more in (("a", {}), ("b", later)):
            first = await one.send(call=keyed(key, respond_async=True), **more)
            again = await one.send(call=keyed(key, respond_async=True), **more)
            assert (again.body, again.replayed) == (first.body, True)
        assert len(await one.rows()) == 2


async def test_a_refusal_by_the_network_is_remembered(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(ports.NetworkRefused("not_on_network", "No such user.", 131026))
        problems = []
        for _ in range(2):
            with pytest.raises(Refused) as caught:
                await one.send(call=keyed())
            problems.append(caught.value)
        assert problems[0].code == problems[1].code == "not_on_network"
        assert problems[0].extra == problems[1].extra == {"network_code": 131026}
        assert problems[0].detail == problems[1].detail
        assert [problem.headers for problem in problems] == [{}, {"Idempotent-Replayed": "true"}]
        assert len(one.network(line).seen) == 1


async def test_another_body_under_the_same_key_is_refused(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        await one.send(call=keyed())
        with pytest.raises(Invalid) as caught:
            await one.send(call=keyed(fingerprint="f2"))
        assert (caught.value.status, caught.value.code) == (422, "idempotency_key_reused")
        assert len(await one.rows()) == 1


async def test_the_same_key_of_another_account_is_another_key(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        await one.add_line(account_id=2)
        await one.send(call=keyed())
        assert not (await one.send(call=keyed(), caller=one.call_as(2))).replayed


async def test_while_the_first_is_running_the_others_are_told_to_ask_again(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.gate.clear()
        first = asyncio.ensure_future(one.send(call=keyed()))
        await until(lambda: network.in_flight)
        for _ in range(3):
            with pytest.raises(Conflict) as caught:
                await one.send(call=keyed())
            assert (caught.value.code, caught.value.retry_after_s) == ("idempotency_in_flight", 1)
        network.gate.set()
        answer = await first
        assert (await one.send(call=keyed())).body == answer.body
        assert len(network.seen) == 1


async def test_a_key_that_was_taken_a_moment_ago_is_not_answered_for_by_another_call(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call has committed and does not know it yet."""
    async with gateway(database_url) as one:
        await one.add_line()
        write, knows = one.db.write, asyncio.Event()

        async def write_late(work: Any, **more: Any) -> Any:
            result = await write(work, **more)
            if await one.rows():
                await knows.wait()
            return result

        monkeypatch.setattr(one.db, "write", write_late)
        first = asyncio.ensure_future(one.send(call=keyed()))
        await until(one.rows, "the message")
        with pytest.raises(Conflict) as caught:
            await one.send(call=keyed())
        assert caught.value.code == "idempotency_in_flight"
        knows.set()
        answer = await first
        assert body(answer)["status_code"] == "sent"
        assert (await one.send(call=keyed())).body == answer.body


async def test_fifty_at_once_are_one_message(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        results = await asyncio.gather(*[one.send(call=keyed()) for _ in range(50)], return_exceptions=True)
        fresh = [result for result in results if isinstance(result, KeptAnswer) and not result.replayed]
        assert len(fresh) == 1
        assert all(isinstance(result, KeptAnswer | Conflict) for result in results)
        assert {result.body for result in results if isinstance(result, KeptAnswer)} == {fresh[0].body}
        assert len(one.network(line).seen) == len(await one.rows()) == 1


async def test_a_replay_needs_neither_the_line_nor_its_pace(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line(pace=1)
        first = await one.send(call=keyed())
        line.pace = Pace(0.01, 1)
        for _ in range(3):
            assert (await one.send(call=keyed())).replayed
        assert line.pace.wait_s(time.monotonic()) == 0, (
            "a replay sends nothing, so it takes no place in the line's pace"
        )
        await one.lines.delete(one.caller, line.instance.id)
        again = await one.send(call=keyed())
        assert (again.body, again.replayed) == (first.body, True)


async def test_a_replay_does_not_look_again_at_what_the_draft_was_made_of(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        made = 0

        async def draft() -> Draft:
            nonlocal made
            made += 1
            if made > 1:
                raise Invalid.field("media_url", "media_unreachable", "It is gone.")
            return Draft(phone=PHONE, content=Text("a"), type="text", text="a")

        async def drafts() -> list[Draft | Problem]:
            return [await draft()]

        first = await one.sending.send(one.caller, draft, keyed())
        assert (await one.sending.send(one.caller, draft, keyed())).value == first.value
        made = 0
        batch = Call("/messages/batch", "k1", "f1")
        whole = await one.sending.send_batch(one.caller, drafts, batch)
        assert (await one.sending.send_batch(one.caller, drafts, batch)).value == whole.value


async def test_a_batch_is_replayed_after_its_line_was_deleted(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        drafts = [Draft(phone=PHONE, content=Text("a"), type="text", text="a")]
        first = await one.sending.send_batch(one.caller, drafts, keyed())
        await one.lines.delete(one.caller, line.instance.id)
        again = await one.sending.send_batch(one.caller, drafts, keyed())
        assert (again.value, again.replayed) == (first.value, True)


async def abandon(one: Gateway, key: str) -> None:
    """A process takes the key, commits its message and is then killed while it waits for the network."""
    line = next(iter(one.switchboard.known()))
    one.network(line).gate.clear()
    sending = asyncio.ensure_future(one.send(call=keyed(key)))
    await until(lambda: one.network(line).in_flight)
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)
    one.network(line).gate.set()


async def test_after_a_crash_the_key_answers_with_the_messages_present_state(database_url: str) -> None:
    async with gateway(database_url) as dead:
        await dead.add_line()
        await abandon(dead, "k1")
        async with gateway(database_url, beside=dead) as one:
            with pytest.raises(Conflict):
                await one.send(call=keyed())
            await dead.owner.leave()
            await one.recovery.take_up()
            answer = await one.send(call=keyed())
            assert body(answer)["status_code"] == "queued"
            assert body(answer)["message_id"] == "gw." + (await one.row())["id"]
            # And so it stays.
            assert (await one.send(call=keyed())).body == answer.body
            assert len(await one.rows()) == 1


async def test_a_call_that_broke_off_in_this_process_does_not_block_its_key(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        await abandon(one, "k1")
        answer = await one.send(call=keyed())
        assert (body(answer)["status_code"], answer.replayed) == ("queued", True)
        assert len(await one.rows()) == 1


async def test_a_key_may_be_used_again_after_a_day(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(call=keyed())
        one.clock.advance(24 * 3_600 + 1)
        assert not (await one.send(call=keyed(fingerprint="another body"))).replayed
        assert len(one.network(line).seen) == 2


async def test_what_could_not_be_paid_is_not_remembered(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        await one.add_line("cloud")
        await one.spend_free_messages()
        with pytest.raises(QuotaExhausted):
            await one.send(call=keyed())
        await one.top_up(1_000_000)
        assert not (await one.send(call=keyed())).replayed


async def test_an_unknown_line_is_not_remembered(database_url: str) -> None:
    async with gateway(database_url) as one:
        with pytest.raises(Invalid):
            await one.send(call=keyed())
        await one.add_line()
        assert not (await one.send(call=keyed())).replayed


async def test_a_batch_is_replayed_whole(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        drafts: list[Draft | Problem] = [Draft(phone=PHONE, content=Text("a"), type="text", text="a")]
        first = await one.sending.send_batch(one.caller, drafts, keyed())
        again = await one.sending.send_batch(one.caller, drafts, keyed())
        assert (again.value, again.replayed) == (first.value, True)
        await one.until_said(line, "a")
        await one.until_states("sent")


async def test_an_upload_is_remembered_like_any_other(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Accepted("wamid.file"))
        upload = Media("image", "https://files.example/a.png", by_link=False)
        first = await one.send(content=upload, call=keyed())
        again = await one.send(content=upload, call=keyed())
        assert (again.body, again.replayed) == (first.body, True)


@pytest.mark.shared
async def test_a_send_under_a_key_is_planned_once_where_the_tables_are_counted(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        driver: Any = one.db._driver
        driver._counting.cancel()
        driver._planning.count(("messages", "idempotency"))
        way = driver._planning.of
        ways: set[tuple[str, bool]] = set()

        def noted(batch: Any) -> Any:
            ways.update((way(batch), bool(unit.asks)) for unit in batch)
            return way(batch)

        monkeypatch.setattr(driver._planning, "of", noted)
        answer = await one.send(call=keyed())
        assert body(answer)["status_code"] == "sent"
        assert (await one.send(call=keyed())).body == answer.body
        assert (ONCE, True) in ways
        assert len(await one.rows()) == 1
