"""What is wrong with a request is told field by field, all at once."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.flows.gateway.lines import LineDraft
from tablegram.messaging.model import Buttons, Contacts, ListMenu, Location, Reaction, Template
from tablegram.messaging.records.line_changes import LineChange
from tests.api.app import NOW_MS, World, ask, shared_world
from tests.api.test_error_shape import BODIES

PHONE = "905551112233"
LONG = "x" * 4_097

# field, value, code: each alone makes a good text send wrong.
WRONG_TEXT: list[tuple[str, Any, str]] = [
    ("phone", None, "wrong_type"),
    ("phone", 905551112233, "wrong_type"),
    ("phone", "", "phone_invalid"),
    ("phone", "+905551112233", "phone_invalid"),
    ("phone", "90 555 111 22 33", "phone_invalid"),
    ("phone", "0905551112233", "phone_invalid"),
    ("phone", "123456", "phone_invalid"),
    ("phone", "1234567890123456", "phone_invalid"),
    ("phone", "905551112233\n", "phone_invalid"),
    ("phone", "٩٠٥٥٥١١١٢٢٣٣", "phone_invalid"),
    ("phone", "9999999", "phone_invalid"),
    ("message", None, "wrong_type"),
    ("message", 5, "wrong_type"),
    ("message", ["hi"], "wrong_type"),
    ("message", "", "blank"),
    ("message", " \t\n ", "blank"),
    ("message", "\u3000\u00a0", "blank"),
    ("message", LONG, "too_long"),
    ("message", "a\x00b", "control_characters"),
    ("message", "a\x1bb", "control_characters"),
    ("message", "a\x7fb", "control_characters"),
    ("message", "a\x85b", "control_characters"),
    ("instance_id", "7", "wrong_type"),
    ("instance_id", 1.5, "wrong_type"),
    ("instance_id", True, "wrong_type"),
    ("instance_id", [], "wrong_type"),
    ("instance_id", 0, "out_of_range"),
    ("instance_id", -1, "out_of_range"),
    ("instance_id", 2**70, "out_of_range"),
    ("instance_id", 404, "instance_unknown"),
    ("send_at", "tomorrow", "time_invalid"),
    ("send_at", "2026-10-01T10:00:00", "time_invalid"),
    ("send_at", "2026-13-01T10:00:00Z", "time_invalid"),
    ("send_at", 1790000000, "wrong_type"),
    ("send_at", "2027-10-01T10:00:00Z", "out_of_range"),
    ("priority", "high", "not_allowed"),
    ("priority", 1, "wrong_type"),
    ("reply_to", "wamid.unknown", "message_unknown"),
    ("reply_to", "", "blank"),
    ("reply_to", "a b", "message_unknown"),
    ("reply_to", "a\x00b", "control_characters"),
    ("extra", 1, "unknown_field"),
]


@pytest.mark.parametrize("fast", [True, False], ids=["fast", "framework"])
@pytest.mark.parametrize(("field", "value", "code"), WRONG_TEXT)
async def test_a_wrong_field_is_named_with_its_code(fast: bool, field: str, value: Any, code: str) -> None:
    world = shared_world(fast=fast)
    reply = await ask(world, "POST", "/messages/send", {"phone": PHONE, "message": "hi", field: value})
    document = reply.json()
    assert reply.status == 422, document
    assert [(error["field"], error["code"]) for error in document["errors"]] == [(field, code)]
    assert document["code"] == code
    assert document["errors"][0]["detail"] == document["detail"]
    assert world.sends.drafts == []


async def test_all_wrong_fields_are_reported_at_once() -> None:
    body = {"phone": "1", "message": " ", "instance_id": "x", "priority": "no", "other": 1}
    document = (await ask(shared_world(), "POST", "/messages/send", body)).json()
    assert document["code"] == "validation_failed"
    assert {error["field"] for error in document["errors"]} == set(body)


async def test_missing_fields_are_reported_at_once() -> None:
    document = (await ask(shared_world(), "POST", "/messages/send", {})).json()
    assert [(error["field"], error["code"]) for error in document["errors"]] == [
        ("phone", "missing"),
        ("message", "missing"),
    ]


RIGHT_TEXT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"instance_id": None, "priority": 10, "reply_to": "", "send_at_ms": None, "text": "hi"}),
    ({"instance_id": None}, {"instance_id": None}),
    ({"instance_id": ""}, {"instance_id": None}),
    ({"instance_id": 3}, {"instance_id": 3}),
    ({"instance_id": 3.0}, {"instance_id": 3}),
    ({"priority": "urgent"}, {"priority": 0}),
    ({"priority": "bulk"}, {"priority": 20}),
    ({"priority": None}, {"priority": 10}),
    ({"reply_to": "wamid.known"}, {"reply_to": "wamid.known"}),
    ({"message": "  hi \n"}, {"text": "hi"}),
    ({"message": "a\r\nb\rc"}, {"text": "a\nb\nc"}),
    ({"message": "*bold* \t _it_ 😀 ığüşöç"}, {"text": "*bold* \t _it_ 😀 ığüşöç"}),
    ({"message": "x" * 4_096}, {"text": "x" * 4_096}),
    ({"message": " " + "x" * 4_096 + "\n"}, {"text": "x" * 4_096}),
    ({"send_at": "2001-01-01T00:00:00Z"}, {"send_at_ms": None}),
    ({"send_at": "2026-09-22T14:13:20.5+00:00"}, {"send_at_ms": NOW_MS + 86_400_500}),
    ({"send_at": "2026-09-22t17:13:20+03:00"}, {"send_at_ms": NOW_MS + 86_400_000}),
]


@pytest.mark.parametrize("fast", [True, False], ids=["fast", "framework"])
@pytest.mark.parametrize(("given", "expected"), RIGHT_TEXT)
async def test_a_right_request_becomes_the_draft_it_means(
    fast: bool, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    world = World(fast=fast)
    reply = await ask(world, "POST", "/messages/send", {"phone": PHONE, "message": "hi", **given})
    assert reply.status == 200, reply.json()
    (draft,) = world.sends.drafts
    assert {name: getattr(draft, name) for name in expected} == expected


@pytest.mark.parametrize("fast", [True, False], ids=["fast", "framework"])
async def test_what_the_headers_say_reaches_the_flow(fast: bool) -> None:
    world = World(fast=fast)
    headers = {"Idempotency-Key": "k1", "Prefer": "wait=5, respond-async", "X-Request-Id": "r1"}
    await ask(world, "POST", "/messages/send", b'{"phone":"905551112233","message":"hi"}', headers=headers)
    await ask(world, "POST", "/messages/send", b' { "message": "hi", "phone": "905551112233" } ', headers=headers)
    await ask(world, "POST", "/messages/send", {"phone": PHONE, "message": "other"}, headers=headers)
    first, second, third = world.sends.calls
    assert (first.route, first.idempotency_key, first.respond_async, first.request_id) == (
        "POST /messages/send",
        "k1",
        True,
        "r1",
    )
    assert first.fingerprint == second.fingerprint != third.fingerprint


@pytest.mark.parametrize("fast", [True, False], ids=["fast", "framework"])
async def test_a_replayed_answer_says_so(fast: bool) -> None:
    world = World(fast=fast)
    world.sends.replayed = True
    reply = await ask(world, "POST", "/messages/send", {"phone": PHONE, "message": "hi"})
    assert reply.headers["idempotent-replayed"] == "true"


# path, changes to a good body, field, code
WRONG_OTHERS: list[tuple[str, dict[str, Any], str, str]] = [
    ("/messages/send-media", {"media_url": "ftp://x/y"}, "media_url", "url_invalid"),
    ("/messages/send-media", {"media_url": "https://x/ y"}, "media_url", "url_invalid"),
    ("/messages/send-media", {"media_url": "https://x/" + "y" * 2_048}, "media_url", "too_long"),
    ("/messages/send-media", {"type": "movie"}, "type", "not_allowed"),
    ("/messages/send-media", {"caption": "x" * 1_025}, "caption", "too_long"),
    ("/messages/send-media", {"filename": "a\nb"}, "filename", "control_characters"),
    ("/messages/send-template", {"template": "Order Confirmation"}, "template", "format_invalid"),
    ("/messages/send-template", {"language": "english"}, "language", "format_invalid"),
    ("/messages/send-template", {"parameters": ["a", ""]}, "parameters[1]", "blank"),
    ("/messages/send-template", {"parameters": "a"}, "parameters", "wrong_type"),
    ("/messages/send-template", {"components": ["a"]}, "components[0]", "wrong_type"),
    ("/messages/send-location", {"latitude": 90.1}, "latitude", "out_of_range"),
    ("/messages/send-location", {"longitude": -180.5}, "longitude", "out_of_range"),
    ("/messages/send-location", {"latitude": "41"}, "latitude", "wrong_type"),
    ("/messages/send-location", {"latitude": True}, "latitude", "wrong_type"),
    ("/messages/send-contacts", {"contacts": []}, "contacts", "too_few"),
    ("/messages/send-contacts", {"contacts": [{"name": "A", "phones": []}]}, "contacts[0].phones", "too_few"),
    ("/messages/send-contacts", {"contacts": [{"phones": ["123"]}]}, "contacts[0].name", "missing"),
    ("/messages/send-buttons", {"buttons": [{"id": str(n), "title": "t"} for n in range(4)]}, "buttons", "too_many"),
    ("/messages/send-buttons", {"buttons": [{"id": "1", "title": "t" * 21}]}, "buttons[0].title", "too_long"),
    ("/messages/send-buttons", {"body": "x" * 1_025}, "body", "too_long"),
    ("/messages/send-buttons", {"footer": "x" * 61}, "footer", "too_long"),
    ("/messages/send-list", {"button": "x" * 21}, "button", "too_long"),
    (
        "/messages/send-list",
        {"sections": [{"title": "x" * 25, "rows": [{"id": "1", "title": "t"}]}]},
        "sections[0].title",
        "too_long",
    ),
    (
        "/messages/send-list",
        {"sections": [{"title": "s", "rows": [{"id": "1", "title": "t", "description": "d" * 73}]}]},
        "sections[0].rows[0].description",
        "too_long",
    ),
    (
        "/messages/send-list",
        {"sections": [{"title": "s", "rows": [{"id": str(n), "title": "t"} for n in range(6)]}] * 2},
        "sections",
        "too_many",
    ),
    ("/messages/react", {"message_id": "wamid.unknown"}, "message_id", "message_unknown"),
    ("/messages/react", {"emoji": "ok"}, "emoji", "format_invalid"),
    ("/messages/batch", {"messages": []}, "messages", "too_few"),
    ("/messages/batch", {"messages": [{"phone": PHONE, "message": "x"}] * 101}, "messages", "too_many"),
    (
        "/messages/batch",
        {"messages": [{"phone": PHONE, "message": "x"}, {"phone": "1", "message": "x"}]},
        "messages[1].phone",
        "phone_invalid",
    ),
    (
        "/messages/batch",
        {"messages": [{"phone": PHONE, "message": "x", "reply_to": "no"}]},
        "messages[0].reply_to",
        "message_unknown",
    ),
    (
        "/messages/batch",
        {"messages": [{"phone": PHONE, "message": "x", "send_at": "2030-01-01T00:00:00Z"}]},
        "messages[0].send_at",
        "out_of_range",
    ),
    ("/instances", {"kind": "pigeon"}, "kind", "not_allowed"),
    ("/instances", {"kind": 5}, "kind", "not_allowed"),
    ("/instances", {"pace_per_s": -1}, "pace_per_s", "out_of_range"),
    ("/instances", {"name": " "}, "name", "blank"),
    ("/instances", {"access_token": "x"}, "access_token", "unknown_field"),
    ("/keys", {"scopes": []}, "scopes", "too_few"),
    ("/keys", {"scopes": ["everything"]}, "scopes[0]", "not_allowed"),
    ("/keys", {"mode": "real"}, "mode", "not_allowed"),
    ("/keys", {"expires_at": "soon"}, "expires_at", "time_invalid"),
]


@pytest.mark.parametrize(("path", "changes", "field", "code"), WRONG_OTHERS)
async def test_every_kind_of_send_names_what_is_wrong(
    path: str, changes: dict[str, Any], field: str, code: str
) -> None:
    world = shared_world()
    reply = await ask(world, "POST", path, {**BODIES[path], **changes})
    assert reply.status == 422, reply.json()
    assert [(error["field"], error["code"]) for error in reply.json()["errors"]] == [(field, code)]
    assert world.sends.drafts == []


async def test_a_linked_device_may_name_its_engine() -> None:
    for fields, status in (({}, 201), ({"engine": "sandbox"}, 201), ({"engine": "carrier pigeon"}, 422)):
        assert (await ask(World(), "POST", "/instances", {"kind": "linked", **fields})).status == status, fields


async def test_a_cloud_line_needs_its_credentials() -> None:
    reply = await ask(shared_world(), "POST", "/instances", {"kind": "cloud"})
    fields = {error["field"] for error in reply.json()["errors"]}
    assert fields == {"phone_number_id", "access_token", "app_secret", "verify_token"}


@pytest.mark.parametrize(
    ("path", "kind", "text", "content"),
    [
        ("/messages/send-template", "template", "hello", Template),
        ("/messages/send-location", "location", "1.000000,2.500000", Location),
        ("/messages/send-contacts", "contacts", "Ayşe", Contacts),
        ("/messages/send-buttons", "buttons", "Well?", Buttons),
        ("/messages/send-list", "list", "Well?", ListMenu),
        ("/messages/react", "reaction", "👍", Reaction),
    ],
)
async def test_each_kind_of_send_becomes_its_content(path: str, kind: str, text: str, content: type) -> None:
    world = World()
    reply = await ask(world, "POST", path, BODIES[path])
    assert reply.status == 200, reply.json()
    (draft,) = world.sends.drafts
    assert (draft.type, draft.text, type(draft.content)) == (kind, text, content)


async def test_template_parameters_become_the_body_component() -> None:
    world = World()
    await ask(
        world, "POST", "/messages/send-template", {**BODIES["/messages/send-template"], "parameters": ["Ayşe", "12"]}
    )
    (draft,) = world.sends.drafts
    texts = [{"type": "text", "text": "Ayşe"}, {"type": "text", "text": "12"}]
    assert draft.content.components == [{"type": "body", "parameters": texts}]


async def test_a_line_is_made_and_changed_with_exactly_what_was_given() -> None:
    world = World()
    await ask(world, "POST", "/instances", {"kind": "sandbox", "name": "Desk", "pace_per_s": 2.5})
    await ask(world, "PATCH", "/instances/1", {"pace_per_s": None})
    await ask(world, "PATCH", "/instances/1", {"name": "Door"})
    assert world.lines.taken == [
        LineDraft(kind="sandbox", name="Desk", pace_milli=2_500),
        LineChange(pace_milli=None),
        LineChange(name="Door"),
    ]


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("limit=0", "limit", "out_of_range"),
        ("limit=201", "limit", "out_of_range"),
        ("limit=ten", "limit", "wrong_type"),
        ("limit=5&limit=6", "limit", "repeated"),
        ("status=null", "status", "wrong_type"),
        ("limit=", "limit", "wrong_type"),
        ("status=lost", "status", "not_allowed"),
        ("direction=up", "direction", "not_allowed"),
        ("phone=12", "phone", "format_invalid"),
        ("since=yesterday", "since", "time_invalid"),
        ("cursor=%00", "cursor", "format_invalid"),
        ("cursor=AAAA", "cursor", "cursor_invalid"),
    ],
)
async def test_wrong_parameters_of_a_list_are_422(query: str, field: str, code: str) -> None:
    reply = await ask(shared_world(), "GET", f"/messages?{query}")
    assert reply.status == 422, reply.json()
    assert [(error["field"], error["code"]) for error in reply.json()["errors"]] == [(field, code)]


async def test_an_identifier_may_hold_a_slash() -> None:
    reply = await ask(shared_world(), "GET", "/messages/wamid.with%2Fslash")
    assert reply.json()["message_id"] == "wamid.with/slash"
