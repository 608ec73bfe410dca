"""What a test asks the product and the network after it has done something to them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.faults.burst import every_accepted
from tests.product import Product, wait_until


def message(product: Product, message_id: str) -> dict[str, Any]:
    status, found = product.call("GET", f"/messages/{message_id}")
    assert status == 200, found
    return dict(found)


def texts_on(product: Product, phone: str) -> list[str]:
    """What the line wrote to the phone, in the order in which it came."""
    return [one["text"] for one in product.on_phone(phone) if one["direction"] == "in"]


def accepted_for(product: Product, phone: str) -> list[dict[str, Any]]:
    return [one for one in every_accepted(product) if one["to"] == phone]


def wait_for_status(product: Product, message_id: str, *statuses: str, within_s: float = 30.0) -> dict[str, Any]:
    wait_until(lambda: message(product, message_id)["status"] in statuses, f"{message_id} to be {statuses}", within_s)
    return message(product, message_id)


def wait_for_texts(product: Product, phone: str, count: int, within_s: float = 30.0) -> list[str]:
    wait_until(lambda: len(texts_on(product, phone)) >= count, f"{count} messages on {phone}", within_s)
    return texts_on(product, phone)


def wait_for_rest(product: Product, phones: Iterable[str]) -> None:
    """Until all that was sent to these phones has arrived and the gateway has heard of it: no callback is under way."""

    def is_over(phone: str) -> bool:
        status, page = product.call("GET", f"/messages?direction=out&phone={phone}&limit=200")
        assert status == 200, page
        return not any(one["status"] in ("queued", "sent") for one in page["data"])

    for phone in phones:
        wait_until(lambda phone=phone: is_over(phone), f"everything for {phone} to be delivered", 60)


def send_queued(product: Product, phone: str, texts: Iterable[str], **fields: Any) -> list[str]:
    """Send one after the other; each must be answered 200 `queued`. Returns their ids."""
    ids = []
    for text in texts:
        status, answer = product.call("POST", "/messages/send", {"phone": phone, "message": text, **fields})
        assert (status, answer.get("status_code")) == (200, "queued"), answer
        ids.append(answer["message_id"])
    return ids


def inject(product: Product, kind: str, phone: str | None = None, **fields: Any) -> None:
    product.sandbox_call("POST", "/faults", {"kind": kind, "phone": phone, **fields})


@contextmanager
def network_stands_still(product: Product) -> Iterator[None]:
    """While inside, the network answers nothing and calls nobody, however long that takes."""
    assert product.sandbox is not None
    os.kill(product.sandbox.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(product.sandbox.pid, signal.SIGCONT)
