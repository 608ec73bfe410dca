"""After an erasure nothing of the person comes back, whatever the network says late or twice."""

from __future__ import annotations

import base64
import itertools
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import ScopeMissing
from tablegram.flows.contacts.erasure import Erasure
from tablegram.flows.integrations.erasing import EventReach
from tablegram.messaging.store import messages as store
from tablegram.storage.database import Query
from tablegram.storage.tables import events
from tests.api.erasing import erased, whole_store
from tests.crm.pool import OTHER, PHONE, Pool, pool

pytestmark = pytest.mark.later

# As the real network makes them: the number is in it for everybody to read.
WAMID = "wamid." + base64.b64encode(b"\x1d\x18\x0c" + PHONE.encode() + b"\x15\x02\x00\x11\x18\x12ABCDEF").decode()
INBOUND = "wamid." + base64.b64encode(b"\x1d\x18\x0c" + PHONE.encode() + b"\x15\x02\x00\x12\x18\x14FEDCBA").decode()
_numbers = itertools.count(1)


async def sent(one: Pool, network_id: str | None = WAMID) -> str:
    """A message that the network has taken; gives its key."""
    reply = await one.call("POST", "/messages/send", {"phone": PHONE, "message": "gizli cevap"})
    assert reply.status == 200
    key = str(reply.json()["message_id"]).removeprefix("gw.")
    if network_id is not None:
        params = {"b_account": 1, "b_id": key, "new_network_id": network_id, "now": one.clock.now_ms()}
        await one.db.put((store.ACCEPTED, params))
    return key


