"""Batches: messages of any kind in one call, all of them or none that is malformed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tablegram.messaging.model import BULK, NORMAL, URGENT
from tests.api.edge import Edge
from tests.api.files import file_server
from tests.contract.wire import Answer, ask
from tests.databases import Databases
from tests.product import Product, running_product, wait_until

KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "text": ({"message": "hi"}, "text"),
    "media": ({"media_url": "{files}/menu.pdf", "caption": "Tonight"}, "document"),
    "template": ({"template": "hello_world", "language": "en_US"}, "template"),
    "location": ({"latitude": 41.0, "longitude": 29.0}, "location"),
    "contacts": ({"contacts": [{"name": "Ayşe", "phones": ["+90 555 111 22 33"]}]}, "contacts"),
    "buttons": ({"body": "Well?", "buttons": [{"id": "y", "title": "Yes"}]}, "buttons"),
    "list": (
        {"body": "Well?", "button": "Open", "sections": [{"title": "A", "rows": [{"id": "1", "title": "One"}]}]},
        "list",
    ),
}


@pytest.fixture(scope="module")
def files() -> Iterator[str]:
    with file_server() as url:
        yield url


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    settings = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8", "TABLEGRAM_BILLING": "prepaid"}
    with running_product(url, settings=settings) as running:
        yield running
    databases.drop(url)


def batch(product: Product, *messages: Any) -> Answer:
    return ask(f"{product.api}/messages/batch", body={"messages": list(messages)}, key=product.key)


def entry(kind: str, phone: str, files: str) -> dict[str, Any]:
    fields = {
        name: value.format(files=files) if name == "media_url" else value for name, value in KINDS[kind][0].items()
    }
    return {"kind": kind, "phone": phone, **fields}


def statuses(product: Product) -> list[str]:
    return [one["status"] for one in product.call("GET", "/messages?limit=200")[1]["data"]]


def test_every_kind_goes_out_in_one_call(product: Product, files: str) -> None:
    phones = {kind: str(905_552_000_000 + number) for number, kind in enumerate(KINDS)}
    answer = batch(product, *[entry(kind, phone, files) for kind, phone in phones.items()])
    assert answer.status == 200, answer.raw
    entries = answer.json["data"]
    assert [one["index"] for one in entries] == list(range(len(KINDS)))
    assert {(one["status"], one["status_code"]) for one in entries} == {("success", "queued")}
    for kind, phone in phones.items():
        wait_until(lambda phone=phone: product.on_phone(phone), f"the {kind} on its phone")
    for one, kind in zip(entries, KINDS, strict=True):
        found = product.call("GET", f"/messages/{one['message_id']}")[1]
        assert (found["type"], found["phone"]) == (KINDS[kind][1], phones[kind])


async def test_a_batch_waits_behind_single_sends_unless_an_entry_says_otherwise(edge: Edge) -> None:
    entries = [{"message": "a"}, {"message": "b", "priority": "normal"}, {"message": "c", "priority": "urgent"}]
    body = {"messages": [{"phone": "905551112233", **one} for one in entries]}
    made = (await edge.ask("POST", "/messages/batch", body)).json()["data"]
    assert [(await edge.message(one["message_id"]))["priority"] for one in made] == [BULK, NORMAL, URGENT]


def test_an_entry_without_a_kind_is_a_text(product: Product) -> None:
    assert batch(product, {"phone": "905553000001", "message": "plain"}).status == 200
    wait_until(lambda: product.on_phone("905553000001"), "the text")
    assert product.on_phone("905553000001")[0]["text"] == "plain"


@pytest.mark.parametrize(
    ("wrong", "field", "code"),
    [
        ({"kind": "song", "phone": "905553000002"}, "messages[1].kind", "not_allowed"),
        ({"kind": None, "phone": "905553000002", "message": "x"}, "messages[1].kind", "not_allowed"),
        ({"kind": ["text"], "phone": "905553000002", "message": "x"}, "messages[1].kind", "not_allowed"),
        ({"kind": "location", "phone": "905553000002", "latitude": 91, "longitude": 0}, "messages[1].latitude", "out_of_range"),
        ({"kind": "text", "phone": "905553000002", "latitude": 1, "message": "x"}, "messages[1].latitude", "unknown_field"),
        ({"phone": "905553000002", "message": "x", "reply_to": "wamid.none"}, "messages[1].reply_to", "message_unknown"),
        ({"phone": "905553000002", "message": "x", "send_at": "2099-01-01T00:00:00Z"}, "messages[1].send_at", "out_of_range"),
        ({"kind": "media", "phone": "905553000002", "media_url": "{files}/none"}, "messages[1].media_url", "media_unreachable"),
        ({"kind": "media", "phone": "905553000002", "media_url": "http://10.0.0.1/a"}, "messages[1].media_url", "media_url_forbidden"),
        (
            {"kind": "buttons", "phone": "905553000002", "body": "?", "buttons": [{"id": "a", "title": "A"}] * 2},
            "messages[1].buttons",
            "repeated",
        ),
    ],
)  # fmt: skip
def test_one_wrong_entry_refuses_all(product: Product, files: str, wrong: Any, field: str, code: str) -> None:
    if "media_url" in wrong:
        wrong = {**wrong, "media_url": wrong["media_url"].format(files=files)}
    before = statuses(product)
    answer = batch(product, {"phone": "905553000002", "message": "good"}, wrong)
    assert answer.status == 422, answer.raw
    assert [(error["field"], error["code"]) for error in answer.json["errors"]] == [(field, code)]
    assert len(statuses(product)) == len(before)
    assert product.on_phone("905553000002") == []


def test_wrong_entries_are_all_named(product: Product, files: str) -> None:
    gone = {"kind": "media", "phone": "905553000003", "media_url": f"{files}/none"}
    answer = batch(product, gone, {"phone": "905553000003", "message": "x", "reply_to": "wamid.none"}, gone)
    named = [error["field"] for error in answer.json["errors"]]
    assert named == ["messages[0].media_url", "messages[1].reply_to", "messages[2].media_url"]


def test_an_unknown_line_is_an_error_of_its_own_entry(product: Product) -> None:
    good = {"phone": "905553000004", "message": "good"}
    answer = batch(product, good, {**good, "instance_id": 987_654})
    assert answer.status == 200, answer.raw
    first, second = answer.json["data"]
    assert (first["status"], second["status"], second["code"]) == ("success", "error", "instance_unknown")
    wait_until(lambda: product.on_phone("905553000004"), "the good one")


def test_what_the_balance_does_not_cover_is_an_error_of_its_own_entry(product: Product) -> None:
    account = product.call("GET", "/me")[1]["account"]["name"]
    used = product.call("GET", "/me")[1]["quota"]["free_used"]
    product.cli("plan", "set", "narrow", "--free-messages", str(used + 1))
    product.cli("plan", "assign", "narrow", "--account", account)
    answer = batch(product, *[{"phone": "905553000005", "message": f"number {number}"} for number in range(3)])
    assert answer.status == 200, answer.raw
    assert [one["status"] for one in answer.json["data"]] == ["success", "error", "error"]
    assert {one["code"] for one in answer.json["data"][1:]} == {"quota_exhausted"}
    wait_until(lambda: product.on_phone("905553000005"), "the one that was paid")
    assert len(product.on_phone("905553000005")) == 1
