"""From the network: what came besides messages and what nobody understood, for who may see it; and in the inbox."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec

from tablegram.messaging.instances import Config, Secrets
from tests.panel.visiting import House, Person, house

PHONE = "905551112233"


async def add_line(one: House, account: int = 1, number: str = "1065") -> int:
    api = one.running.api
    made = await api.db.write(
        lambda tx: api.instances.create(tx, account, "cloud", "Kasa", Config(number, ""), Secrets(), None)
    )
    return made.id


async def hear(one: House, line: int, *changes: dict[str, Any], account: int = 1, raw: bytes = b"") -> None:
    whole = {"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": list(changes)}]}
    inbox = one.running.api.inbox
    await inbox.store(account, f"cloud:{line}", raw or msgspec.json.encode(whole))
    # The product itself works on it, and whoever looked as well might find that it is being worked on.
    for _ in range(1_000):
        if not await inbox.waiting(account, f"cloud:{line}"):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nobody works on it")


async def shown(person: Person, path: str, words: str) -> None:
    """On the page, or on it soon: whoever was asking the line meanwhile says once more how it is."""
    for _ in range(200):
        if words in (await person.get(path)).words:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{path} does not say: {words}")


def said(message: dict[str, Any], number: str = "1065") -> dict[str, Any]:
    who = {"from": PHONE, "timestamp": "1794709500"}
    value = {"metadata": {"phone_number_id": number}, "messages": [{**who, **message}]}
    return {"field": "messages", "value": value}


def text(name: str, words: str) -> dict[str, Any]:
    return {"id": name, "type": "text", "text": {"body": words}}


async def test_what_was_not_understood_is_listed_found_and_shown_as_it_came_to_who_may_see_it(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner, turk, stranger = await one.person(), await one.person(language="tr"), await one.person(account=2)
        assert "Nothing yet" in (await owner.get("/panel/network")).words
        line, foreign = await add_line(one), await add_line(one, account=2)
        template = {"event": "REJECTED", "message_template_name": "order_ready"}
        odd = {"event": "<script>alert(1)</script>"}
        await hear(one, line, {"field": "message_template_status_update", "value": template})
        await hear(one, line, {"field": "of_next_year", "value": odd})
        await hear(one, line, said(text("wamid.1", "2 lahmacun"), number="99"))
        await hear(one, line, raw=b"\x00 not json")
        await hear(one, foreign, {"field": "of_another_account", "value": {}}, account=2)

        everything = (await owner.get("/panel/network")).words
        for words in (
            "Template: state",
            "REJECTED · order_ready",
            "of_next_year",
            "For an unknown number",
            "Not readable",
        ):
            assert words in everything, words
        assert "of_another_account" not in everything
        unknown = await owner.get("/panel/network?show=unknown")
        assert unknown.text.count("data-row-link") == 3
        for query, count in (
            ("q=order_REA", 1),
            (f"line={line}", 3),
            ("q=99&show=unknown", 1),
            ("q=%25", 0),
            ("line=x", 4),
        ):
            page = await owner.get(f"/panel/network?{query}")
            assert (page.status, page.text.count("data-row-link")) == (200, count), query
        assert "Nothing matches" in (await owner.get("/panel/network?q=nowhere")).words
        assert "Bilinmeyen bir numara için" in (await turk.get("/panel/network")).words

        bodies = {}
        for name in re.findall(r'href="/panel/network/(\w+)"', unknown.text):
            sheet = await owner.get(f"/panel/network/{name}?part=sheet")
            assert sheet.status == 200
            assert "<script>" not in sheet.text
            bodies[name] = sheet.words
            assert (await stranger.get(f"/panel/network/{name}")).status == 404
        assert any("alert(1)" in words for words in bodies.values())
        assert any("2 lahmacun" in words and "Nothing was ordered or answered" in words for words in bodies.values())
        assert any("not json" in words and "not JSON" in words for words in bodies.values())
        for role in ("staff", "kitchen"):
            person = await one.person(role)
            assert (await person.get("/panel/network")).status == 403
            assert (await person.get(f"/panel/network/{next(iter(bodies))}")).status == 403
        assert (await (await one.person("developer")).get("/panel/network")).status == 200


async def test_a_line_that_the_network_restricts_says_so_on_its_page_and_at_home(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner, turk = await one.person(), await one.person(language="tr")
        line = await add_line(one)
        ban = {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "DISABLE"}}
        await hear(one, line, {"field": "account_update", "value": ban})
        for path in ("/panel/", f"/panel/lines/{line}"):
            await shown(owner, path, "has disabled the business account")
            await shown(turk, path, "Ağ işletme hesabını kapattı")
        assert f"/panel/network?line={line}" in (await owner.get(f"/panel/lines/{line}")).text


async def test_the_inbox_shows_what_was_changed_taken_back_and_missed_and_groups_apart(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner, line = await one.person(), await add_line(one)
        await hear(one, line, said(text("wamid.1", "first words")), said(text("wamid.2", "secret words")))
        fresh = {"original_message_id": "wamid.1", "message": {"type": "text", "text": {"body": "second words"}}}
        await hear(one, line, said({"id": "wamid.3", "type": "edit", "edit": fresh}))
        gone = {"original_message_id": "wamid.2"}
        await hear(one, line, said({"id": "wamid.4", "type": "revoke", "revoke": gone}))
        call = {
            "id": "wacid.1",
            "from": PHONE,
            "event": "connect",
            "direction": "USER_INITIATED",
            "timestamp": "1794709600",
        }
        value = {"metadata": {"phone_number_id": "1065"}, "calls": [call]}
        await hear(one, line, {"field": "calls", "value": value})
        (talk,) = set(re.findall(r"/panel/inbox/(\w{26})", (await owner.get("/panel/inbox")).text))
        words = (await owner.get(f"/panel/inbox/{talk}")).words
        for shown in ("second words", "edited", "This message was deleted.", "Missed call"):
            assert shown in words, shown
        for hidden in ("first words", "secret words"):
            assert hidden not in words, hidden
        await hear(one, line, said({**text("wamid.5", "among friends"), "group_id": "G1"}))
        listed = await owner.get("/panel/inbox")
        assert "Group" in listed.words
        (group,) = set(re.findall(r"/panel/inbox/(\w{26})", listed.text)) - {talk}
        refused = await owner.post(f"/panel/inbox/{group}/send", {"text": "hello"})
        assert "Nothing can be sent to a group from here" in refused.words
        hidden_guest = {**text("wamid.6", "hello"), "from": "TR.1349"}
        await hear(one, line, said(hidden_guest))
        (guest,) = set(re.findall(r"/panel/inbox/(\w{26})", (await owner.get("/panel/inbox")).text)) - {talk, group}
        sent = await owner.post(f"/panel/inbox/{guest}/send", {"text": "we are open"})
        assert sent.status == 303, sent.words
        assert "we are open" in (await owner.get(f"/panel/inbox/{guest}")).words
