"""What a callback says becomes events: one for each thing that happened, in order, and nothing goes missing unsaid."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.messaging.ports import Unknown
from tablegram.messaging.switchboard import LiveLine
from tablegram.storage.tables import contacts, events, inbox
from tests.drained import drain_once
from tests.flows.callbacks import PAYLOADS, payload, receive, status
from tests.messaging.gateway import PHONE, Gateway, body, gateway

pytestmark = pytest.mark.once


async def told(one: Gateway, kind: str = "messages.upsert") -> list[dict[str, Any]]:
    """The data of the account's events of a kind, in the order of the feed."""
    found = select(events.c.body).where(events.c.account_id == 1, events.c.type == kind).order_by(events.c.seq)
    return [msgspec.json.decode(row["body"])["data"] for row in await one.db.all(found)]


async def how_many(one: Gateway, table: Any) -> int:
    return len(await one.db.all(select(table).where(table.c.account_id == 1)))


def value(**parts: Any) -> bytes:
    change = {"field": "messages", "value": {"metadata": {"phone_number_id": "1065"}, **parts}}
    return msgspec.json.encode({"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]})


def written(name: str, at: Any = "1750857385", **more: Any) -> dict[str, Any]:
    return {"from": PHONE, "id": name, "timestamp": at, "type": "text", "text": {"body": name}, **more}


@pytest.mark.both
@pytest.mark.parametrize("same_body", [True, False], ids=["the same body", "another body each time"])
async def test_the_same_callback_a_hundred_times_at_once_is_one_message_one_contact_and_one_event(
    database_url: str, same_body: bool
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        source = f"cloud:{line.instance.id}"
        bodies = [payload("text") + b" " * (0 if same_body else number) for number in range(100)]
        await asyncio.gather(*[one.inbox.store(1, source, raw) for raw in bodies], drain_once(one.inbox))
        # Two drains at once are what two processes are to the store.
        await asyncio.gather(drain_once(one.inbox), one.inbox.drain_store())
        assert await how_many(one, inbox) == (1 if same_body else 100)
        assert [row["network_id"] for row in await one.rows()] == ["wamid.IN1"]
        assert [data["message_id"] for data in await told(one)] == ["wamid.IN1"]
        assert await how_many(one, contacts) == 1
        assert await one.inbox.waiting(1, source) == 0


@pytest.mark.both
async def test_three_messages_in_one_body_are_three_events_in_their_order(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, value(messages=[written("wamid.c"), written("wamid.a"), written("wamid.b")]))
        assert [data["message_id"] for data in await told(one)] == ["wamid.c", "wamid.a", "wamid.b"]
        assert [row["network_id"] for row in await one.rows()] == ["wamid.c", "wamid.a", "wamid.b"]
        assert await how_many(one, contacts) == 1


@pytest.mark.both
@pytest.mark.parametrize("together", [True, False], ids=["in one body", "one after the other"])
async def test_read_before_delivered_is_told_forward_only(database_url: str, together: bool) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        network_id = body(await one.send())["message_id"]
        if together:
            steps = [{"id": network_id, "status": word, "timestamp": "1750857385"} for word in ("read", "delivered")]
            await receive(one, line, value(statuses=steps))
        else:
            await status(one, line, network_id, "read")
            await status(one, line, network_id, "delivered")
        assert (await one.row())["state"] == "read"
        # Nobody hears of a delivery after it was read.
        assert [data["status"] for data in await told(one, "messages.update")][-1] == "read"
        assert "delivered" not in [data["status"] for data in await told(one, "messages.update")]


async def test_steps_in_their_order_are_told_once_each(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        network_id = body(await one.send())["message_id"]
        before = len(await told(one, "messages.update"))
        for word in ("sent", "delivered", "delivered", "read", "read", "delivered"):
            await status(one, line, network_id, word)
        assert [data["status"] for data in await told(one, "messages.update")][before:] == ["delivered", "read"]


@pytest.mark.both
async def test_messages_statuses_and_errors_of_one_batch_are_all_worked_on(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        network_id = body(await one.send())["message_id"]
        trouble = {"code": 130429, "title": "Rate limit hit"}
        step = {"id": network_id, "status": "delivered", "timestamp": "1750857385"}
        with caplog.at_level("INFO", "tablegram.inbound"):
            await receive(one, line, value(messages=[written("wamid.in")], statuses=[step], errors=[trouble]))
        assert [data["message_id"] for data in await told(one)] == ["wamid.in"]
        assert (body(await one.lookups.message(one.caller, network_id)))["status"] == "delivered"
        assert [data["status"] for data in await told(one, "messages.update")][-1] == "delivered"
        assert "130429" in caplog.text
        # A form that has errors is news of the form; nothing that was sent was refused.
        caplog.clear()
        flow = msgspec.json.decode((PAYLOADS.parent / "cloud_kinds" / "flow.json").read_bytes())
        assert flow["value"]["errors"]
        with caplog.at_level("INFO", "tablegram.inbound"):
            await receive(one, line, msgspec.json.encode({"entry": [{"id": "1", "changes": [flow]}]}))
        (notice,) = await told(one, "network.notice")
        assert notice["kind"] == "flow"
        assert not [record for record in caplog.records if record.levelname != "INFO"], caplog.text


@pytest.mark.parametrize(
    ("sample", "network_type", "parts"),
    [
        ("unknown_type", "hologram", {"object"}),
        ("unsupported", "unsupported", {"errors"}),
        ("flow_reply", "interactive", {"object"}),
    ],
)
async def test_an_unknown_kind_arrives_as_unsupported_with_its_own_name_and_object(
    database_url: str, sample: str, network_type: str, parts: set[str]
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, payload(sample))
        (data,) = await told(one)
        assert (data["type"], data["from"]) == ("unsupported", "905551112233")
        assert data["unsupported"].keys() == {"type", *parts}
        assert data["unsupported"]["type"] == network_type
        # All of it is kept.
        assert msgspec.json.decode((await one.row())["content"])["type"] == network_type


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (payload("unknown_field"), "something_of_next_year"),
        (value(messages=[{"type": "text", "text": {"body": "no id"}, "from": PHONE}]), "is kept as it came"),
        (value(messages=[{"id": "wamid.x", "type": "text", "text": {"body": "of nobody"}}]), "names no sender"),
        (value(statuses=[{"id": "wamid.x", "status": "teleported"}]), "is kept as it came"),
        (value(message_echoes=[{"id": "wamid.x", "type": "text", "text": {"body": "to nobody"}}]), "nobody it was"),
        (b'{"object": "page", "entry": []}', "page"),
    ],
    ids=["another field", "no id", "no sender", "another status", "no recipient", "no entries"],
)
async def test_what_means_nothing_to_us_is_kept_as_it_came_and_said_so(
    database_url: str, caplog: pytest.LogCaptureFixture, raw: bytes, words: str
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        with caplog.at_level("INFO", "tablegram.inbound"):
            await receive(one, line, raw)
        (row,) = await one.db.all(select(inbox).where(inbox.c.account_id == 1))
        assert (bytes(row["body"]), row["error"], row["done_at"] is not None) == (raw, None, True)
        assert words in caplog.text
        assert await told(one) == []


@pytest.mark.parametrize("at", ["1750857385", 1750857385, "1750857385000", 1750857385000])
async def test_seconds_and_milliseconds_are_the_same_moment(database_url: str, at: Any) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, value(messages=[written("wamid.t", at)]))
        (data,) = await told(one)
        assert data["timestamp"] == 1_750_857_385
        assert (await one.row())["created_at"] == 1_750_857_385_000


async def who_wrote(one: Gateway, line: LiveLine, raw: bytes) -> dict[str, Any]:
    await receive(one, line, raw)
    (data,) = await told(one)
    (contact,) = await one.db.all(select(contacts).where(contacts.c.account_id == 1))
    assert data["contact_id"] == contact["id"]
    return data


@pytest.mark.parametrize("sample", ["text_without_profile", "text_without_contacts"])
async def test_a_sender_without_a_profile_is_told_by_number(database_url: str, sample: str) -> None:
    async with gateway(database_url) as one:
        data = await who_wrote(one, await one.add_line("cloud"), payload(sample))
        assert (data["from"], data["from_kind"], data["sender_name"]) == ("905551112233", "phone", "")


async def test_a_sender_without_a_number_is_told_by_the_networks_id(database_url: str) -> None:
    async with gateway(database_url) as one:
        data = await who_wrote(one, await one.add_line("cloud"), payload("sender_by_user_id_only"))
        assert data["from"].startswith("TR.")
        assert data["from_kind"] == "user_id"


async def test_who_hides_his_number_now_is_told_by_the_one_he_showed_before(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        shown = written("wamid.1", from_user_id="TR.1")
        hidden = {**written("wamid.2", from_user_id="TR.1"), "from": None}
        for message in (shown, hidden):
            await receive(one, line, value(messages=[message]))
        first, second = await told(one)
        assert first["contact_id"] == second["contact_id"]
        assert (second["from"], second["from_kind"]) == (PHONE, "phone")
        assert [row["phone"] for row in await one.rows()] == [PHONE, PHONE]


async def test_what_has_no_time_happened_when_it_came(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        network_id = body(await one.send())["message_id"]
        now = one.clock.now_ms()
        await receive(
            one, line, value(messages=[written("wamid.t", None)], statuses=[{"id": network_id, "status": "read"}])
        )
        (data,) = await told(one)
        assert data["timestamp"] == now // 1_000
        assert (await told(one, "messages.update"))[-1]["timestamp"] == now // 1_000
        (contact,) = await one.db.all(select(contacts).where(contacts.c.account_id == 1))
        assert contact["last_seen_at"] == now


async def test_an_ad_that_led_to_a_message_is_told_with_it(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        referral = {"source_id": "1234", "source_type": "ad", "headline": "Come in"}
        await receive(one, line, value(messages=[written("wamid.1", referral=referral), written("wamid.2")]))
        assert [data.get("referral") for data in await told(one)] == [referral, None]


async def test_a_late_sent_of_what_has_failed_is_not_told(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        one.network(line).script.append(Unknown("lost"))
        own_id = body(await one.send())["message_id"]
        for word in ("failed", "sent"):
            await status(one, line, "wamid.late", word, correlation=own_id)
        assert (await one.row())["state"] == "failed"
        assert [data["status"] for data in await told(one, "messages.update")] == ["failed"]


@pytest.mark.parametrize("same_app", [True, False], ids=["of the same app", "of another app"])
async def test_one_address_of_the_network_tells_of_every_number_of_its_app(database_url: str, same_app: bool) -> None:
    async with gateway(database_url) as one:
        called = await one.add_line("cloud", app_secret="s")
        other = await one.add_line("cloud", number="2077", app_secret="s" if same_app else "another")
        foreign = await one.add_line("cloud", account_id=2, number="2077", app_secret="s")
        network_id = body(await one.send(instance_id=other.instance.id))["message_id"]
        change = {
            "metadata": {"phone_number_id": "2077"}, "messages": [written("wamid.in")],
            "statuses": [{"id": network_id, "status": "read", "timestamp": "1750857385"}],
        }  # fmt: skip
        await receive(one, called, value(**change))
        line_of = {row["network_id"]: row["instance_id"] for row in await one.rows()}
        # Who signs for one app has no say over the numbers of another.
        assert line_of.get("wamid.in") == (other.instance.id if same_app else None)
        assert (body(await one.lookups.message(one.caller, network_id)))["status"] == ("read" if same_app else "sent")
        assert await one.rows(account_id=foreign.instance.account_id) == []
