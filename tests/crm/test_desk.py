"""What a team does in its inbox: notes that stay inside, conversations that rest, who waits, and who answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.accounts.keys.keys import KeyRing
from tablegram.crm.resting import Resting
from tablegram.engine import crash_points
from tablegram.flows.inbox.conversations import Conversations
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.inbox.threads import ThreadMessage, ThreadNote
from tablegram.storage.database import Query
from tablegram.storage.tables import conversation_notes
from tablegram.values.clock import iso
from tests.crm.pool import OTHER, PHONE, Pool, pool
from tests.crm.talks import change, conversation, listed
from tests.drained import drained

pytestmark = pytest.mark.later

HOUR = 3_600


async def note(place: Pool, text: str, phone: str = PHONE, **more: Any) -> Any:
    contact = await place.contact(phone)
    return await place.call("POST", f"/conversations/{contact['id']}/notes", {"text": text}, **more)


def in_hours(place: Pool, hours: float) -> str:
    return iso(place.clock.now_ms() + int(hours * HOUR * 1_000))


async def test_a_note_stays_inside_and_goes_with_its_person(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("Merhaba")
        await place.write("Selam", OTHER, name="Barış")
        before = len((await place.call("GET", "/events")).json()["data"])
        made = await note(place, "  Allergic to walnuts\r\nand to him  ")
        assert made.status == 201, made.body
        assert made.json()["text"] == "Allergic to walnuts\nand to him"
        assert made.json()["written_by"]["kind"] == "key"
        assert made.json()["written_by"]["name"] == "all"
        contact = await place.contact()
        path = f"/conversations/{contact['id']}/notes"
        assert [one["text"] for one in (await place.call("GET", path)).json()["data"]] == [made.json()["text"]]

        # Neither a message nor an event, but found, and part of what is held of a person.
        messages = (await place.call("GET", f"/contacts/{contact['id']}/messages")).json()["data"]
        assert [one["text"] for one in messages] == ["Merhaba"]
        assert await place.messages("out") == []
        assert len((await place.call("GET", "/events")).json()["data"]) == before
        assert await listed(place, q="walnut") == ["Ayşe"]
        exported = json.loads((await place.call("GET", "/contacts/export", format="json")).body)["data"]
        assert [one["conversation_notes"][0]["text"] for one in exported if one["id"] == contact["id"]] == [
            made.json()["text"]
        ]
        thread = await _thread(place, contact["id"])
        assert [_said(one) for one in thread] == [
            ("note", made.json()["text"]),
            ("in", "Merhaba"),
        ]

        # Of two contacts that become one, the notes of both; a stranger's account has none of it.
        assert (await note(place, "Brother of Ayşe", OTHER)).status == 201
        other = await place.contact(OTHER)
        assert (await place.call("POST", f"/contacts/{other['id']}/merge", {"into": contact["id"]})).status == 200
        kept = (await place.call("GET", path)).json()["data"]
        assert [one["text"] for one in kept] == ["Brother of Ayşe", made.json()["text"]]
        assert (await place.call("GET", path, account=2)).status == 404
        assert (await place.call("DELETE", f"{path}/{kept[0]['id']}", account=2)).status == 404
        assert (await place.call("DELETE", f"{path}/{kept[0]['id']}")).status == 204
        assert (await place.call("DELETE", f"{path}/{kept[0]['id']}")).status == 404
        assert await listed(place, q="brother") == []

        assert (await place.call("DELETE", f"/contacts/{contact['id']}")).status == 200
        assert (await place.call("GET", path)).status == 404
        assert await place.db.all(Query(select(conversation_notes).where(conversation_notes.c.account_id == 1))) == []


def _said(entry: ThreadMessage | ThreadNote) -> tuple[str, str]:
    return ("note", entry.text) if isinstance(entry, ThreadNote) else (entry.message.direction, entry.message.text)


async def _thread(place: Pool, contact_id: str, **more: Any) -> list[ThreadMessage | ThreadNote]:
    talks: Conversations = place.product.of(InboxServices).conversations
    caller = await KeyRing(place.db, place.product.box, place.clock, place.product.settings).authenticate(place.keys[1])
    return (await talks.thread(caller, contact_id, **more)).data


async def test_a_note_that_is_none_is_refused_with_its_field(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write()
        for text in ("", "   ", "x" * 4_097, 5, None):
            refused = await note(place, text)  # type: ignore[arg-type]
            assert (refused.status, refused.json()["errors"][0]["field"]) == (422, "text"), text


def _die(point: str) -> None:
    if point == "snooze.before_commit":
        raise RuntimeError(point)


async def test_a_snoozed_conversation_comes_back_at_its_time_or_when_the_customer_writes(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pool(database_url) as place:
        resting = place.product.of(Resting)
        await place.write()
        await place.write("Selam", OTHER, name="Barış")
        for phone in (PHONE, OTHER):
            rested = await change(place, {"snoozed_until": in_hours(place, 1)}, phone)
            assert (rested["state"], rested["unread"]) == ("snoozed", 0)
        assert await listed(place) == []
        assert await listed(place, status="snoozed") == ["Barış", "Ayşe"]
        assert await listed(place, status="closed") == []
        assert await listed(place, q="ayse") == []
        assert await listed(place, q="ayse", status="snoozed") == ["Ayşe"]
        await drained(resting.drain)
        assert await listed(place) == []

        place.clock.advance(60)
        await place.write("Bir şey daha", OTHER, name="Barış")
        assert await listed(place) == ["Barış"]
        assert (await conversation(place, OTHER))["snoozed_until"] is None
        await change(place, {"seen": True}, OTHER)

        # It is open when its time has come, whether or not anybody has worked on it yet.
        place.clock.advance(HOUR)
        assert await listed(place) == ["Barış", "Ayşe"]
        # Who dies on the way has done nothing of it.
        with monkeypatch.context() as dying:
            dying.setattr(crash_points, "reach", _die)
            with pytest.raises(RuntimeError):
                await drained(resting.drain)
        assert (await conversation(place))["unread"] == 0
        await drained(resting.drain)
        # What came back by itself asks to be looked at; who wrote and was read does not.
        assert [(await conversation(place, phone))["unread"] for phone in (PHONE, OTHER)] == [1, 0]


async def test_snoozing_closing_and_opening_undo_each_other(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write()
        await change(place, {"closed": True})
        assert (await change(place, {"snoozed_until": in_hours(place, 2)}))["state"] == "snoozed"
        assert (await change(place, {"closed": True}))["state"] == "closed"
        assert (await change(place, {"closed": False}))["state"] == "open"
        await change(place, {"snoozed_until": in_hours(place, 2)})
        assert (await change(place, {"assigned_to": None}))["state"] == "snoozed"
        assert (await change(place, {"snoozed_until": None}))["state"] == "open"
        contact = await place.contact()
        for fields in (
            {"snoozed_until": in_hours(place, -1)},
            {"snoozed_until": in_hours(place, 24 * 400)},
            {"snoozed_until": "tomorrow"},
            {"snoozed_until": in_hours(place, 1), "closed": True},
        ):
            refused = await place.call("PATCH", f"/conversations/{contact['id']}", fields)
            assert (refused.status, refused.json()["errors"][0]["field"]) == (422, "snoozed_until"), fields
        assert (await conversation(place))["state"] == "open"


async def test_who_waits_longest_for_an_answer_comes_first(database_url: str) -> None:
    async with pool(database_url) as place:
        line = place.lines[1]
        for fields in (
            {"kind": "greeting", "message": "Hoş geldiniz", "after_days": 30},
            {"kind": "keyword", "message": "Menü: …", "keywords": ["menü"], "match": "word"},
        ):
            assert (await place.call("POST", f"/instances/{line}/auto-replies", fields)).status == 201
        people = {name: f"90555111220{number}" for number, name in enumerate(("Can", "Ece", "Ada", "Efe", "Bora"))}
        for name, phone in people.items():
            # A greeting answers nobody.
            await place.write("Merhaba", phone, name=name)
            place.clock.advance(60)
        first = (await conversation(place, people["Can"]))["waiting_since"]
        assert await listed(place, waiting="true") == list(people)
        # A second message does not begin the wait anew, and a reaction asks for nothing.
        await place.write("Orada mısınız?", people["Can"], name="Can")
        assert (await conversation(place, people["Can"]))["waiting_since"] == first
        assert await listed(place, waiting="true") == list(people)

        sent = await place.call("POST", "/messages/send", {"phone": people["Ece"], "message": "Buyurun"})
        assert sent.status == 200, sent.body
        await place.write("menü", people["Ada"], name="Ada")
        await change(place, {"closed": True}, people["Efe"])
        assert await listed(place, waiting="true") == ["Can", "Bora"]
        assert await listed(place, waiting="true", q="merhaba") == []
        await place.index()
        assert sorted(await listed(place, waiting="true", q="merhaba")) == ["Bora", "Can"]
        await place.write("👍", people["Ece"], name="Ece", type="reaction")
        assert (await conversation(place, people["Ece"]))["waiting_since"] is None
        place.clock.advance(60)
        await place.write("Bir de kola", people["Ece"], name="Ece")
        pages, cursor = [], None
        while True:
            query: dict[str, Any] = {"waiting": "true", "limit": 1} | ({"cursor": cursor} if cursor else {})
            page = (await place.call("GET", "/conversations", **query)).json()
            pages += [one["name"] for one in page["data"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert pages == ["Can", "Bora", "Ece"]

        # Who wrote each answer is kept beside it.
        by = {row["text"]: row["sent_by"] for row in await place.messages("out")}
        assert by["Hoş geldiniz"] == "auto:greeting"
        assert by["Menü: …"] == "auto:keyword"
        assert by["Buyurun"].startswith("key:")
        shown = (await place.call("GET", "/messages", phone=people["Ece"])).json()["data"]
        assert {one["text"]: one["sent_by"] for one in shown}["Buyurun"] == by["Buyurun"]
        ece = await place.contact(people["Ece"])
        thread = await _thread(place, ece["id"])
        authors = [(one.author.kind, one.author.name) for one in thread if one.author and _said(one)[0] == "out"]
        assert authors == [("key", "all"), ("automatic", "")]


async def test_a_search_keeps_to_its_list_and_shows_what_it_was_after(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("Kadayıf var mı bugün?")
        place.clock.advance(5)
        await place.write("Peki teşekkürler")
        await place.write("Kadayıf alayım", OTHER, name="Barış")
        await change(place, {"closed": True}, OTHER)
        await place.index()
        found = (await place.call("GET", "/conversations", q="kadayif")).json()["data"]
        assert [one["name"] for one in found] == ["Ayşe"]
        assert found[0]["matched_message"]["text"] == "Kadayıf var mı bugün?"
        assert found[0]["last_message"]["text"] == "Peki teşekkürler"
        assert await listed(place, q="kadayif", status="closed") == ["Barış"]
        by_name = (await place.call("GET", "/conversations", q="ayse")).json()["data"]
        assert by_name[0]["matched_message"] is None
