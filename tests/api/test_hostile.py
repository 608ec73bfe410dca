"""Bad input on every send: a problem document that names field and code, and nothing stored, sent or charged."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import func, select

from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import charges, idempotency, messages, metadata
from tests.api.files import file_server
from tests.contract.wire import Answer, ask
from tests.databases import Databases
from tests.product import Product, running_product, wait_until

PHONE = "905551112233"
MAX_BODY = 100_000


@dataclass
class Place:
    product: Product
    database_url: str
    # A line of another account.
    foreign_line: int
    bodies: dict[str, dict[str, Any]]
    document: Any

    def send(self, path: str, body: Any, *, method: str = "POST", **headers: str) -> Answer:
        # With a key of its own, so that a refused call also leaves no key behind.
        named = {"Idempotency-Key": "hostile", **{name.replace("_", "-"): value for name, value in headers.items()}}
        return ask(self.product.api + path, method=method, body=body, key=self.product.key, headers=named)

    def seen(self) -> dict[str, Any]:
        """What a send would have changed, as the caller and the network see it."""
        counted = self.product.sandbox_call("GET", "/counters")
        me = ask(f"{self.product.api}/me", method="GET", key=self.product.key).json
        listed = ask(f"{self.product.api}/messages?limit=200", method="GET", key=self.product.key).json
        return {"network": counted["accepted"], "quota": me["quota"], "messages": listed}

    def stored(self) -> list[int]:
        """How many messages, charges and remembered keys the store holds."""
        return asyncio.run(_count(self.database_url))


async def _count(url: str) -> list[int]:
    db = open_database(Settings(database_url=url))
    await db.open()
    try:
        tables = (messages, charges, idempotency)
        counts = [across_accounts(select(func.count().label("n")).select_from(t), "a test counts all") for t in tables]
        return [int((await db.all(count))[0]["n"]) for count in counts]
    finally:
        await db.close()


@pytest.fixture(scope="module")
def place(databases: Databases) -> Iterator[Place]:
    url = databases.migrated()
    settings = {
        "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8",
        "TABLEGRAM_BILLING": "prepaid",
        "TABLEGRAM_BODY_IDLE_S": "1",
        "TABLEGRAM_MAX_BODY_BYTES": str(MAX_BODY),
    }
    with file_server() as files, running_product(url, sandbox_alone=True, settings=settings) as product:
        product.cli("account", "create", "Other")
        other = product.cli("key", "create", "--account", "Other")["key"]
        foreign = ask(f"{product.api}/instances", body={"kind": "sandbox"}, key=other).json["id"]
        first = ask(f"{product.api}/messages/send", body={"phone": PHONE, "message": "first"}, key=product.key)
        # Its state moves on by itself; from here on only a send can change anything.
        place = f"{product.api}/messages/{first.json['message_id']}"
        wait_until(lambda: ask(place, method="GET", key=product.key).json["status"] == "delivered", "the first message")
        document = ask(f"{product.api}/openapi.json", method="GET").json
        yield Place(product, url, foreign, good_bodies(files, first.json["message_id"]), document)
    databases.drop(url)


def good_bodies(files: str, message_id: str) -> dict[str, dict[str, Any]]:
    bodies: dict[str, dict[str, Any]] = {
        "send": {"message": "hi"},
        "send-media": {"media_url": f"{files}/menu.pdf"},
        "send-template": {"template": "hello_world", "language": "en_US"},
        "send-location": {"latitude": 41.0, "longitude": 29.0},
        "send-contacts": {"contacts": [{"name": "Ayşe", "phones": ["+90 555 111 22 33"]}]},
        "send-buttons": {"body": "Well?", "buttons": [{"id": "y", "title": "Yes"}]},
        "send-list": {
            "body": "Well?",
            "button": "Open",
            "sections": [{"title": "A", "rows": [{"id": "1", "title": "One"}]}],
        },
        "react": {"message_id": message_id, "emoji": "👍"},
    }
    found = {f"/messages/{name}": {"phone": PHONE, **body} for name, body in bodies.items()}
    return {**found, "/messages/batch": {"messages": [{"phone": PHONE, "message": "hi"}]}}


SENDS = sorted(good_bodies("", ""))
SINGLE = [path for path in SENDS if path != "/messages/batch"]
# An empty emoji takes a reaction back.
MAY_BE_EMPTY = {"emoji"}

PHONES = ["", " ", "+905551112233", "90 555", "0555", "x" * 50, "9" * 16, "999999999", "905551112233\n"]


def wrong_bodies(place: Place, path: str) -> Iterator[tuple[str, Any]]:
    """Each required field of a send, wrong in every way that its type allows; and the field's name."""
    good = place.bodies[path]
    schema = _schema(place, path)
    value: Any
    for field in schema["required"]:
        yield field, {name: value for name, value in good.items() if name != field}
        for value in (None, {"a": 1}, True, 7 if schema["properties"][field].get("type") == "string" else "7"):
            yield field, {**good, field: value}
        kind = schema["properties"][field].get("type")
        if kind == "string" and field not in MAY_BE_EMPTY:
            yield field, {**good, field: ""}
        if kind == "string":
            for value in (" \t\n", "a\x00b", "a\x1bb", "x" * 5_000):
                yield field, {**good, field: value}
        if kind == "array":
            for value in ([], [None], ["x"], [{}], good[field] * 101):
                yield field, {**good, field: value}
        if kind == "number":
            for value in (1_000, -1_000, "41.0", [41]):
                yield field, {**good, field: value}
    for phone in PHONES if "phone" in good else []:
        yield "phone", {**good, "phone": phone}
    lines: list[Any] = [0, -1, 1.5, "1", [], True, 987_654, place.foreign_line]
    for line in lines if path != "/messages/batch" else []:
        yield "instance_id", {**good, "instance_id": line}
    yield "no_such_field", {**good, "no_such_field": 1}


