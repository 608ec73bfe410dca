"""Phones that a test or a person can hold."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.contents import BUTTONS, CARD, LIST
from tests.sandbox.stage import ANNA, DISPLAY, LINE, TOM, bearer, stage

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n pixels").decode()


@pytest.mark.parametrize(
    ("draft", "kind", "told"),
    [
        ({"type": "image", "data": PIXEL, "caption": "Soup"}, "image", {"mime_type": "image/png", "caption": "Soup"}),
        ({"type": "document"}, "document", {"mime_type": "application/pdf", "filename": "document.pdf"}),
        ({"type": "audio", "data": PIXEL}, "audio", {"voice": True}),
        ({"type": "location", "location": {"latitude": 41, "longitude": 29}}, "location", {"latitude": 41.0}),
    ],
)
async def test_a_customer_can_attach_things(tmp_path: Path, draft: Any, kind: str, told: dict[str, Any]) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.write(**draft)
        await net.until(net.messages)
        [message] = net.messages()
        assert message["type"] == kind
        assert told.items() <= message[kind].items()
        if "sha256" in message[kind]:
            _, media = await net.call("GET", f"/graph/v25.0/{message[kind]['id']}", headers=bearer())
            async with net.http.get(media["url"], headers=bearer()) as given:
                assert len(await given.read()) == media["file_size"]


async def test_a_customer_can_send_contacts_and_reactions(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        wamid = await net.sent()
        await net.write(type="contact", contacts=[CARD])
        await net.write(type="reaction", context=wamid, emoji="👍")
        await net.write(type="reaction", context=wamid)
        await net.until(lambda: len(net.messages()) == 3)
        contacts, reacted, taken_back = net.messages()
        assert contacts["contacts"] == [CARD]
        assert reacted["reaction"] == {"message_id": wamid, "emoji": "👍"}
        assert taken_back["reaction"] == {"message_id": wamid}


async def test_taps_on_buttons_and_rows_answer_the_message_that_offered_them(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        asked = await net.sent(type="interactive", interactive=BUTTONS)
        listed = await net.sent(type="interactive", interactive=LIST)
        await net.write(type="button", id="yes", context=asked)
        await net.write(type="list", id="r1")
        await net.until(lambda: len(net.messages()) == 2)
        button, row = net.messages()
        assert button["interactive"] == {"type": "button_reply", "button_reply": {"id": "yes", "title": "Yes"}}
        assert button["context"] == {"from": DISPLAY, "id": asked}
        assert row["interactive"] == {"type": "list_reply", "list_reply": {"id": "r1", "title": "Lentil"}}
        assert row["context"]["id"] == listed


async def test_a_tap_on_a_templates_button_comes_as_its_payload(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        words = [{"type": "body", "parameters": [{"type": "text", "text": word} for word in ("A", "B", "C")]}]
        template = {"name": "order_confirmation", "language": {"code": "tr"}, "components": words}
        wamid = await net.sent(type="template", template=template)
        await net.write(type="button", id="İptal", context=wamid)
        await net.until(net.messages)
        assert net.messages()[0]["button"] == {"payload": "İptal", "text": "İptal"}


async def test_a_customer_chooses_the_line_by_its_id_or_number(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.register("second", "token-2", display_phone_number="15550783882")
        for to in ("second", "+1 555 078 3882", None):
            await net.write(text="To you", to=to)
        assert [message["number_id"] for message in await net.on_phone()] == ["second", "second", LINE]


async def test_phones_are_listed_with_what_is_unread(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.write(TOM, text="Hi", name="Tom B.")
        first = await net.sent(ANNA)
        await net.sent(ANNA)
        _, listed = await net.call("GET", "/phones")
        assert [(phone["number"], phone["name"], phone["unread"]) for phone in listed["data"]] == [
            (ANNA, "Ayşe", 2),
            (TOM, "Tom B.", 0),
        ]
        assert listed["data"][1]["last_message"]["text"] == "Hi"
        _, answer = await net.call("POST", f"/phones/{ANNA}/read", {"ids": [first]})
        assert answer == {"read": [first]}
        assert len((await net.call("POST", f"/phones/{ANNA}/read"))[1]["read"]) == 1
        assert (await net.call("POST", f"/phones/{ANNA}/read"))[1] == {"read": []}


async def test_messages_are_paged_in_order(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        texts = [f"Message {number}" for number in range(25)]
        for text in texts:
            await net.sent(type="text", text={"body": text})
        seen: list[str] = []
        after: int | None = 0
        while after is not None:
            _, page = await net.call("GET", f"/phones/{ANNA}/messages?after={after}&limit=10")
            seen += [message["text"] for message in page["data"]]
            after = page["next_after"]
        assert seen == texts
        _, last = await net.call("GET", f"/phones/{ANNA}/messages?limit=3")
        assert [message["text"] for message in last["data"]] == texts[-3:]


async def test_a_cleared_phone_is_empty(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.sent()
        assert (await net.call("DELETE", f"/phones/{ANNA}"))[1] == {"number": ANNA, "messages_removed": 1}
        assert await net.on_phone() == []
        await net.sent()
        assert len(await net.on_phone()) == 1


async def test_what_happens_is_streamed_live(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net, net.http.get(f"{net.url}/phones/{ANNA}/stream") as stream:
        assert stream.content_type == "text/event-stream"
        await stream.content.readuntil(b"event: hello")
        await net.sent(TOM, type="text", text={"body": "not for this stream"})
        await net.sent(ANNA, type="text", text={"body": "Live"})
        async with asyncio.timeout(30):
            seen = await stream.content.readuntil(b'"status":"delivered"')
        assert b'"text":"Live"' in seen
        assert b"not for this stream" not in seen


async def test_without_a_line_a_customer_is_told_so(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        status, answer = await net.call("POST", f"/phones/{ANNA}/messages", {"text": "x", "to": "nobody"})
        assert (status, answer["code"]) == (422, "line_unknown")


@pytest.mark.parametrize(
    "draft",
    [
        {},
        {"text": ""},
        {"text": " "},
        {"text": "x" * 4_097},
        {"text": 5},
        {"type": "dance"},
        {"type": "image", "data": "%"},
        {"type": "video"},
        {"type": "location"},
        {"type": "location", "location": {"latitude": 91, "longitude": 0}},
        {"type": "contact"},
        {"type": "contact", "contacts": [{}]},
        {"type": "button"},
        {"type": "button", "id": "x"},
        {"type": "reaction", "emoji": "x"},
        {"text": "x", "context": "wamid.no"},
        {"text": "x", "colour": "red"},
        {"text": "x", "name": "n" * 101},
        [],
        "text",
        None,
    ],
)
async def test_a_wrong_draft_is_refused_and_not_delivered(tmp_path: Path, draft: Any) -> None:
    async with stage(tmp_path / "s.db") as net:
        status, answer = await net.call("POST", f"/phones/{ANNA}/messages", draft)
        assert status == 422
        assert len(answer["detail"]) > 10
        assert await net.on_phone() == []
