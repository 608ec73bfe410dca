"""How the specification's sends are asked for, and what every answer to them holds."""

from __future__ import annotations

from typing import Any

from tests.contract.wire import Answer, ask
from tests.product import Product, wait_until

FOUR = ["status", "message_id", "status_code", "cost_usd"]


def send(product: Product, body: Any, path: str = "/messages/send", **headers: str) -> Answer:
    return ask(product.api + path, body=body, key=product.key, headers=headers)


def accepted(answer: Answer) -> dict[str, Any]:
    """The answer's fields, once they are what section 2.2 says."""
    assert answer.status == 200, answer.raw
    assert answer.headers["content-type"] == "application/json"
    assert [name for name, _ in answer.pairs] == FOUR
    fields: dict[str, Any] = answer.json
    assert fields["status"] == "success"
    assert isinstance(fields["message_id"], str)
    assert isinstance(fields["status_code"], str)
    assert isinstance(fields["cost_usd"], int | float)
    assert not isinstance(fields["cost_usd"], bool)
    assert fields["cost_usd"] >= 0
    return fields


def on_phone(product: Product, phone: str) -> dict[str, Any]:
    wait_until(lambda: product.on_phone(phone), "a message on the phone")
    (message,) = product.on_phone(phone)
    return message


def wrong_fields(answer: Answer) -> set[str]:
    assert answer.status == 422, answer.raw
    assert answer.headers["content-type"] == "application/problem+json"
    return {error["field"] for error in answer.json["errors"]}


def look_up(product: Product, message_id: str) -> dict[str, Any]:
    answer = ask(f"{product.api}/messages/{message_id}", method="GET", key=product.key)
    assert answer.status == 200, answer.raw
    found: dict[str, Any] = answer.json
    return found