def _schema(place: Place, path: str) -> Any:
    body = place.document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return place.document["components"]["schemas"][body["$ref"].rpartition("/")[2]]


def check_problem(answer: Answer, status: int, code: str | None = None) -> Any:
    assert answer.status == status, answer.raw
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json
    assert {"type", "title", "status", "detail", "instance", "code", "request_id"} <= set(document)
    assert code is None or document["code"] == code, document
    return document


# Bounds of numbers and strange signs: what one database takes, and another does not.
@pytest.mark.later
@pytest.mark.parametrize("path", SENDS)
def test_a_wrong_field_is_named_and_nothing_happens(place: Place, path: str) -> None:
    before, stored = place.seen(), place.stored()
    tried = 0
    for field, body in wrong_bodies(place, path):
        document = check_problem(place.send(path, body), 422)
        named = [error["field"] for error in document["errors"]]
        assert any(name == field or name.startswith((f"{field}[", f"{field}.")) for name in named), (body, document)
        assert all(error["code"] and error["detail"] for error in document["errors"])
        tried += 1
    assert tried > 10
    assert place.seen() == before
    assert place.stored() == stored


@pytest.mark.parametrize("path", SENDS)
def test_a_bad_request_around_a_good_body_does_nothing(place: Place, path: str) -> None:
    good = place.bodies[path]
    raw = json.dumps(good).encode()
    before, stored = place.seen(), place.stored()
    for body in (b"{", raw[:-1], b"\xff\xfe" + raw, b"[" * 50_000, b'{"phone": "\\ud800"}', raw + b"x"):
        check_problem(place.send(path, body), 422, "json_malformed")
    for body in (b"[]", b"null", b'"text"', b"7"):
        check_problem(place.send(path, body), 422, "wrong_type")
    check_problem(place.send(path, b""), 422, "missing")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/xml", ""):
        check_problem(place.send(path, raw, Content_Type=kind), 415, "content_type_unsupported")
    check_problem(place.send(path, raw + b" " * MAX_BODY), 413, "body_too_large")
    for method in ("PUT", "PATCH", "DELETE"):
        check_problem(place.send(path, raw, method=method), 405, "method_not_allowed")
    for wrong_path in (path + "/x", "/x" + path, path.upper(), path + "/"):
        check_problem(place.send(wrong_path, raw), 404)
    for key in ("with space", "x" * 256, "é"):
        check_problem(place.send(path, raw, Idempotency_Key=key), 422, "idempotency_key_invalid")
    check_problem(place.send(path, raw, X_Padding="x" * 40_000), 431, "header_too_large")
    assert place.seen() == before
    assert place.stored() == stored


def test_a_client_that_stops_in_the_middle_of_the_body_is_let_go(place: Place) -> None:
    """One at each address, all at the same time: each is waited for as long as the product waits."""
    before, stored = place.seen(), place.stored()
    parts = urlsplit(place.product.api)
    with ExitStack() as all_of_them:
        connections = {
            path: all_of_them.enter_context(socket.create_connection(("127.0.0.1", parts.port or 0), timeout=60))
            for path in SENDS
        }
        for path, connection in connections.items():
            raw = json.dumps(place.bodies[path]).encode()
            head = (
                f"POST {parts.path}{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {place.product.key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(raw)}\r\n\r\n"
            )
            connection.sendall(head.encode() + raw[:-1])
        for path, connection in connections.items():
            heard = b""
            while chunk := connection.recv(65_536):
                heard += chunk
            assert heard.startswith(b"HTTP/1.1 408 "), path
            assert b'"body_timeout"' in heard, path
    assert place.seen() == before
    assert place.stored() == stored


