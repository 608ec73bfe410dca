"""The business side speaks the Cloud API's wire format."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.sandbox.contents import BUTTONS, CARD, LIST
from tests.sandbox.stage import ANNA, DISPLAY, LINE, TOKEN, bearer, stage

LINK = {
    "type": "cta_url",
    "body": {"text": "Pay"},
    "action": {"name": "cta_url", "parameters": {"display_text": "Pay now", "url": "https://pay.example/1"}},
}
ASK_LOCATION = {
    "type": "location_request_message",
    "body": {"text": "Where?"},
    "action": {"name": "send_location"},
}


async def test_an_accepted_message_is_answered_as_the_cloud_api_does(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        status, answer = await net.send("+90 555 111 22 33")
        assert status == 200
        assert answer["messaging_product"] == "whatsapp"
        [contact] = answer["contacts"]
        assert (contact["input"], contact["wa_id"]) == ("+90 555 111 22 33", ANNA)
        assert contact["user_id"].startswith("TR.")
        [message] = answer["messages"]
        assert message["id"].startswith("wamid.")
        assert message["message_status"] == "accepted"


@pytest.mark.parametrize(
    ("kind", "content", "shown"),
    [
        ("text", {"body": "Hi *bold*"}, {"text": "Hi *bold*"}),
        ("image", {"link": "https://a.example/x.png", "caption": "Soup"}, {"text": "Soup"}),
        ("video", {"link": "https://a.example/x.mp4"}, {}),
        ("document", {"link": "https://a.example/x.pdf", "filename": "bill.pdf"}, {}),
        ("audio", {"link": "https://a.example/x.ogg"}, {}),
        ("sticker", {"link": "https://a.example/x.webp"}, {}),
        ("location", {"latitude": 41.0, "longitude": "29.02", "name": "Pier"}, {}),
        ("contacts", [CARD], {"contacts": [CARD]}),
        ("interactive", BUTTONS, {"text": "Sure?", "buttons": [{"id": "yes", "title": "Yes"}]}),
        ("interactive", LIST, {"text": "What?"}),
        ("interactive", LINK, {"link_button": {"title": "Pay now", "url": "https://pay.example/1"}}),
        ("interactive", ASK_LOCATION, {"location_request": True}),
        ("template", {"name": "hello_world", "language": {"code": "en_US"}}, {}),
    ],
)
async def test_every_kind_of_message_reaches_the_phone(
    tmp_path: Path, kind: str, content: Any, shown: dict[str, Any]
) -> None:
    async with stage(tmp_path / "s.db") as net:
        wamid = await net.sent(type=kind, **{kind: content})
        [message] = await net.on_phone()
        assert (message["id"], message["type"], message["direction"]) == (wamid, kind, "in")
        assert (message["from"], message["to"], message["number_id"]) == (DISPLAY, ANNA, LINE)
        assert {name: message[name] for name in shown} == shown
        if kind == "document":
            assert message["media"] == {"kind": "document", "link": "https://a.example/x.pdf", "filename": "bill.pdf"}
        if kind == "location":
            assert message["location"]["longitude"] == 29.02


async def test_a_template_is_filled_in_and_its_buttons_carry_the_given_payload(tmp_path: Path) -> None:
    components = [
        {"type": "body", "parameters": [{"type": "text", "text": word} for word in ("Tom", "ORD-1", "£5")]},
        {
            "type": "button",
            "sub_type": "quick_reply",
            "index": "0",
            "parameters": [{"type": "payload", "payload": "w"}],
        },
    ]
    async with stage(tmp_path / "s.db") as net:
        template = {"name": "order_confirmation", "language": {"code": "en"}, "components": components}
        await net.sent(type="template", template=template)
        [message] = await net.on_phone()
        assert message["text"] == "Hello Tom, we have received your order ORD-1. Total: £5. Thank you!"
        assert message["buttons"] == [{"id": "w", "title": "Where is it?"}, {"id": "Cancel", "title": "Cancel"}]


@pytest.mark.parametrize(
    ("body", "code", "named"),
    [
        ({"type": "text", "text": {}}, 131008, "text['body']"),
        ({"type": "text"}, 131008, "text"),
        ({"type": "text", "text": {"body": "   "}}, 131009, "text['body']"),
        ({"type": "text", "text": {"body": "x" * 4_097}}, 131009, "4096"),
        ({"type": "text", "text": {"body": 5}}, 131009, "text['body']"),
        ({"type": "text", "text": "Hi"}, 131009, "text"),
        ({"type": "dance", "dance": {}}, 100, "type"),
        ({"to": "12", "type": "text", "text": {"body": "x"}}, 131009, "to"),
        ({"to": None, "type": "text", "text": {"body": "x"}}, 131008, "to"),
        ({"to": DISPLAY, "type": "text", "text": {"body": "x"}}, 131021, "same"),
        ({"messaging_product": "sms", "type": "text", "text": {"body": "x"}}, 100, "messaging_product"),
        ({"type": "image", "image": {"id": "404"}}, 131009, "image['id']"),
        ({"type": "image", "image": {"link": "ftp://x"}}, 131009, "image['link']"),
        ({"type": "audio", "audio": {"link": "https://x.example", "caption": "no"}}, 100, "caption"),
        ({"type": "location", "location": {"latitude": 91, "longitude": 0}}, 131009, "latitude"),
        ({"type": "location", "location": {"latitude": "nan", "longitude": 0}}, 131009, "latitude"),
        ({"type": "contacts", "contacts": []}, 131008, "contacts"),
        ({"type": "reaction", "reaction": {"message_id": "wamid.no", "emoji": "x"}}, 131009, "message_id"),
        ({"type": "template", "template": {"name": "none", "language": {"code": "en"}}}, 132001, "none"),
        ({"type": "template", "template": {"name": "last_chance", "language": {"code": "en"}}}, 132001, "REJECTED"),
        ({"type": "template", "template": {"name": "order_confirmation", "language": {"code": "en"}}}, 132000, "0"),
        ({"type": "interactive", "interactive": {"type": "button", "body": {"text": "x"}}}, 131008, "buttons"),
        ({"type": "text", "text": {"body": "x"}, "biz_opaque_callback_data": "x" * 513}, 131009, "biz_opaque"),
    ],
)
async def test_a_wrong_message_is_refused_in_the_graph_shape(
    tmp_path: Path, body: dict[str, Any], code: int, named: str
) -> None:
    async with stage(tmp_path / "s.db") as net:
        status, answer = await net.send(**body)
        error = answer["error"]
        assert status in (400, 404)
        assert error["code"] == code
        assert named in error["error_data"]["details"]
        assert {"message", "type", "fbtrace_id"} <= set(error)
        assert await net.on_phone() == []


async def test_tokens_and_numbers_are_checked(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        for headers in ({}, bearer("wrong"), {"Authorization": "Basic x"}):
            status, answer = await net.call("POST", f"/graph/v25.0/{LINE}/messages", {}, headers=headers)
            assert (status, answer["error"]["code"]) == (401, 190)
        status, answer = await net.send(line="404")
        assert (status, answer["error"]["code"], answer["error"]["error_subcode"]) == (400, 100, 33)


async def test_a_number_tells_its_account_and_the_account_its_templates(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        _, number = await net.call("GET", f"/graph/v25.0/{LINE}?fields=whatsapp_business_account", headers=bearer())
        assert (number["id"], number["display_phone_number"], number["verified_name"]) == (LINE, DISPLAY, "Demo")
        assert number["quality_rating"] == "GREEN"
        waba, seen, after = number["whatsapp_business_account"]["id"], [], ""
        while True:
            path = f"/graph/v25.0/{waba}/message_templates?limit=3{after}"
            status, page = await net.call("GET", path, headers=bearer())
            assert status == 200
            if not page["data"]:
                break
            seen += [(item["name"], item["language"], item["status"]) for item in page["data"]]
            after = "&after=" + page["paging"]["cursors"]["after"]
        assert len(set(seen)) == len(seen)
        assert {("order_confirmation", "en", "APPROVED"), ("order_confirmation", "tr", "APPROVED")} <= set(seen)
        assert {status for _, _, status in seen} == {"APPROVED", "PENDING", "REJECTED"}


async def test_media_goes_up_and_comes_down_with_the_token_only(tmp_path: Path) -> None:
    content = b"%PDF-1.4 bill"
    async with stage(tmp_path / "s.db") as net:
        form = aiohttp.FormData({"messaging_product": "whatsapp", "type": "application/pdf"})
        form.add_field("file", content, filename="bill.pdf", content_type="application/pdf")
        async with net.http.post(f"{net.url}/graph/v25.0/{LINE}/media", data=form, headers=bearer()) as answer:
            assert answer.status == 200
            media_id = (await answer.json())["id"]
        _, media = await net.call("GET", f"/graph/v25.0/{media_id}", headers=bearer())
        assert (media["mime_type"], media["file_size"]) == ("application/pdf", len(content))
        assert media["sha256"] == hashlib.sha256(content).hexdigest()
        async with net.http.get(media["url"]) as refused, net.http.get(media["url"], headers=bearer()) as given:
            assert refused.status == 401
            assert await given.read() == content
        await net.sent(type="document", document={"id": media_id})
        [message] = await net.on_phone()
        assert message["media"]["filename"] == "bill.pdf"


async def test_a_customers_message_is_marked_read_by_the_line(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        written = await net.write(text="Hi")
        read = {
            "messaging_product": "whatsapp",
            "status": "read",
            "message_id": written["id"],
            "typing_indicator": {"type": "text"},
        }
        assert await net.call("POST", f"/graph/v25.0/{LINE}/messages", read, headers=bearer()) == (
            200,
            {"success": True},
        )
        [message] = await net.on_phone()
        assert message["status"] == "read"
        status, answer = await net.call(
            "POST", f"/graph/v25.0/{LINE}/messages", read | {"message_id": "wamid.no"}, headers=bearer()
        )
        assert (status, answer["error"]["code"]) == (400, 131009)


async def test_a_user_id_reaches_the_phone_it_stands_for(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        _, answer = await net.send()
        user = answer["contacts"][0]["user_id"]
        body = {"messaging_product": "whatsapp", "recipient": user, "type": "text", "text": {"body": "By id"}}
        status, _ = await net.call("POST", f"/graph/v25.0/{LINE}/messages", body, headers=bearer())
        assert status == 200
        assert [message["text"] for message in await net.on_phone()] == ["Hello", "By id"]


async def test_another_lines_token_does_not_send(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.register("second", "token-2", display_phone_number="15550783882")
        status, answer = await net.send(token="token-2")
        assert (status, answer["error"]["code"]) == (401, 190)
        assert (await net.send(line="second", token="token-2"))[0] == 200
        assert (await net.send(token=TOKEN))[0] == 200
