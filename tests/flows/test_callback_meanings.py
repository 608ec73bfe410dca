"""What callbacks mean beyond their one row: in any order, again, and together."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.crm.consent import ledger
from tablegram.messaging.lines.cloud.callbacks import parse
from tablegram.messaging.ports import Health
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.switchboard import LiveLine
from tablegram.storage.tables import contact_aliases, contacts, events, instances, network_notices
from tests.flows.callbacks import receive
from tests.messaging.gateway import PHONE, Gateway, body, gateway

pytestmark = pytest.mark.once

NUMBER = "1065"


def value(field: str = "messages", *, number: str = NUMBER, at: int = 1794709500, **parts: Any) -> bytes:
    meta = {"metadata": {"phone_number_id": number, "display_phone_number": "905550000000"}} if number else {}
    change = {"field": field, "value": {**meta, **parts}}
    entry = {"id": "77", "time": at, "changes": [change]}
    return msgspec.json.encode({"object": "whatsapp_business_account", "entry": [entry]})


def text(name: str, words: str = "Hi", at: int = 1794709500, **more: Any) -> dict[str, Any]:
    return {"from": PHONE, "id": name, "timestamp": str(at), "type": "text", "text": {"body": words}, **more}


def edit(name: str, words: str, at: int, **more: Any) -> dict[str, Any]:
    part = {"original_message_id": name, "message": {"type": "text", "text": {"body": words}}}
    return {"from": PHONE, "id": f"{name}.{at}", "timestamp": str(at), "type": "edit", "edit": part, **more}


def revoke(name: str, at: int) -> dict[str, Any]:
    part = {"original_message_id": name}
    return {"from": PHONE, "id": f"{name}.gone", "timestamp": str(at), "type": "revoke", "revoke": part}


async def told(one: Gateway, *kinds: str) -> list[tuple[str, dict[str, Any]]]:
    rows = await one.db.all(select(events).where(events.c.account_id == 1).order_by(events.c.seq))
    return [
        (row["type"], msgspec.json.decode(row["body"])["data"]) for row in rows if not kinds or row["type"] in kinds
    ]


async def people(one: Gateway) -> dict[str, list[str]]:
    """The living contacts, each with its names."""
    living = await one.db.all(select(contacts.c.id).where(contacts.c.account_id == 1, contacts.c.merged_into.is_(None)))
    names = await one.db.all(select(contact_aliases).where(contact_aliases.c.account_id == 1))
    return {row["id"]: sorted(name["value"] for name in names if name["contact_id"] == row["id"]) for row in living}


async def line_of(one: Gateway, line: LiveLine) -> tuple[str, str]:
    found = select(instances).where(instances.c.account_id == 1, instances.c.id == line.instance.id)
    row = await one.db.first(found)
    assert row is not None
    return row["state"], row["reason"]


async def test_a_number_that_is_no_lines_is_told_of_once_an_hour_and_not_acted_on(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        for name in ("wamid.1", "wamid.2"):
            statuses = [{"id": name, "status": "read", "timestamp": "1794709500"}]
            await receive(one, line, value(number="99", messages=[text(name)], statuses=statuses))
        assert (await one.rows(), await people(one), await told(one)) == ([], {}, [])
        (notice,) = await one.db.all(select(network_notices).where(network_notices.c.account_id == 1))
        assert (notice["kind"], notice["instance_id"]) == ("unknown_number", None)
        await one.later(3_600)
        await receive(one, line, value(number="99", messages=[text("wamid.3")]))
        assert len(await one.db.all(select(network_notices).where(network_notices.c.account_id == 1))) == 2
        # A line that was just added is known at once.
        await one.add_line("cloud", number="99", app_secret="s")
        same_app = await one.add_line("cloud", number="98", app_secret="s")
        await receive(one, same_app, value(number="99", messages=[text("wamid.4")]))
        assert [row["network_id"] for row in await one.rows()] == ["wamid.4"]


@pytest.mark.later
async def test_stop_and_resume_are_words_in_the_ledger_and_the_last_one_holds(database_url: str) -> None:
    def said(word: str, at: int, **more: Any) -> bytes:
        wish = {"wa_id": PHONE, "detail": word, "category": "marketing_messages", "value": word, "timestamp": at}
        return value("user_preferences", user_preferences=[{**wish, **more}])

    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, value(messages=[text("wamid.1")]))
        await receive(one, line, said("resume", 1794709600))
        await receive(one, line, said("stop", 1794709700))
        # Late, twice, and about something else.
        await receive(one, line, said("resume", 1794709650))
        await receive(one, line, said("stop", 1794709700) + b" ")
        await receive(one, line, said("stop", 1794709800, category="something_else"))
        (contact,) = await people(one)
        (row,) = await one.db.all(select(contacts).where(contacts.c.account_id == 1))
        assert (row["consent"], row["consent_source"]) == ("denied", "network")
        words = await one.db.snapshot(lambda tx: ledger.of_contact(tx, 1, contact))
        assert [(word.state, word.purpose) for word in words] == [
            ("granted", "marketing"), ("granted", "marketing"), ("denied", "marketing"),
        ]  # fmt: skip
        changes = await told(one, "contact.opted_out", "contact.opted_in")
        assert [(kind, data["phone"]) for kind, data in changes] == [
            ("contact.opted_in", PHONE), ("contact.opted_out", PHONE),
        ]  # fmt: skip


@pytest.mark.later
@pytest.mark.parametrize("first", ["old", "new"], ids=["the old id first", "the new id first"])
@pytest.mark.parametrize("way", ["update", "system"])
async def test_a_person_whose_id_changes_stays_one_contact_in_both_directions(
    database_url: str, way: str, first: str
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        hidden = [{**text(f"wamid.{name}"), "from": None, "from_user_id": f"TR.{name}"} for name in ("old", "new")]
        for message in hidden if first == "old" else reversed(hidden):
            await receive(one, line, value(messages=[message]))
        assert len(await people(one)) == 2
        if way == "update":
            change = {"user_id": {"previous": "TR.old", "current": "TR.new"}, "timestamp": "1794709600"}
            await receive(one, line, value("user_id_update", user_id_update=[change]))
        else:
            system = {"type": "user_changed_user_id", "user_id": "TR.new", "body": "changed"}
            moved = {
                "from_user_id": "TR.old",
                "id": "wamid.s",
                "type": "system",
                "system": system,
                "timestamp": "1794709600",
            }
            await receive(one, line, value(messages=[moved]))
        assert list((await people(one)).values()) == [["TR.new", "TR.old"]]


async def test_a_change_of_somebody_never_heard_of_adds_nobody(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        change = {"user_id": {"previous": "TR.1", "current": "TR.2"}, "timestamp": "1794709600"}
        await receive(one, line, value("user_id_update", user_id_update=[change]))
        assert await people(one) == {}


@pytest.mark.later
async def test_an_edit_holds_whatever_order_it_comes_in_and_what_is_taken_back_stays_so(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        # Before its message: it is the message, which then brings nothing back.
        await receive(one, line, value(messages=[edit("wamid.1", "second", 1794709560)]))
        await receive(one, line, value(messages=[text("wamid.1", "first")]))
        await receive(one, line, value(messages=[edit("wamid.1", "third", 1794709620)]))
        await receive(one, line, value(messages=[edit("wamid.1", "too late", 1794709590)]))
        view = body(await one.lookups.message(one.caller, "wamid.1"))
        assert (view["text"], view["edited_at"]) == ("third", "2026-11-15T02:27:00.000Z")
        (changed,) = await told(one, "messages.edited")
        assert (changed[1]["text"], changed[1]["previous_text"]) == ("third", "second")
        for gone in (revoke("wamid.1", 1794709700), revoke("wamid.9", 1794709700)):
            await receive(one, line, value(messages=[gone]))
        await receive(one, line, value(messages=[edit("wamid.1", "again", 1794709800), text("wamid.9", "of before")]))
        for name in ("wamid.1", "wamid.9"):
            view = body(await one.lookups.message(one.caller, name))
            assert (view["text"], view["content"], view["beside"], view["deleted_at"] is not None) == (
                "",
                None,
                {},
                True,
            )
        deleted = await told(one, "messages.deleted")
        assert [data["message_id"] for _, data in deleted] == ["wamid.1", "wamid.9"]
        assert all(data["contact_id"] for _, data in deleted)


@pytest.mark.later
async def test_what_a_message_came_with_is_the_same_in_its_event_and_in_the_look_up(database_url: str) -> None:
    product = {"catalog_id": "1", "product_retailer_id": "A"}
    flow = {"type": "nfm_reply", "nfm_reply": {"name": "flow", "response_json": "{}"}}
    came = [
        text("wamid.1", context={"id": "wamid.0", "referred_product": product}, referral={"source_id": "5"}),
        text("wamid.2", context={"frequently_forwarded": True}),
        {**text("wamid.3"), "type": "audio", "audio": {"id": "1", "voice": True}},
        {**text("wamid.4"), "type": "sticker", "sticker": {"id": "1", "animated": True}},
        {**text("wamid.5"), "type": "interactive", "interactive": flow},
        text("wamid.6", group_id="G1"),
    ]
    expected: list[dict[str, Any]] = [
        {"reply_to": "wamid.0", "referred_product": product, "referral": {"source_id": "5"}},
        {"frequently_forwarded": True},
        {"voice": True},
        {"animated": True},
        {"unsupported": {"type": "interactive", "object": flow["nfm_reply"]}},
        {"group_id": "G1"},
    ]
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, value(messages=came))
        for (_, data), beside in zip(await told(one, "messages.upsert"), expected, strict=True):
            view = body(await one.lookups.message(one.caller, data["message_id"]))
            assert view["beside"] == beside
            assert {name: data[name] for name in beside} == beside


async def test_who_is_known_by_other_names_is_told_with_them(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        card = {"profile": {"name": "Ayşe", "username": "ayse.y"}, "user_id": "TR.1", "parent_user_id": "TR.ENT.1"}
        # The id stands where the number was.
        await receive(one, line, value(contacts=[card], messages=[{**text("wamid.1"), "from": "TR.1"}]))
        # The only card writes the number otherwise.
        other = {"profile": {"name": "Can"}, "wa_id": "5215551234"}
        await receive(one, line, value(contacts=[other], messages=[{**text("wamid.2"), "from": "525551234"}]))
        first, second = [data for _, data in await told(one)]
        names = ("from", "from_kind", "username", "user_id", "parent_user_id", "sender_name")
        assert [first[name] for name in names] == ["TR.1", "user_id", "ayse.y", "TR.1", "TR.ENT.1", "Ayşe"]
        assert (second["from"], second["from_kind"], second["sender_name"]) == ("525551234", "phone", "Can")


async def test_a_groups_messages_are_a_conversation_of_its_own_and_not_the_writers(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        other = {**text("wamid.2", group_id="G1"), "from": "905551112299"}
        await receive(one, line, value(messages=[text("wamid.1", group_id="G1"), other, text("wamid.3")]))
        assert sorted((await people(one)).values()) == [[PHONE], ["G1"]]
        assert [row["phone"] for row in await one.rows()] == ["G1", "G1", PHONE]
        # Who wrote among others is in the event, which is theirs, and not in the group's messages.
        assert [PHONE in row["content"] for row in await one.rows()] == [False, False, True]
        senders = await one.db.all(select(events.c.sender).where(events.c.account_id == 1).order_by(events.c.seq))
        assert [row["sender"] for row in senders][:2] == [PHONE, "905551112299"]
        assert [(data["from"], data.get("group_id")) for _, data in await told(one)] == [
            (PHONE, "G1"), ("905551112299", "G1"), (PHONE, None),
        ]  # fmt: skip


@pytest.mark.later
async def test_history_stands_at_its_time_is_read_and_no_event_of_today(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, value(messages=[text("wamid.now")]))
        placeholder = {"from": PHONE, "id": "wamid.p", "timestamp": "1790000030", "type": "media_placeholder"}
        old = [text("wamid.a", at=1790000000), {**text("wamid.b", at=1790000060), "from": "905550000000"}, placeholder]
        await receive(one, line, value("history", history=[{"threads": [{"id": PHONE, "messages": old}]}]))
        picture = {**placeholder, "type": "image", "image": {"id": "5", "mime_type": "image/png"}}
        await receive(one, line, value("history", messages=[picture]))
        rows = await one.rows()
        assert [(row["network_id"], row["direction"], row["type"]) for row in rows] == [
            ("wamid.a", "in", "text"), ("wamid.p", "in", "image"), ("wamid.b", "out", "text"), ("wamid.now", "in", "text"),
        ]  # fmt: skip
        assert {row["phone"] for row in rows} == {PHONE}
        assert [data["message_id"] for _, data in await told(one)] == ["wamid.now"]
        (contact,) = await one.db.all(select(contacts).where(contacts.c.account_id == 1))
        assert contact["last_seen_at"] // 1_000 == 1794709500


def news(event: dict[str, Any], field: str = "account_update", at: int = 1794709500) -> bytes:
    return value(field, number="", at=at, **event)


async def test_what_the_network_holds_against_a_line_stays_until_it_takes_it_back(database_url: str) -> None:
    banned = {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "DISABLE"}}
    free = {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "REINSTATE"}}
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        one.network(line).health = Health("connected", "Connected.")
        await one.watch.look()
        flagged = {"event": "FLAGGED", "display_phone_number": "+90 555 000 00 00"}
        await receive(one, line, news(flagged, "phone_number_quality_update"))
        assert (await line_of(one, line))[0] == "degraded"
        await receive(one, line, news(banned))
        # However well the line itself answers.
        await one.watch.look()
        assert await line_of(one, line) == ("restricted", "The network has disabled the business account.")
        # An older word that comes late does not undo it; the newer one does, and the other reason is left.
        await receive(one, line, news(free, at=1794709400))
        assert (await line_of(one, line))[0] == "restricted"
        await receive(one, line, news(free, at=1794709600))
        await one.watch.look()
        assert await line_of(one, line) == ("degraded", "The network has flagged the number for low quality.")
        await receive(one, line, news({**flagged, "event": "UNFLAGGED"}, "phone_number_quality_update", 1794709700))
        assert (await line_of(one, line))[0] == "connected"
        states = [(data["previous"], data["state"]) for _, data in await told(one, "instance.status")]
        assert states == [
            ("connected", "degraded"), ("degraded", "restricted"), ("restricted", "degraded"), ("degraded", "connected"),
        ]  # fmt: skip


async def test_a_restriction_with_an_end_ends_by_itself(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        ends = one.clock.now_ms() // 1_000 + 60
        limit = {"restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING", "expiration": ends}
        await receive(one, line, news({"event": "ACCOUNT_RESTRICTION", "restriction_info": [limit]}))
        assert (await line_of(one, line))[0] == "restricted"
        one.network(line).health = Health("connected", "Connected.")
        await one.later(120)
        one.watch._next.clear()
        await one.watch.look()
        assert (await line_of(one, line))[0] == "connected"


async def test_news_of_a_business_account_are_for_its_lines_alone(database_url: str) -> None:
    async with gateway(database_url) as one:
        called = await one.add_line("cloud", app_secret="s")
        same = await one.add_line("cloud", number="2", app_secret="s")
        other = await one.add_line("cloud", number="3", app_secret="another")
        for one_line, waba in ((called, "77"), (same, "77"), (other, "77")):
            await one.instances.update(1, one_line.instance.id, LineChange(waba_id=waba))
        foreign = await one.add_line("cloud", account_id=2, app_secret="s")
        await receive(one, called, news({"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "DISABLE"}}))
        assert [(await line_of(one, each))[0] for each in (called, same, other)] == [
            "restricted",
            "restricted",
            "created",
        ]
        found = await one.db.first(select(instances.c.state).where(instances.c.account_id == 2))
        assert found is not None
        assert (found["state"], foreign.instance.id) == ("created", 4)


def test_whatever_stands_in_a_known_field_never_fails() -> None:
    lists = ("history", "calls", "messages", "user_preferences", "user_id_update", "state_sync", "statuses", "errors")
    for field in (*lists, "flows", "account_update", "account_alerts", "phone_number_quality_update"):
        rubbish: list[Any] = [
            None,
            [],
            {},
            5,
            "x",
            [None, 5, {}],
            {"history": [5, {"threads": [{}]}]},
            [{"id": {}, "contact": 5}],
        ]
        for junk in rubbish:
            for part in (junk, dict.fromkeys(lists, junk)):
                change = {"field": field, "value": part}
                assert parse(msgspec.json.encode({"object": "o", "entry": [{"id": junk, "changes": [change]}]}))
