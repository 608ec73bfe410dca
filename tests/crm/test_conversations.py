"""Conversations: who wrote, what waits, who looks after it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from tablegram.flows.inbox.threads import ThreadMessage
from tablegram.storage.database import Query
from tablegram.storage.tables import contacts, members
from tests.crm.pool import OTHER, PHONE, pool
from tests.crm.talks import change, conversation, listed

pytestmark = pytest.mark.later


async def test_who_writes_is_in_the_inbox_and_who_was_only_added_is_not(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("First", name="Ayşe")
        place.clock.advance(1)
        await place.write("Second", OTHER, name="Barış")
        await place.call("POST", "/contacts", {"phone": "905551112255", "name": "Never wrote"})
        assert await listed(place) == ["Barış", "Ayşe"]
        assert await listed(place, q="never") == ["Never wrote"]
        shown = await conversation(place)
        assert shown["unread"] == 1
        assert shown["last_message"]["text"] == "First"
        assert shown["window_open"] is True


async def test_pages_follow_each_other_without_a_gap(database_url: str) -> None:
    async with pool(database_url) as place:
        for number in range(7):
            await place.write("Hi", f"9055511122{number}0", name=f"Guest {number}")
            place.clock.advance(1)
        names, cursor = [], None
        while True:
            query: dict[str, Any] = {"limit": 3} | ({"cursor": cursor} if cursor else {})
            page = (await place.call("GET", "/conversations", **query)).json()
            names += [one["name"] for one in page["data"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert names == [f"Guest {number}" for number in reversed(range(7))]


async def test_what_was_seen_is_read_until_the_customer_writes_again(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("One")
        await place.write("Two")
        assert (await conversation(place))["unread"] == 2
        assert (await change(place, {"seen": True}))["unread"] == 0
        assert await listed(place, unread="true") == []
        # The network tells whole seconds: the next message may have the very time of the last one.
        await place.write("Three, in the same second")
        assert (await conversation(place))["unread"] == 1
        assert await listed(place, unread="true") == ["Ayşe"]
        await change(place, {"seen": True})
        assert (await change(place, {"seen": False}))["unread"] == 1


async def test_only_what_was_shown_counts_as_seen(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("One")
        shown = await conversation(place)
        place.clock.advance(5)
        await place.write("Two, while the page was open")
        after = await change(place, {"seen": True, "closed": True, "seen_until": shown["last_seen_at"]})
        assert (after["unread"], after["state"]) == (1, "open")


async def test_a_closed_conversation_opens_by_itself(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("One")
        assert (await change(place, {"closed": True}))["state"] == "closed"
        assert await listed(place) == []
        assert await listed(place, status="closed") == ["Ayşe"]
        assert await listed(place, status="all") == ["Ayşe"]
        await place.write("And one more thing")
        assert await listed(place) == ["Ayşe"]
        assert (await conversation(place))["state"] == "open"
        await change(place, {"closed": True})
        assert (await change(place, {"closed": False}))["state"] == "open"


async def test_a_conversation_is_given_to_a_member_and_taken_back(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("One")
        await place.write("Two", OTHER, name="Barış")
        row = {"account_id": 1, "id": "m1", "email": "a@example.com", "name": "Deniz", "role": "staff", "created_at": 1}
        await place.db.put((Query(insert(members).values(row)), {}))
        assert (await change(place, {"assigned_to": "m1"}))["assigned_to"] == {"id": "m1", "name": "Deniz"}
        assert await listed(place, assigned="m1") == ["Ayşe"]
        assert await listed(place, assigned="nobody") == ["Barış"]
        assert await listed(place, q="ayse", assigned="nobody") == []
        assert (await change(place, {"assigned_to": None}))["assigned_to"] is None
        contact = await place.contact()
        refused = await place.call("PATCH", f"/conversations/{contact['id']}", {"assigned_to": "stranger"})
        assert (refused.status, refused.json()["code"]) == (422, "member_not_found")


async def test_people_write_one_thing_without_undoing_another(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("One")
        row = {"account_id": 1, "id": "m1", "email": "a@example.com", "name": "Deniz", "role": "staff", "created_at": 1}
        await place.db.put((Query(insert(members).values(row)), {}))
        await change(place, {"assigned_to": "m1"})
        await change(place, {"seen": True})
        shown = await change(place, {"closed": True})
        assert (shown["assigned_to"]["id"], shown["unread"], shown["state"]) == ("m1", 0, "closed")


async def test_unread_conversations_are_counted_up_to_a_hundred(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("One")
        caller = await place.product._api._behind.deps.account.key_ring.authenticate(place.keys[1])
        assert await place.product.conversations.unread(caller) == 1
        now = place.clock.now_ms()
        rows = [
            {
                "account_id": 1, "id": f"c{number}", "name": "", "language": "", "tags": "[]", "notes": "",
                "consent": "unknown", "consent_source": "", "first_seen_at": now, "last_seen_at": now,
                "window_until": now,
            }
            for number in range(150)
        ]  # fmt: skip
        for row in rows:
            await place.db.put((Query(insert(contacts).values(row)), {}))
        assert await place.product.conversations.unread(caller) == 100
        await change(place, {"closed": True})
        other = await place.product._api._behind.deps.account.key_ring.authenticate(place.keys[2])
        assert await place.product.conversations.unread(other) == 0


async def test_merging_and_erasing_take_the_conversation_along(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("One")
        await change(place, {"closed": True})
        await place.call("POST", "/contacts", {"phone": OTHER, "name": "Kept"})
        gone, kept = await place.contact(), await place.contact(OTHER)
        reply = await place.call("POST", f"/contacts/{gone['id']}/merge", {"into": kept["id"]})
        assert reply.status == 200, reply.body
        shown = (await place.call("GET", f"/conversations/{gone['id']}")).json()
        assert (shown["contact_id"], shown["state"]) == (kept["id"], "closed")
        assert (await place.call("DELETE", f"/contacts/{kept['id']}")).status == 200
        assert (await place.call("GET", f"/conversations/{kept['id']}")).status == 404
        assert await listed(place, status="all") == []


async def test_the_thread_shows_places_and_puts_reactions_on_their_messages(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("Look", network_id="wamid.first")
        contact = await place.contact()
        caller = await place.product._api._behind.deps.account.key_ring.authenticate(place.keys[1])
        place.clock.advance(1)
        sender = {"from": PHONE, "timestamp": str(place.clock.now_ms() // 1_000)}
        raw = [
            {**sender, "id": "wamid.2", "type": "location", "location": {"latitude": 41.01, "longitude": 28.98}},
            {**sender, "id": "wamid.3", "type": "reaction", "reaction": {"message_id": "wamid.first", "emoji": "🙏"}},
        ]
        await place.receive(*raw)
        thread = await place.product.conversations.thread(caller, contact["id"])
        newest, first = thread.data
        assert isinstance(newest, ThreadMessage)
        assert isinstance(first, ThreadMessage)
        assert newest.details.location is not None
        assert newest.details.location.url.endswith("destination=41.010000,28.980000")
        assert first.reactions == {"in": "🙏"}


async def test_canned_replies_have_one_shortcut_each(database_url: str) -> None:
    async with pool(database_url) as place:
        made = await place.call("POST", "/canned-replies", {"shortcut": "/Saat", "text": " Hello {name}, 9 to 23. "})
        assert (made.status, made.json()["shortcut"], made.json()["text"]) == (201, "saat", "Hello {name}, 9 to 23.")
        again = await place.call("POST", "/canned-replies", {"shortcut": "saat", "text": "x"})
        assert (again.status, again.json()["code"]) == (409, "shortcut_taken")
        wrong = await place.call("POST", "/canned-replies", {"shortcut": "two words", "text": "x"})
        assert (wrong.status, wrong.json()["code"]) == (422, "format_invalid")
        path = f"/canned-replies/{made.json()['id']}"
        assert (await place.call("PATCH", path, {"text": "9 to 24"})).json()["text"] == "9 to 24"
        assert (await place.call("GET", path, account=2)).status == 404
        assert (await place.call("DELETE", path)).status == 204
        assert (await place.call("GET", "/canned-replies")).json()["data"] == []
