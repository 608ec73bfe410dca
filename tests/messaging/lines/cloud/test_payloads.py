"""Each kind of message has the wire form that the network documents."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablegram.messaging.lines.cloud.payloads import encode
from tablegram.messaging.model import (
    Button,
    Buttons,
    Contacts,
    Content,
    LinkButton,
    ListMenu,
    Location,
    Media,
    PlaceRequest,
    Reaction,
    Row,
    Section,
    Template,
    Text,
)
from tablegram.values import Json
from tests.messaging.lines.cloud.lines import message

LINK = "https://files.example.com/menu.pdf"
CARD: Json = {"name": {"formatted_name": "A B", "first_name": "A"}, "phones": [{"phone": "+1 555"}]}

CASES: list[tuple[str, Content, str, Any]] = [
    ("text", Text("Hi *bold*"), "text", {"body": "Hi *bold*", "preview_url": False}),
    ("image", Media("image", LINK, True, caption="c", filename="f"), "image", {"link": LINK, "caption": "c"}),
    ("video", Media("video", LINK, True), "video", {"link": LINK}),
    (
        "document",
        Media("document", LINK, True, "c", "f.pdf"),
        "document",
        {"link": LINK, "caption": "c", "filename": "f.pdf"},
    ),
    ("audio_has_no_caption", Media("audio", LINK, True, "c", "f"), "audio", {"link": LINK}),
    ("sticker_has_no_caption", Media("sticker", LINK, True, "c", "f"), "sticker", {"link": LINK}),
    (
        "location",
        Location(41.0, 29.5, "Pier", "Sea 1"),
        "location",
        {"latitude": 41.0, "longitude": 29.5, "name": "Pier", "address": "Sea 1"},
    ),
    ("bare_location", Location(-1.5, 0.0), "location", {"latitude": -1.5, "longitude": 0.0}),
    ("contacts", Contacts([CARD]), "contacts", [CARD]),
    ("template", Template("order", "tr"), "template", {"name": "order", "language": {"code": "tr"}}),
    (
        "template_with_values",
        Template("order", "tr", [{"type": "body", "parameters": [{"type": "text", "text": "5"}]}]),
        "template",
        {
            "name": "order",
            "language": {"code": "tr"},
            "components": [{"type": "body", "parameters": [{"type": "text", "text": "5"}]}],
        },
    ),
    (
        "location_request",
        PlaceRequest("Where to?"),
        "interactive",
        {"type": "location_request_message", "body": {"text": "Where to?"}, "action": {"name": "send_location"}},
    ),
    (
        "link_button",
        LinkButton("On its way.", "Track", "https://track.example/42"),
        "interactive",
        {
            "type": "cta_url",
            "body": {"text": "On its way."},
            "action": {
                "name": "cta_url",
                "parameters": {"display_text": "Track", "url": "https://track.example/42"},
            },
        },
    ),
    ("reaction", Reaction("wamid.1", "👍"), "reaction", {"message_id": "wamid.1", "emoji": "👍"}),
    ("reaction_taken_back", Reaction("wamid.1", ""), "reaction", {"message_id": "wamid.1", "emoji": ""}),
    (
        "buttons",
        Buttons("Sure?", [Button("y", "Yes"), Button("n", "No")], header="H", footer="F"),
        "interactive",
        {
            "type": "button",
            "header": {"type": "text", "text": "H"},
            "body": {"text": "Sure?"},
            "footer": {"text": "F"},
            "action": {
                "buttons": [
                    {"type": "reply", "reply": {"id": "y", "title": "Yes"}},
                    {"type": "reply", "reply": {"id": "n", "title": "No"}},
                ]
            },
        },
    ),
    (
        "list",
        ListMenu(
            "Choose",
            "Menu",
            [Section([Row("1", "Tea", "hot"), Row("2", "Water")], "Drinks"), Section([Row("3", "Pie")])],
        ),
        "interactive",
        {
            "type": "list",
            "body": {"text": "Choose"},
            "action": {
                "button": "Menu",
                "sections": [
                    {
                        "title": "Drinks",
                        "rows": [{"id": "1", "title": "Tea", "description": "hot"}, {"id": "2", "title": "Water"}],
                    },
                    {"rows": [{"id": "3", "title": "Pie"}]},
                ],
            },
        },
    ),
]


@pytest.mark.parametrize(("content", "kind", "part"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_each_kind_has_its_wire_form(content: Content, kind: str, part: Any) -> None:
    assert msgspec.json.decode(encode(message(content))) == {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "905551112233",
        "type": kind,
        kind: part,
        "biz_opaque_callback_data": "corr-1",
    }


def test_every_kind_of_content_is_covered() -> None:
    assert {type(case[1]) for case in CASES} == set(Content.__args__)


def test_a_reply_names_what_it_answers() -> None:
    assert msgspec.json.decode(encode(message(reply_to="wamid.9")))["context"] == {"message_id": "wamid.9"}


def test_an_uploaded_file_goes_by_its_id() -> None:
    wire = msgspec.json.decode(encode(message(Media("image", LINK, False, "c")), "media-1"))
    assert wire["image"] == {"id": "media-1", "caption": "c"}


def test_a_person_without_a_number_is_addressed_by_user_id() -> None:
    wire = msgspec.json.decode(encode(message(phone="TR.1349")))
    assert wire["recipient"] == "TR.1349"
    assert "to" not in wire
