"""Callbacks become states and messages: once each, forward only, whatever order they come in."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
from sqlalchemy import select

from tablegram.messaging.ports import Unknown
from tablegram.storage.tables import inbox, network_notices
from tests.flows.callbacks import PAYLOADS, payload, receive, status
from tests.messaging.gateway import Gateway, body, gateway

STEPS = ("sent", "delivered", "read")


async def sent(one: Gateway) -> tuple[Any, str, str]:
    """A cloud line, and a message on it: the network's id and ours."""
    line = await one.add_line("cloud")
    network_id = body(await one.send())["message_id"]
    return line, network_id, "gw." + (await one.row())["id"]


async def inbound(one: Gateway) -> list[dict[str, Any]]:
    return [dict(row) for row in await one.rows() if row["direction"] == "in"]


async def test_every_known_payload_is_worked_on_without_an_error(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        paths = sorted(PAYLOADS.glob("*.json"))
        for path in paths:
            await receive(one, line, path.read_bytes())
        rows = await one.db.all(select(inbox).where(inbox.c.account_id == 1).order_by(inbox.c.id))
        assert len(rows) == len(paths)
        assert [
            path.name for path, row in zip(paths, rows, strict=True) if row["error"] or row["done_at"] is None
        ] == []


TYPES = {
    "text": "text", "image": "image", "document": "document", "voice": "audio", "location": "location",
    "contacts": "contacts", "reaction": "reaction", "button_reply": "button", "list_reply": "list", "order": "order",
    "unsupported": "unsupported", "text_without_profile": "text", "text_without_contacts": "text",
}  # fmt: skip


async def test_what_a_customer_writes_is_kept_as_a_message(database_url: str) -> None:
    async with gateway(database_url) as one:
        for name, type_ in TYPES.items():
            # The samples share their ids, which are of one line each.
            line = await one.add_line("cloud")
            await receive(one, line, payload(name))
            (row,) = [row for row in await inbound(one) if row["instance_id"] == line.instance.id]
            assert (row["type"], row["state"], row["phone"]) == (type_, "received", "905551112233"), name
            assert row["network_id"].startswith("wamid.")
            assert msgspec.json.decode(row["content"])["id"] == row["network_id"]
        view = body(await one.lookups.message(one.caller, row["network_id"]))
        assert (view["direction"], view["status"], view["cost_usd"]) == ("in", "received", 0)


async def test_what_is_neither_text_nor_file_is_shown_with_its_own_object(database_url: str) -> None:
    async with gateway(database_url) as one:
        shown = {}
        for name in ("text", "location", "contacts", "reaction", "list_reply", "template_button"):
            line = await one.add_line("cloud")
            await receive(one, line, payload(name))
            (row,) = [row for row in await inbound(one) if row["instance_id"] == line.instance.id]
            shown[name] = (body(await one.lookups.message(one.caller, "gw." + row["id"])))["content"]
        assert shown["text"] is None
        assert (shown["location"]["name"], shown["reaction"]["emoji"]) == ("Ev", "😮")
        assert shown["template_button"].keys() == {"id", "title"}
        assert (shown["list_reply"]["title"], shown["contacts"][0].keys()) == ("Çay", {"name", "phones"})


async def test_a_sender_without_a_number_is_known_by_the_networks_id(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, payload("sender_by_user_id_only"))
        (row,) = await inbound(one)
        assert row["phone"].startswith("TR.")


async def test_one_body_may_hold_many_messages_and_statuses(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, payload("three_messages_in_one_body"))
        assert len(await inbound(one)) == 3


async def test_the_same_message_in_another_body_is_kept_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        raw = payload("text")
        for repeat in (raw, raw + b" ", raw + b"\n"):
            await receive(one, line, repeat)
        assert len(await inbound(one)) == 1


async def test_what_the_owner_wrote_elsewhere_is_not_a_customers_message(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, payload("echoes"))
        assert await inbound(one) == []


async def test_what_the_owner_wrote_in_the_networks_app_is_part_of_the_conversation_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        for repeat in (payload("echoes"), payload("echoes") + b" "):
            await receive(one, line, repeat)
        view = body(await one.lookups.message(one.caller, "wamid.ECHO1"))
        told = (view["direction"], view["phone"], view["text"], view["status"], view["cost_usd"])
        assert told == ("out", "905551112233", "from the app", "sent", 0)
        await status(one, line, "wamid.ECHO1", "read")
        assert [row["state"] for row in await one.rows()] == ["read"]
        # Nobody sends it again.
        await one.later(600)
        assert one.network(line).seen == []


async def test_a_text_with_a_null_character_is_kept(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        document = msgspec.json.decode(payload("text"))
        document["entry"][0]["changes"][0]["value"]["messages"][0]["text"]["body"] = "a\0b ğ \U0001f35c"
        await receive(one, line, msgspec.json.encode(document))
        (row,) = await inbound(one)
        assert row["text"] == "ab ğ \U0001f35c"


async def test_states_only_move_forward_whatever_order_they_come_in(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        for order in itertools.permutations(STEPS):
            network_id = body(await one.send())["message_id"]
            best = 0
            for word in order:
                one.clock.advance(1)
                await status(one, line, network_id, word)
                best = max(best, STEPS.index(word))
                view = body(await one.lookups.message(one.caller, network_id))
                assert view["status"] == STEPS[best], order
            assert [step["status"] for step in view["status_history"]] == ["queued", *STEPS], order


async def test_read_implies_delivered(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, network_id, own_id = await sent(one)
        await status(one, line, network_id, "read")
        view = body(await one.lookups.message(one.caller, own_id))
        assert [step["status"] for step in view["status_history"]] == ["queued", "sent", "delivered", "read"]


async def test_a_step_that_was_seen_changes_nothing_any_more(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, network_id, _ = await sent(one)
        await status(one, line, network_id, "delivered")
        before = dict(await one.row())
        one.clock.advance(60)
        await status(one, line, network_id, "delivered")
        await status(one, line, network_id, "sent")
        assert dict(await one.row()) == before


async def test_failed_comes_after_sent_and_yields_to_a_later_delivery(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, network_id, _ = await sent(one)
        await status(one, line, network_id, "failed", errors=[{"code": 131047, "title": "Re-engagement message"}])
        row = await one.row()
        assert (row["state"], row["error_network_code"]) == ("failed", 131047)
        assert row["error_code"]
        await status(one, line, network_id, "sent")
        assert (await one.row())["state"] == "failed"
        await status(one, line, network_id, "delivered")
        row = await one.row()
        assert (row["state"], row["error_code"]) == ("delivered", None)


async def test_what_was_read_does_not_fail_any_more(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, network_id, _ = await sent(one)
        await status(one, line, network_id, "read")
        await status(one, line, network_id, "failed", errors=[{"code": 131026}])
        assert (await one.row())["state"] == "read"


async def test_a_callback_with_our_own_value_settles_a_doubt(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        one.network(line).script.append(Unknown("lost"))
        own_id = body(await one.send())["message_id"]
        await status(one, line, "wamid.found", "sent", correlation=own_id)
        row = await one.row()
        assert (row["state"], row["network_id"], row["doubt_at"]) == ("sent", "wamid.found", None)
        await one.later(600)
        assert len(one.network(line).seen) == 1
        # Both ids find it.
        assert (body(await one.lookups.message(one.caller, "wamid.found")))["gateway_id"] == own_id


async def test_a_status_of_another_line_or_account_touches_nothing(database_url: str) -> None:
    async with gateway(database_url) as one:
        _, network_id, own_id = await sent(one)
        second = await one.add_line("cloud")
        foreign = await one.add_line("cloud", account_id=2)
        for line in (second, foreign):
            await status(one, line, network_id, "read", correlation=own_id)
        assert (await one.row())["state"] == "sent"


async def test_a_status_for_a_message_that_is_not_ours_is_no_error(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await status(one, line, "wamid.stranger", "read", correlation="gw.nothing")
        (row,) = await one.db.all(select(inbox).where(inbox.c.account_id == 1))
        assert (row["error"], row["done_at"] is not None) == (None, True)


async def test_a_body_that_is_no_json_is_put_aside_at_once_and_shown(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await one.inbox.store(1, f"cloud:{line.instance.id}", b"not json")
        await receive(one, line, payload("text"))
        assert len(await inbound(one)) == 1
        rows = await one.db.all(select(inbox).where(inbox.c.account_id == 1).order_by(inbox.c.id))
        assert [(row["attempts"], row["done_at"] is not None) for row in rows] == [(0, True), (0, True)]
        (notice,) = await one.db.all(select(network_notices).where(network_notices.c.account_id == 1))
        assert (notice["kind"], notice["external_id"]) == ("malformed", rows[0]["external_id"])
        assert "not JSON" in notice["facts"]


async def test_the_networks_price_replaces_the_estimate(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, network_id, own_id = await sent(one)
        await status(one, line, network_id, "delivered", pricing={"billable": True, "category": "marketing"})
        assert (body(await one.lookups.message(one.caller, own_id)))["cost_usd"] == 0.01
        row = await one.row()
        assert (row["cost_micros"], row["cost_final_micros"]) == (1_000, 10_000)
