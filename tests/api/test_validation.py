"""What is wrong with a request is told field by field, all at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from tablegram.messaging.model import Buttons, Contacts, ListMenu, Location, Reaction, Stored, Template
from tablegram.values.clock import HOUR_MS
from tests.api.asking import Reply
from tests.api.bodies import BODIES
from tests.api.edge import KNOWN, WITH_SLASH, Edge
from tests.cases import cases

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
    ("send_at", "2099-10-01T10:00:00", "time_invalid"),
    ("send_at", "2026-13-01T10:00:00Z", "time_invalid"),
    ("send_at", 1790000000, "wrong_type"),
    ("send_at", "2099-10-01T10:00:00Z", "out_of_range"),
    ("priority", "high", "not_allowed"),
    ("priority", 1, "wrong_type"),
    ("reply_to", "wamid.unknown", "message_unknown"),
    ("reply_to", "", "blank"),
    ("reply_to", "a b", "message_unknown"),
    ("reply_to", "a\x00b", "control_characters"),
    ("extra", 1, "unknown_field"),
]


async def test_a_wrong_field_is_named_with_its_code(edge: Edge) -> None:
    before = await edge.done()
    with cases() as every:
        for fast in (True, False):
            for field, value, code in WRONG_TEXT:
                with every.case(f"{field} {value!r:.40}, {fast=}"):
                    body = {"phone": PHONE, "message": "hi", field: value}
                    reply = await edge.ask("POST", "/messages/send", body, fast=fast)
                    document = reply.json()
                    assert reply.status == 422, document
                    assert [(error["field"], error["code"]) for error in document["errors"]] == [(field, code)]
                    assert document["code"] == code
                    assert document["errors"][0]["detail"] == document["detail"]
    assert await edge.done() == before


async def test_wrong_and_missing_fields_are_reported_at_once(edge: Edge) -> None:
    body = {"phone": "1", "message": " ", "instance_id": "x", "priority": "no", "other": 1}
    document = (await edge.ask("POST", "/messages/send", body)).json()
    assert document["code"] == "validation_failed"
    assert {error["field"] for error in document["errors"]} == set(body)
    document = (await edge.ask("POST", "/messages/send", {})).json()
    assert [(error["field"], error["code"]) for error in document["errors"]] == [
        ("phone", "missing"),
        ("message", "missing"),
    ]


# Whole seconds, so that one can be written in several ways.
TOMORROW = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
TOMORROW_MS = round(TOMORROW.timestamp() * 1_000)
IN_ISTANBUL = TOMORROW.astimezone(timezone(timedelta(hours=3))).isoformat().replace("T", "t")

# What is given, and what of it is in the message; where nothing is said, it begins when it comes.
RIGHT_TEXT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"instance_id": 1, "priority": 10, "reply_to": "", "starts_at": None, "text": "hi"}),
    ({"instance_id": None}, {"instance_id": 1}),
    ({"instance_id": ""}, {"instance_id": 1}),
    ({"instance_id": 2}, {"instance_id": 2}),
    ({"instance_id": 2.0}, {"instance_id": 2}),
    ({"priority": "urgent"}, {"priority": 0}),
    ({"priority": "bulk"}, {"priority": 20}),
    ({"priority": None}, {"priority": 10}),
    ({"reply_to": KNOWN}, {"reply_to": KNOWN}),
    ({"message": "  hi \n"}, {"text": "hi"}),
    ({"message": "a\r\nb\rc"}, {"text": "a\nb\nc"}),
    ({"message": "*bold* \t _it_ 😀 ığüşöç"}, {"text": "*bold* \t _it_ 😀 ığüşöç"}),
    ({"message": "x" * 4_096}, {"text": "x" * 4_096}),
    ({"message": " " + "x" * 4_096 + "\n"}, {"text": "x" * 4_096}),
    ({"send_at": "2001-01-01T00:00:00Z"}, {"starts_at": None}),
    ({"send_at": f"{TOMORROW:%Y-%m-%dT%H:%M:%S}.5+00:00"}, {"starts_at": TOMORROW_MS + 500}),
    ({"send_at": IN_ISTANBUL}, {"starts_at": TOMORROW_MS}),
]


async def stored(edge: Edge, reply: Reply) -> dict[str, Any]:
    """The message that was made of a request."""
    row = await edge.stored(reply)
    starts_at = row["expires_at"] - int(edge.api.settings.queue_max_age_h * HOUR_MS)
    kept = msgspec.json.decode(row["content"], type=Stored)
    told = {"content": kept.content, "reply_to": kept.reply_to}
    return {**row, **told, "starts_at": None if starts_at == row["created_at"] else starts_at}


async def test_a_right_request_becomes_the_message_it_means(edge: Edge) -> None:
    with cases() as every:
        for fast in (True, False):
            for given, expected in RIGHT_TEXT:
                with every.case(f"{given!r:.60}, {fast=}"):
                    reply = await edge.ask(
                        "POST", "/messages/send", {"phone": PHONE, "message": "hi", **given}, fast=fast
                    )
                    made = await stored(edge, reply)
                    assert {name: made[name] for name in expected} == expected


@pytest.mark.parametrize("fast", [True, False], ids=["fast", "framework"])
async def test_what_the_headers_say_reaches_the_flow(edge: Edge, fast: bool) -> None:
    async def send(body: bytes, request_id: str) -> Reply:
        headers = {"Idempotency-Key": f"k-{fast}", "Prefer": "wait=5, respond-async", "X-Request-Id": request_id}
        return await edge.ask("POST", "/messages/send", body, headers=headers, fast=fast)

    before, _ = await edge.done()
    first = await send(b'{"phone":"905551112233","message":"hi"}', "r1")
    assert (first.status, first.json()["status_code"]) == (200, "queued")
    assert (await edge.stored(first))["trace"] == "r1"
    assert "idempotent-replayed" not in first.headers
    # The same in other bytes.
    second = await send(b' { "message": "hi", "phone": "905551112233" } ', "r2")
    assert (second.status, second.body, second.headers["idempotent-replayed"]) == (200, first.body, "true")
    other = await send(b'{"phone":"905551112233","message":"other"}', "r3")
    assert (other.status, other.json()["code"]) == (422, "idempotency_key_reused")
    assert (await edge.done())[0] == before + 1


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


async def test_every_kind_of_send_names_what_is_wrong(edge: Edge) -> None:
    before = await edge.done()
    with cases() as every:
        for path, changes, field, code in WRONG_OTHERS:
            with every.case(f"{path} {changes!r:.60}"):
                reply = await edge.ask("POST", path, {**BODIES[path], **changes})
                assert reply.status == 422, reply.json()
                assert [(error["field"], error["code"]) for error in reply.json()["errors"]] == [(field, code)]
    assert await edge.done() == before


KINDS: list[tuple[str, str, str, type]] = [
    ("/messages/send-template", "template", "hello", Template),
    ("/messages/send-location", "location", "1.000000,2.500000", Location),
    ("/messages/send-contacts", "contacts", "Ayşe", Contacts),
    ("/messages/send-buttons", "buttons", "Well?", Buttons),
    ("/messages/send-list", "list", "Well?", ListMenu),
    ("/messages/react", "reaction", "👍", Reaction),
]


async def test_each_kind_of_send_becomes_its_content(edge: Edge) -> None:
    with cases() as every:
        for path, kind, text, content in KINDS:
            with every.case(path):
                made = await stored(edge, await edge.ask("POST", path, BODIES[path]))
                assert (made["type"], made["text"], type(made["content"])) == (kind, text, content)


async def test_template_parameters_become_the_body_component(edge: Edge) -> None:
    body = {**BODIES["/messages/send-template"], "parameters": ["Ayşe", "12"]}
    made = await stored(edge, await edge.ask("POST", "/messages/send-template", body))
    texts = [{"type": "text", "text": "Ayşe"}, {"type": "text", "text": "12"}]
    assert made["content"].components == [{"type": "body", "parameters": texts}]


async def test_a_line_is_made_and_changed_with_exactly_what_was_given(edge: Edge) -> None:
    def shown(reply: Reply) -> tuple[str, str, float | None]:
        return tuple(reply.json()[name] for name in ("kind", "name", "pace_per_s"))

    made = await edge.ask("POST", "/instances", {"kind": "sandbox", "name": "Desk", "pace_per_s": 2.5})
    assert (made.status, shown(made)) == (201, ("sandbox", "Desk", 2.5))
    line = f"/instances/{made.json()['id']}"
    assert shown(await edge.ask("PATCH", line, {"pace_per_s": None})) == ("sandbox", "Desk", None)
    assert shown(await edge.ask("PATCH", line, {"pace_per_s": 2.5})) == ("sandbox", "Desk", 2.5)
    assert shown(await edge.ask("PATCH", line, {"name": "Door"})) == ("sandbox", "Door", 2.5)
    assert shown(await edge.ask("GET", line)) == ("sandbox", "Door", 2.5)


async def test_a_linked_device_may_name_its_engine(edge: Edge) -> None:
    for fields, status in (({}, 201), ({"engine": "sandbox"}, 201), ({"engine": "carrier pigeon"}, 422)):
        reply = await edge.ask("POST", "/instances", {"kind": "linked", **fields})
        assert reply.status == status, fields
        if status == 201:
            assert (await edge.ask("DELETE", f"/instances/{reply.json()['id']}")).status == 204


async def test_a_cloud_line_needs_its_credentials(edge: Edge) -> None:
    reply = await edge.ask("POST", "/instances", {"kind": "cloud"})
    fields = {error["field"] for error in reply.json()["errors"]}
    assert fields == {"phone_number_id", "access_token", "app_secret", "verify_token"}


# query, field, code
WRONG_QUERIES = [
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
]


async def test_wrong_parameters_of_a_list_are_422(edge: Edge) -> None:
    with cases() as every:
        for query, field, code in WRONG_QUERIES:
            with every.case(query):
                reply = await edge.ask("GET", f"/messages?{query}")
                assert reply.status == 422, reply.json()
                assert [(error["field"], error["code"]) for error in reply.json()["errors"]] == [(field, code)]


async def test_an_identifier_may_hold_a_slash(edge: Edge) -> None:
    reply = await edge.ask("GET", f"/messages/{quote(WITH_SLASH, safe='')}")
    assert (reply.status, reply.json()["message_id"]) == (200, WITH_SLASH)


# Where, the parameter, its code, and what it may be.
WRONG_PARAMETERS = [
    ("/orders?status=flying", "status", "not_allowed", "one of: awaiting_"),
    ("/orders?order_type=drone", "order_type", "not_allowed", "one of: "),
    ("/orders?sort=x", "sort", "not_allowed", "one of: "),
    ("/orders?open=maybe", "open", "wrong_type", "true or false."),
    ("/webhooks/none/deliveries?state=flying", "state", "not_allowed", "one of: pending, delivered, dead."),
    ("/messages?limit=abc", "limit", "wrong_type", "a whole number from 1 to 200."),
    ("/messages?limit=1.5", "limit", "wrong_type", "a whole number from 1 to 200."),
    ("/messages?limit=0", "limit", "out_of_range", "a whole number from 1 to 200."),
    ("/messages?limit=201", "limit", "out_of_range", "a whole number from 1 to 200."),
    ("POST /orders/X/fly", "action", "not_allowed", "one of: "),
]


async def test_a_wrong_parameter_says_what_it_may_be(edge: Edge) -> None:
    with cases() as every:
        for asked, field, code, wanted in WRONG_PARAMETERS:
            with every.case(asked):
                method, _, path = asked.rpartition(" ")
                document = (await edge.ask(method or "GET", path, {} if method else None)).json()
                assert [(error["field"], error["code"]) for error in document["errors"]] == [(field, code)], document
                assert document["detail"].startswith(f"{field} must be {wanted}"), document


async def test_a_parameter_or_field_that_does_not_exist_is_named_with_those_that_do(edge: Edge) -> None:
    with cases() as every:
        for path, field, known in (
            ("/messages?foo=1", "foo", "cursor"),
            ("/orders?state=ready", "state", "status"),
            ("/contacts?search=grace", "search", "q"),
            ("/contacts?limit=1&q=a&%C5%9F=1", "ş", "limit"),
        ):
            with every.case(path):
                reply = await edge.ask("GET", path)
                document = reply.json()
                assert (reply.status, document["code"]) == (422, "unknown_field"), document
                assert [error["field"] for error in document["errors"]] == [field]
                assert document["detail"].startswith(f"There is no parameter {field}. The parameters are: ")
                assert known in document["detail"].rpartition(": ")[2].rstrip(".").split(", ")
    assert (await edge.ask("GET", "/me?x=1")).json()["detail"] == "There is no parameter x. This address takes none."
    # Lists that are answered whole are asked like any other.
    assert (await edge.ask("GET", "/stores/sources?limit=200")).status == 200
    # Who shows no key is refused for that, and pages that anybody opens take whatever stands behind their address.
    assert (await edge.ask("GET", "/messages?foo=1", key=None)).status == 401
    assert (await edge.ask("GET", "/openapi.json?utm_source=x", key=None)).status == 200
    document = (await edge.ask("POST", "/messages/send", {"phone": PHONE, "message": "hi", "body": "x"})).json()
    assert document["detail"].startswith("There is no field body. The fields are: ")