@pytest.mark.parametrize("kind", ["text", "media", "template", "location", "contacts", "buttons", "list"])
def test_one_bad_entry_of_any_kind_refuses_the_whole_batch(place: Place, kind: str) -> None:
    before, stored = place.seen(), place.stored()
    path = "/messages/send" if kind == "text" else f"/messages/send-{kind}"
    right = {"kind": kind, **place.bodies[path]}
    for field in _schema(place, path)["required"]:
        wrong = {name: value for name, value in right.items() if name != field}
        document = check_problem(place.send("/messages/batch", {"messages": [right, wrong]}), 422, "missing")
        assert [error["field"] for error in document["errors"]] == [f"messages[1].{field}"]
    document = check_problem(place.send("/messages/batch", {"messages": [right, {**right, "kind": "song"}]}), 422)
    assert [error["field"] for error in document["errors"]] == ["messages[1].kind"]
    assert place.seen() == before
    assert place.stored() == stored


@pytest.mark.later
def test_a_good_body_is_taken_after_all_that(place: Place) -> None:
    """The key that every refused call carried is still free, and the bodies were good but for what was wrong."""
    for path in SENDS:
        answer = place.send(path, place.bodies[path], Idempotency_Key=f"good {path}".replace(" ", "-"))
        assert answer.status == 200, answer.raw
    assert place.send("/messages/send", place.bodies["/messages/send"]).status == 200


async def _everything_stored(url: str) -> str:
    """Every row of every table, as text."""
    db = open_database(Settings(database_url=url))
    await db.open()
    try:
        rows = [
            await db.all(across_accounts(select(table), "a test searches everything"))
            for table in metadata.sorted_tables
        ]
        return repr([[dict(row) for row in found] for found in rows])
    finally:
        await db.close()


@pytest.mark.later
def test_secrets_come_out_nowhere(place: Place) -> None:
    product, said = place.product, []
    canary = {name: f"canary{name.replace('_', '')}7f3a9" for name in ("access_token", "app_secret", "verify_token")}

    def tell(method: str, path: str, body: Any = None, key: str = product.key, **headers: str) -> Answer:
        answer = ask(product.api + path, method=method, body=body, key=key, headers=headers)
        said.append(answer.raw.decode() + repr(answer.headers))
        return answer

    line = tell(
        "POST", "/instances", {"kind": "cloud", "phone_number_id": "5", **canary}, **{"Idempotency-Key": "line"}
    )
    assert line.status == 201
    place_of = f"/instances/{line.json['id']}"
    made = ask(f"{product.api}/keys", body={"scopes": ["*"]}, key=product.key, headers={"Idempotency-Key": "key"})
    key = made.json["key"]
    secrets = [*canary.values(), key, product.key]
    for method, path, body in [
        ("GET", place_of, None),
        ("PATCH", place_of, {"access_token": canary["access_token"]}),
        ("PATCH", place_of, {"access_token": [canary["access_token"]]}),
        ("POST", f"{place_of}/restart", None),
        ("GET", "/instances", None),
        ("GET", "/keys", None),
        ("GET", "/me", None),
        ("POST", "/messages/send", {"phone": PHONE, "message": "x", "instance_id": line.json["id"]}),
        ("POST", "/instances", {"kind": "cloud", **canary}),
    ]:
        tell(method, path, body, key=key)
    # Who pastes a key where it does not belong is told so, and the log does not keep it.
    ask(f"{product.api}/messages/{key}", method="GET", key=key)
    ask(f"{product.api}/{key}?key={key}", method="GET", key=key)
    said.append(ask(f"{product.url}/metrics", method="GET").raw.decode())
    said.append(repr(product.call("GET", "/requests?limit=200")[1]))
    said.append(product.server.said())
    said.append(asyncio.run(_everything_stored(place.database_url)))
    for secret in secrets:
        for text in said:
            assert secret not in text, text[max(0, text.find(secret) - 300) :][:400]


@pytest.mark.later
def test_a_key_made_twice_under_one_idempotency_key_is_one_key(place: Place) -> None:
    """The answer holds a secret; it is kept sealed and told again."""
    body, header = {"scopes": ["messages:read"], "name": "once"}, {"Idempotency-Key": "one-key"}
    first, again = [
        ask(f"{place.product.api}/keys", body=body, key=place.product.key, headers=header) for _ in range(2)
    ]
    assert (first.status, again.status) == (201, 201)
    assert first.raw == again.raw
    assert again.headers["idempotent-replayed"] == "true"
    named = [key for key in place.product.call("GET", "/keys?limit=200")[1]["data"] if key["name"] == "once"]
    assert len(named) == 1
    other = ask(f"{place.product.api}/keys", body={**body, "name": "two"}, key=place.product.key, headers=header)
    check_problem(other, 422, "idempotency_key_reused")
