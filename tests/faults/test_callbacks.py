"""Callbacks come twice, in the wrong order, many in a body, with odd times: the states are right all the same."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from datetime import datetime
from typing import Any

import aiohttp
import msgspec
import pytest

from tests.faults.callers import callback as written
from tests.faults.looking import inject, message, wait_for_status
from tests.faults.tally import every_event, pages
from tests.product import Product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

SECRET = "app-secret-of-a-test"


@pytest.mark.parametrize("fault", ["duplicated", "reordered", "batched", "millisecond_timestamps", "delayed_callbacks"])
def test_a_message_reaches_read_through_every_step_once(product: Product, phone: str, fault: str) -> None:
    inject(product, fault, phone, **({"ms": 500} if fault == "delayed_callbacks" else {}))
    ids = [product.send(phone, f"{fault} {number}")[1]["message_id"] for number in range(3)]
    for one in ids:
        wait_for_status(product, one, "delivered")
    product.sandbox_call("POST", f"/phones/{phone}/read", {})
    for one in ids:
        found = wait_for_status(product, one, "read")
        steps = [step["status"] for step in found["status_history"]]
        assert steps == ["queued", "sent", "delivered", "read"]
        assert found["error"] is None
        for step in found["status_history"]:
            assert abs(datetime.fromisoformat(step["at"]).timestamp() - time.time()) < 3_600


def test_a_failure_that_the_network_reports_later_is_kept_with_its_reason(product: Product, phone: str) -> None:
    inject(product, "failed_status", phone, times=1, code=131026)
    status, answer = product.send(phone, "will fail")
    assert (status, answer["status_code"]) == (200, "sent")
    found = wait_for_status(product, answer["message_id"], "failed")
    assert (found["error"]["code"], found["error"]["network_code"]) == ("not_on_network", 131026)
    assert found["cost_usd"] == 0


@pytest.fixture
def cloud_line(product: Product) -> dict[str, Any]:
    """A line whose callbacks are the test's own: the network knows its number and calls nobody."""
    number_id = str(time.time_ns())
    product.sandbox_call("PUT", f"/numbers/{number_id}", {"access_token": "token-of-a-test"})
    line = {
        "kind": "cloud",
        "phone_number_id": number_id,
        "access_token": "token-of-a-test",
        "app_secret": SECRET,
        "verify_token": "verify-of-a-test",
    }
    status, made = product.call("POST", "/instances", line)
    assert status == 201, made
    return dict(made)


def callback(sent_id: str, status: str, at_s: int) -> bytes:
    told = {"id": sent_id, "status": status, "timestamp": str(at_s), "recipient_id": "905"}
    change = {"field": "messages", "value": {"messaging_product": "whatsapp", "statuses": [told]}}
    return msgspec.json.encode({"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]})


async def post(url: str, bodies: list[bytes]) -> list[int]:
    async def one(session: aiohttp.ClientSession, body: bytes) -> int:
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        async with session.post(url, data=body, headers={"X-Hub-Signature-256": f"sha256={signature}"}) as answer:
            return answer.status

    async with aiohttp.ClientSession() as session:
        return await asyncio.gather(*[one(session, body) for body in bodies])


@pytest.mark.parametrize("same_body", [True, False])
def test_a_callback_that_comes_a_hundred_times_at_once_changes_one_thing_once(
    product: Product, phone: str, cloud_line: dict[str, Any], same_body: bool
) -> None:
    body = {"phone": phone, "message": "once", "instance_id": cloud_line["id"]}
    status, answer = product.call("POST", "/messages/send", body)
    assert (status, answer["status_code"]) == (200, "sent"), answer
    sent_id = answer["message_id"]
    now = int(time.time())
    bodies = [callback(sent_id, "delivered", now + (0 if same_body else number)) for number in range(100)]
    assert asyncio.run(post(cloud_line["callback_url"], bodies)) == [200] * 100
    first = wait_for_status(product, sent_id, "delivered")
    asyncio.run(post(cloud_line["callback_url"], [callback(sent_id, "read", now + 200)]))
    # The last one has been worked on, so every one before it has been too.
    last = wait_for_status(product, sent_id, "read")
    assert [step["status"] for step in last["status_history"]] == ["queued", "sent", "delivered", "read"]
    assert last["status_history"][:3] == first["status_history"]


@pytest.mark.parametrize("same_body", [True, False])
def test_a_message_that_comes_a_hundred_times_at_once_is_one_message_one_contact_and_one_event(
    product: Product, phone: str, cloud_line: dict[str, Any], same_body: bool
) -> None:
    first, last = f"wamid.{phone}.1", f"wamid.{phone}.2"
    raw = written(phone, [first])
    bodies = [raw + b" " * (0 if same_body else number) for number in range(100)]
    assert asyncio.run(post(cloud_line["callback_url"], bodies)) == [200] * 100
    assert asyncio.run(post(cloud_line["callback_url"], [written(phone, [last])])) == [200]

    def kept() -> list[str]:
        return [one["message_id"] for one in pages(product, "/messages?direction=in") if one["phone"] == phone]

    # The last one has been worked on, so every one before it has been too.
    wait_until(lambda: last in kept(), "the last message")
    assert sorted(kept()) == [first, last]
    told = [one["body"]["data"] for one in every_event(product)]
    assert [data["message_id"] for data in told if data["from"] == phone] == [first, last]
    assert [one["phones"] for one in pages(product, "/contacts?") if phone in one["phones"]] == [[phone]]


def test_a_callback_with_a_wrong_signature_changes_nothing(
    product: Product, phone: str, cloud_line: dict[str, Any]
) -> None:
    body = {"phone": phone, "message": "forged", "instance_id": cloud_line["id"]}
    sent_id = product.call("POST", "/messages/send", body)[1]["message_id"]

    async def forge() -> int:
        async with (
            aiohttp.ClientSession() as session,
            session.post(
                cloud_line["callback_url"],
                data=callback(sent_id, "read", 1),
                headers={"X-Hub-Signature-256": "sha256=00"},
            ) as answer,
        ):
            return answer.status

    assert asyncio.run(forge()) == 401
    genuine = callback(sent_id, "delivered", int(time.time()))
    asyncio.run(post(cloud_line["callback_url"], [genuine]))
    wait_until(lambda: message(product, sent_id)["status"] != "sent", "the genuine callback")
    assert message(product, sent_id)["status"] == "delivered"