async def status(one: Pool, word: str, key: str = "", network_id: str = WAMID, **more: Any) -> None:
    """A late step of the message; with its key, the network gives our own value back."""
    step = {
        "id": network_id, "status": word, "timestamp": str(one.clock.now_ms() // 1_000), "recipient_id": PHONE,
        "biz_opaque_callback_data": f"gw.{key}" if key else "", **more,
    }  # fmt: skip
    value = {"metadata": {"phone_number_id": "1"}, "statuses": [step]}
    body = {"object": f"s{next(_numbers)}", "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}
    await one.product.inbox.store(1, f"cloud:{one.lines[1]}", msgspec.json.encode(body))
    await one.product.inbox._drain_fresh()


async def nothing_of_him(one: Pool) -> None:
    everything = await whole_store(one)
    for trace in (PHONE, WAMID, INBOUND, "gizli", base64.b64encode(PHONE.encode()).decode()[:12]):
        assert trace not in everything, trace


async def events_of(one: Pool) -> list[Any]:
    """Events about messages; the line's own are nobody's."""
    return await one.db.all(Query(select(events).where(events.c.account_id == 1, events.c.type.like("messages.%"))))


async def test_the_networks_ids_do_not_tell_the_number_any_more(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("gizli", network_id=INBOUND)
        key = await sent(one)
        await erased(one)
        await nothing_of_him(one)
        shown = (await one.call("GET", f"/messages/gw.{key}")).json()
        assert (shown["message_id"], shown["text"]) == (f"gw.{key}", "")
        assert (await one.call("GET", f"/messages/{WAMID}")).status == 404
        ids = [row["network_id"] for row in [*await one.messages("in"), *await one.messages("out")]]
        assert len(set(ids)) == 2
        assert all(name.startswith("erased.") for name in ids)


@pytest.mark.parametrize("named", [True, False])
async def test_a_late_status_moves_the_state_and_brings_nothing_back(database_url: str, named: bool) -> None:
    async with pool(database_url) as one:
        await one.write()
        key = await sent(one)
        await erased(one)
        for word in ("delivered", "read", "delivered"):
            await status(one, word, key if named else "", pricing={"billable": True, "category": "service"})
        assert [row["state"] for row in await one.messages("out")] == ["read"]
        await nothing_of_him(one)
        assert await events_of(one) == []
        assert await one.found() == []


async def test_a_failure_told_late_keeps_its_code_and_loses_the_networks_words(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        key = await sent(one)
        await erased(one)
        error = {"code": 131026, "title": "Undeliverable", "error_data": {"details": f"{PHONE} is not there"}}
        await status(one, "failed", errors=[error])
        shown = (await one.call("GET", f"/messages/gw.{key}")).json()
        assert (shown["status"], shown["error"]["network_code"], shown["error"]["detail"]) == ("failed", 131026, "")
        await nothing_of_him(one)


async def test_a_message_that_was_on_its_way_when_he_was_erased_stays_nameless(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        key = await sent(one, network_id=None)
        await erased(one)
        await status(one, "sent", key)
        # From then on it is recognised without our own value, too.
        await status(one, "delivered")
        (row,) = await one.messages("out")
        assert row["delivered_at"] is not None
        await nothing_of_him(one)
        assert await events_of(one) == []


async def test_a_message_that_the_network_repeats_does_not_make_him_a_contact_again(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("gizli", network_id=INBOUND)
        await erased(one)
        # In another body than the first time, so that only the message itself can be recognised.
        await one.write("gizli", network_id=INBOUND)
        await nothing_of_him(one)
        assert await one.found() == []
        assert await events_of(one) == []
        assert len(await one.messages("in")) == 1
        await one.write("yeni", network_id="wamid.new")
        assert len(await one.found()) == 1


async def test_what_the_owner_wrote_to_him_in_the_networks_app_does_not_come_back_either(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(network_id=INBOUND)
        for repeat in range(2):
            echo = {"to": PHONE, "id": WAMID, "timestamp": "1750857400", "type": "text", "text": {"body": "gizli"}}
            value = {"metadata": {"phone_number_id": "1"}, "message_echoes": [echo]}
            document = {
                "object": f"e{repeat}",
                "entry": [{"changes": [{"field": "smb_message_echoes", "value": value}]}],
            }
            await one.product.inbox.store(1, f"cloud:{one.lines[1]}", msgspec.json.encode(document))
            await one.product.inbox._drain_fresh()
            assert len(await one.messages("out")) == 1
            if repeat == 0:
                await erased(one)
        await nothing_of_him(one)


async def test_an_erased_message_is_neither_answered_nor_marked_read(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(network_id=INBOUND)
        key = (await one.messages("in"))[0]["id"]
        await erased(one)
        assert (await one.call("POST", f"/messages/gw.{key}/read")).status == 409
        body = {"phone": PHONE, "message_id": f"gw.{key}", "emoji": "👍"}
        reply = await one.call("POST", "/messages/react", body)
        assert (reply.status, reply.json()["code"]) == (422, "message_unknown")


async def test_a_courier_with_his_events_in_memory_is_told(database_url: str) -> None:
    async with pool(database_url) as one:
        forgotten: list[str] = []
        (reach,) = [reach for reach in one.product.whole.reaches if isinstance(reach, EventReach)]
        assert reach.forget == one.product.deliveries.erase
        reach.forget = lambda account_id, event_ids: forgotten.extend(event_ids)
        await one.write()
        (event,) = await events_of(one)
        await erased(one)
        assert forgotten == [event["id"]]


async def test_who_turns_out_to_be_him_while_he_is_erased_goes_with_all_that_was_before(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events of the other contact are older than what the first look has seen to."""
    async with pool(database_url) as one:
        await one.write("gizli eski", phone=OTHER, name="Ayşe")
        gone = (await one.call("GET", "/contacts")).json()["data"][0]["id"]
        await one.write("gizli yeni")
        (kept,) = [
            contact["id"] for contact in (await one.call("GET", "/contacts")).json()["data"] if contact["id"] != gone
        ]
        sweep = EventReach.sweep

        async def merge_behind(self: EventReach, person: Any) -> Any:
            swept = await sweep(self, person)
            assert (await one.call("POST", f"/contacts/{gone}/merge", {"into": kept})).status == 200
            return swept

        monkeypatch.setattr(EventReach, "sweep", merge_behind)
        receipt = await one.call("DELETE", f"/contacts/{kept}")
        assert receipt.status == 200
        # What the sweep took and what the end found are counted together.
        assert receipt.json()["counts"]["events"] == 2
        everything = await whole_store(one)
        assert OTHER not in everything
        assert "gizli" not in everything


async def test_only_who_may_manage_contacts_erases_one() -> None:
    reader = Caller(1, "Bistro", "k1", "till", "live", frozenset({"contacts:read"}), 1.0, 1, "", False, None)
    with pytest.raises(ScopeMissing, match="contacts:manage"):
        # Refused before anything is looked at.
        await Erasure(None, None, None, ()).erase(reader, "c1")  # type: ignore[arg-type]


async def test_the_networks_words_about_an_earlier_failure_go_and_ours_stay(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        failed = await sent(one)
        error = {"code": 131026, "title": "Undeliverable", "error_data": {"details": f"{PHONE} is not there"}}
        await status(one, "failed", errors=[error])
        queued = await sent(one, network_id=None)
        await erased(one)
        shown = {row["id"]: (row["state"], row["error_detail"]) for row in await one.messages("out")}
        assert shown[failed] == ("failed", None)
        assert shown[queued] == ("cancelled", "The contact was erased.")
        await nothing_of_him(one)
