"""The inbox as a desk, by plain forms: notes, rest, who waits, the next one, a first message."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from tests.engine.waiting import until
from tests.panel.visiting import House, house

# Nothing listens there: what is to be sent stays queued.
NOWHERE = "http://127.0.0.1:9"
PHONES = {"Ayşe": "905551112231", "Barış": "905551112232", "Can": "905551112233"}


async def written(one: House) -> dict[str, str]:
    """Three customers who have just written; the ids of their conversations by name."""
    product = one.running.api
    cloud = {"kind": "cloud", "name": "Salon", "phone_number_id": "1", "access_token": "t", "app_secret": "s"}
    line = (await one.running.ask("POST", "/instances", {**cloud, "verify_token": "v"})).json()["id"]
    now_s = product.clock.now_ms() // 1_000 - 600
    for number, (name, phone) in enumerate(PHONES.items()):
        message = {"from": phone, "id": f"wamid.{number}", "type": "text", "timestamp": str(now_s + 60 * number)}
        value = {
            "metadata": {"phone_number_id": "1"},
            "contacts": [{"profile": {"name": name}, "wa_id": phone}],
            "messages": [{**message, "text": {"body": f"Baklava, {name}"}}],
        }
        body = {"object": f"n{number}", "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}
        await product.inbox.store(1, f"cloud:{line}", msgspec.json.encode(body))
    found: dict[str, str] = {}

    async def all_are_there() -> bool:
        for talk in (await one.running.ask("GET", "/conversations")).json()["data"]:
            found[talk["name"]] = talk["contact_id"]
        return len(found) == len(PHONES)

    await until(all_are_there, "the conversations")
    return found


async def test_a_desk_works_by_plain_forms(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, cloud_base_url=NOWHERE) as one:
        ids = await written(one)
        owner, staff = await one.person("owner"), await one.person("staff", language="tr")

        # A note is beside the messages, with its writer's name, and can be taken back.
        talk = f"/panel/inbox/{ids['Can']}"
        assert (await owner.post(f"{talk}/notes", {"note": "Nut allergy"})).location == talk
        assert (await owner.post(f"{talk}/notes", {"note": "  "})).status == 422
        shown = await staff.get(talk)
        assert "Nut allergy" in shown.words
        assert "Owner" in shown.words
        (note,) = re.findall(rf"{talk}/notes/(\w+)/delete", shown.text)
        assert (await staff.post(f"{talk}/notes/{note}/delete")).status == 303
        assert "Nut allergy" not in (await staff.get(talk)).words

        # All three wait; the one who wrote first, longest.
        waiting = (await owner.get("/panel/inbox?show=waiting&part=list")).text
        assert re.findall(r'class="talk-name"[^>]*>([^<]+)<', waiting) == list(PHONES)

        # Closing and snoozing lead to the next of the same list, at its end to its beginning, then to the list.
        newest_first = [ids[name] for name in ("Can", "Barış", "Ayşe")]
        closed = await owner.post(f"/panel/inbox/{newest_first[1]}/state", {"act": "close", "show": "unread"})
        assert closed.location == f"/panel/inbox/{newest_first[2]}?show=unread"
        rested = await owner.post(f"/panel/inbox/{newest_first[2]}/snooze", {"rest": "tomorrow"})
        assert rested.location == f"/panel/inbox/{newest_first[0]}"
        assert (await owner.post(f"/panel/inbox/{newest_first[0]}/state", {"act": "close"})).location == "/panel/inbox"
        assert "snoozed" in (await owner.get(f"/panel/inbox/{newest_first[2]}?part=head")).words
        for wrong in ({"snoozed_until": "x"}, {"snoozed_until": "2001-01-01T10:00"}, {}):
            assert (await owner.post(f"/panel/inbox/{newest_first[2]}/snooze", wrong)).status == 422, wrong

        # A search under Open finds open ones, and says how many there are elsewhere.
        await one.running.api.indexer.index("~")
        found = await owner.get("/panel/inbox?q=baklava&part=list")
        assert "Also in closed: 2" in found.words
        assert "Also in snoozed: 1" in found.words
        woken = await owner.post(f"/panel/inbox/{newest_first[2]}/state", {"act": "wake"})
        assert woken.status == 303
        assert "Baklava, Ayşe" in (await owner.get("/panel/inbox?q=baklava&part=list")).words


async def test_a_new_conversation_begins_with_a_number_or_a_name(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, cloud_base_url=NOWHERE) as one:
        ids = await written(one)
        venue = {"name": "Safran", "currency": "TRY", "time_zone": "Europe/Istanbul"}
        assert (await one.running.ask("POST", "/restaurant/venues", venue)).status == 201
        owner = await one.person("owner")
        page = await owner.get("/panel/inbox/new")
        (line,) = re.findall(r'<option value="(\d+)"[^>]*>Salon<', page.text)

        async def begin(**fields: Any) -> Any:
            return await owner.post("/panel/inbox/new", {"line": line, "text": "Merhaba", **fields})

        assert (await begin(to="Barış")).location == f"/panel/inbox/{ids['Barış']}"
        # As one dials it at home.
        assert (await begin(to="0555 111 22 31")).location == f"/panel/inbox/{ids['Ayşe']}"
        for fields, words in (
            ({"to": "nobody at all"}, "No contact has this name"),
            ({"to": "12"}, "not a phone number"),
            ({"to": "Can", "text": ""}, ""),
            ({"to": "Can", "line": "999"}, "Choose the line"),
        ):
            refused = await begin(**fields)
            assert refused.status == 422, fields
            assert words in refused.words
        # Who has never written is added, and gets a template first; what was typed stays.
        first = await begin(to="+44 7700 900123", text="Hello there")
        assert first.status == 422
        assert "The first message must be a template" in first.words
        assert "Hello there" in first.text
        (new,) = set(re.findall(rf"/panel/inbox/(\w+)/template\?line={line}", first.text))
        assert (await owner.get(f"/panel/inbox/{new}")).status == 200
