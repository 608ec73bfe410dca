"""Every end that a send can have, and what it leaves in the store."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid, Problem, Refused
from tablegram.flows.gateway.sending import Draft
from tablegram.messaging import ports
from tablegram.messaging.model import Media, Template, Text
from tablegram.messaging.ports import Accepted, Delayed, Unknown
from tests.engine.waiting import settle, until
from tests.measured import measured, since
from tests.messaging.gateway import OTHER, PHONE, body, gateway, phone

REFUSAL = ports.NetworkRefused("not_on_network", "This number is not on the network.", 131026)
UPLOAD = Media("image", "https://files.example/a.png", by_link=False)


async def test_accepted_is_sent_with_the_networks_id_and_four_fields(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Accepted("wamid.LONG"))
        answer = await one.send()
        assert answer.status == 200
        assert list(body(answer)) == ["status", "message_id", "status_code", "cost_usd"]
        assert body(answer) == {
            "status": "success",
            "message_id": "wamid.LONG",
            "status_code": "sent",
            "cost_usd": 0.001,
        }
        row = await one.row()
        assert (row["state"], row["network_id"], row["attempts"]) == ("sent", "wamid.LONG", 1)
        assert (row["claimed_by"], row["due_at"]) == (None, None)


async def test_a_name_that_the_network_gave_before_does_not_fail_the_send(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script += [Accepted("wamid.ONCE"), Accepted("wamid.ONCE")]
        await one.send()
        first = await one.row()
        answer = await one.send()
        assert body(answer)["status_code"] == "sent"
        named = {row["id"]: (row["state"], row["network_id"]) for row in await one.rows()}
        assert named.pop(first["id"]) == ("sent", "wamid.ONCE")
        assert list(named.values()) == [("sent", None)]


async def test_the_message_is_in_the_store_before_the_line_is_asked(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.gate.clear()
        sending = asyncio.ensure_future(one.send())
        await until(lambda: network.in_flight)
        row = await one.row()
        assert (row["state"], row["claimed_by"]) == ("queued", one.owner.id)
        assert network.seen[0].correlation == "gw." + row["id"]
        network.gate.set()
        await sending


async def test_refused_is_422_with_both_codes_and_stored_as_failed(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(REFUSAL)
        with pytest.raises(Refused) as caught:
            await one.send()
        problem = caught.value
        assert (problem.status, problem.code, problem.extra) == (422, "not_on_network", {"network_code": 131026})
        row = await one.row()
        assert (row["state"], row["error_code"], row["error_network_code"]) == ("failed", "not_on_network", 131026)
        view = body(await one.lookups.message(one.caller, "gw." + row["id"]))
        assert (view["status"], view["cost_usd"]) == ("failed", 0)
        assert view["error"]["network_code"] == 131026


@pytest.mark.parametrize("holds", ["message", "recipient", "line"])
async def test_what_cannot_go_now_is_queued_under_our_own_id_and_goes_later(database_url: str, holds: Any) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.extend([Delayed("busy", "Try later.", 5, holds), Accepted("wamid.later")])
        kind = line.instance.kind
        before, delayed = (
            measured("message_wait_seconds", kind=kind),
            measured("send_seconds", kind=kind, outcome="delayed"),
        )
        answer = body(await one.send())
        assert (answer["status"], answer["status_code"]) == ("success", "queued")
        assert answer["message_id"].startswith("gw.")
        line.release()
        await one.later(10)
        await one.until_states("sent")
        count, seconds = since(before, "message_wait_seconds", kind=kind)
        assert (count, since(delayed, "send_seconds", kind=kind, outcome="delayed")[0]) == (1, 1)
        # By the clock that the test moves.
        assert 10 <= seconds < 3_600
        # Both ids find it ever after.
        by_own = body(await one.lookups.message(one.caller, answer["message_id"]))
        assert by_own == body(await one.lookups.message(one.caller, "wamid.later"))
        assert (by_own["gateway_id"], by_own["message_id"]) == (answer["message_id"], "wamid.later")


async def test_an_unknown_outcome_is_queued_and_visible_as_such(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Unknown("The answer was lost."))
        answer = body(await one.send())
        assert answer["status_code"] == "queued"
        row = await one.row()
        assert (row["state"], row["error_code"]) == ("queued", "outcome_unknown")
        assert row["doubt_at"] == one.clock.now_ms()
        assert one.outcomes.counts["unknown"] == 1
        await settle()
        assert len(one.network(line).seen) == 1


async def test_respond_async_answers_before_the_line_is_asked(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.gate.clear()
        answer = body(await one.send(call=Call("/messages/send", respond_async=True)))
        assert answer["status_code"] == "queued"
        network.gate.set()
        await one.until_states("sent")
        assert len(network.seen) == 1


async def test_a_send_over_the_pace_of_its_recipient_is_queued(database_url: str) -> None:
    async with gateway(database_url, recipient_burst=2, recipient_interval_s=600) as one:
        await one.add_line("cloud")
        codes = [body(await one.send(PHONE, f"{number}"))["status_code"] for number in range(3)]
        assert codes == ["sent", "sent", "queued"]
        assert body(await one.send(OTHER, "x"))["status_code"] in ("sent", "queued")
        await one.until_states("sent", "sent", "sent", "queued")


async def test_a_test_key_sends_through_the_sandbox_only(database_url: str) -> None:
    async with gateway(database_url) as one:
        cloud, sandbox = await one.add_line("cloud"), await one.add_line("sandbox")
        caller = one.call_as(1, "test")
        await one.send(caller=caller)
        assert (len(one.network(cloud).seen), len(one.network(sandbox).seen)) == (0, 1)
        with pytest.raises(Invalid):
            await one.send(caller=caller, instance_id=cloud.instance.id)
        assert len(await one.rows()) == 1


async def test_an_unknown_line_stores_and_sends_nothing(database_url: str) -> None:
    async with gateway(database_url) as one:
        foreign = await one.add_line(account_id=2)
        await one.add_line()
        for instance_id in (foreign.instance.id, 99_999):
            with pytest.raises(Invalid) as caught:
                await one.send(instance_id=instance_id)
            assert caught.value.code == "instance_unknown"
        assert await one.rows() == []
        assert one.network(foreign).seen == []


async def test_the_estimate_depends_on_country_and_category(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line("cloud")
        assert body(await one.send("905551112233"))["cost_usd"] == 0.001
        assert body(await one.send("4915112345678"))["cost_usd"] == 0.05
        template = Template("offer", "en", category="marketing")
        assert body(await one.send("4915112345678", content=template))["cost_usd"] == 0.12
        assert [row["category"] for row in await one.rows()] == ["service", "service", "marketing"]


async def test_an_upload_that_takes_too_long_is_answered_queued_and_goes_on(database_url: str) -> None:
    async with gateway(database_url, send_budget_s=0.05) as one:
        line = await one.add_line()
        network = one.network(line)
        network.gate.clear()
        answer = body(await one.send(content=UPLOAD))
        assert answer["status_code"] == "queued"
        network.gate.set()
        await one.until_states("sent")
        assert len(network.seen) == 1


async def test_a_quick_upload_is_answered_like_any_send(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.extend([Accepted("wamid.file"), REFUSAL, Delayed("busy", "Later.", 5, "recipient")])
        assert body(await one.send(content=UPLOAD))["message_id"] == "wamid.file"
        with pytest.raises(Refused):
            await one.send(content=UPLOAD)
        assert body(await one.send(content=UPLOAD))["status_code"] == "queued"
        assert await one.states() == ["sent", "failed", "queued"]


def draft(to: str, text: str, **more: Any) -> Draft:
    return Draft(phone=to, content=Text(text), type="text", text=text, **more)


async def test_a_batch_keeps_what_is_good_and_tells_what_is_not(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        wrong = Invalid.field("messages[1].phone", "phone_invalid", "Write it with its country code.")
        drafts: list[Draft | Problem] = [
            draft(PHONE, "a"),
            wrong,
            draft(OTHER, "b", instance_id=99_999),
            draft(OTHER, "c"),
        ]
        answer = body(await one.sending.send_batch(one.caller, drafts, Call("/messages/batch")))
        assert [entry["index"] for entry in answer["data"]] == [0, 1, 2, 3]
        assert [entry["status"] for entry in answer["data"]] == ["success", "error", "error", "success"]
        assert [answer["data"][index]["code"] for index in (1, 2)] == ["phone_invalid", "instance_unknown"]
        assert answer["data"][0]["status_code"] == "queued"
        assert answer["data"][0]["message_id"].startswith("gw.")
        await one.until_states("sent", "sent")
        assert sorted(one.network(line).texts()) == ["a", "c"]


async def test_a_batch_keeps_the_order_of_each_recipient(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.queue_many([(phone(number % 3), f"{number}") for number in range(60)])
        await until(lambda: len(one.network(line).seen) == 60)
        for recipient in range(3):
            assert one.network(line).texts(phone(recipient)) == [f"{n}" for n in range(60) if n % 3 == recipient]


async def test_order_is_kept_when_the_clock_is_set_back(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Delayed("busy", "Later.", 600, "line"))
        for number in range(10):
            await one.send(PHONE, f"{number}")
            one.clock.at_ms -= 50
        one.clock.advance(60)
        line.release()
        await one.later(0)
        await until(lambda: len(one.network(line).seen) == 11)
        assert one.network(line).texts()[1:] == [f"{number}" for number in range(10)]


async def test_a_scheduled_batch_entry_waits_for_its_time(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        later: list[Draft | Problem] = [
            draft(PHONE, "later", send_at_ms=one.clock.now_ms() + 60_000),
            draft(PHONE, "now"),
        ]
        await one.sending.send_batch(one.caller, later, Call("/messages/batch"))
        await one.until_said(line, "now")
        await one.later(61)
        await one.until_said(line, "now", "later")


async def test_a_message_expires_a_day_after_it_could_first_go(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        now = one.clock.now_ms()
        await one.send()
        await one.send(send_at_ms=now + 1_000_000)
        assert [row["expires_at"] - now for row in await one.rows()] == [86_400_000, 86_400_000 + 1_000_000]
