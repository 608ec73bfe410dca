"""What has to wait goes out in order, the urgent first, at the line's pace, at its time, or not at all."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.faults.looking import accepted_for, message, send_queued, texts_on, wait_for_status, wait_for_texts
from tests.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


def in_seconds(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()


def test_fifty_messages_to_one_phone_keep_their_order_through_an_outage(product: Product, phone: str) -> None:
    assert product.sandbox is not None
    product.sandbox.stop()
    texts = [f"ordered {number}" for number in range(50)]
    send_queued(product, phone, texts)
    product.sandbox.start()
    assert wait_for_texts(product, phone, 50, within_s=60) == texts
    assert len(accepted_for(product, phone)) == 50


def test_the_order_survives_the_death_of_the_server_during_the_outage(product: Product, phone: str) -> None:
    assert product.sandbox is not None
    product.sandbox.stop()
    texts = [f"kept {number}" for number in range(20)]
    send_queued(product, phone, texts[:10])
    product.server.kill()
    product.server.start()
    # The first requests after the start find the old messages already waiting.
    send_queued(product, phone, texts[10:])
    product.sandbox.start()
    assert wait_for_texts(product, phone, 20, within_s=60) == texts


def test_a_batch_keeps_its_order(product: Product, phone: str) -> None:
    texts = [f"batch {number}" for number in range(60)]
    body = {"messages": [{"phone": phone, "message": text} for text in texts]}
    status, answer = product.call("POST", "/messages/batch", body)
    assert status == 200, answer
    assert wait_for_texts(product, phone, 60) == texts


def test_urgent_goes_before_normal_and_normal_before_bulk(product: Product, phone: str) -> None:
    assert product.sandbox is not None
    product.sandbox.stop()
    for priority in ("bulk", "normal", "urgent"):
        send_queued(product, phone, [f"{priority} {number}" for number in range(3)], priority=priority)
    product.sandbox.start()
    expected = [f"{priority} {number}" for priority in ("urgent", "normal", "bulk") for number in range(3)]
    assert wait_for_texts(product, phone, 9, within_s=60) == expected


def test_a_line_with_a_pace_keeps_to_it_and_loses_nothing(product: Product, phone: str) -> None:
    status, line = product.call("POST", "/instances", {"kind": "sandbox", "name": "slow", "pace_per_s": 5})
    assert status == 201, line
    texts = [f"paced {number}" for number in range(20)]
    body = {"messages": [{"phone": phone, "message": text, "instance_id": line["id"]} for text in texts]}
    assert product.call("POST", "/messages/batch", body)[0] == 200
    assert wait_for_texts(product, phone, 20) == texts
    times = [one["timestamp"] for one in accepted_for(product, phone)]
    # Five may go at once; the other fifteen take three seconds. A busy machine is only ever slower.
    assert times[-1] - times[0] >= 2_500


def test_a_scheduled_message_goes_at_its_time_and_not_before(product: Product, phone: str) -> None:
    due = time.time() + 3
    (sent_id,) = send_queued(product, phone, ["scheduled"], send_at=in_seconds(3))
    assert product.send(phone, "at once")[1]["status_code"] == "sent", "a scheduled message holds nobody up"
    wait_for_status(product, sent_id, "delivered")
    assert texts_on(product, phone) == ["at once", "scheduled"]
    assert accepted_for(product, phone)[1]["timestamp"] >= int(due * 1_000) - 50


def test_a_queued_message_can_be_cancelled_and_a_sent_one_cannot(product: Product, phone: str) -> None:
    (sent_id,) = send_queued(product, phone, ["never"], send_at=in_seconds(3))
    status, answer = product.call("POST", f"/messages/{sent_id}/cancel")
    assert (status, answer["status"]) == (200, "cancelled")
    (later,) = send_queued(product, phone, ["in its stead"], send_at=in_seconds(3.5))
    wait_for_status(product, later, "delivered")
    assert texts_on(product, phone) == ["in its stead"]
    assert message(product, sent_id)["status"] == "cancelled"
    status, problem = product.call("POST", f"/messages/{later}/cancel")
    assert (status, problem["code"]) == (409, "state_conflict")


def test_a_message_that_cannot_be_sent_in_its_time_fails_as_expired(product: Product, phone: str) -> None:
    assert product.sandbox is not None
    product.server.stop()
    product.server.environment["TABLEGRAM_QUEUE_MAX_AGE_H"] = "0.0005"
    product.sandbox.stop()
    product.server.start()
    try:
        (sent_id,) = send_queued(product, phone, ["too late"])
        found = wait_for_status(product, sent_id, "failed", within_s=60)
        assert found["error"]["code"] == "expired"
        assert found["cost_usd"] == 0
    finally:
        del product.server.environment["TABLEGRAM_QUEUE_MAX_AGE_H"]
        product.server.stop()
        product.sandbox.start()
        product.server.start()
    product.call("POST", "/messages/send", {"phone": phone, "message": "in time"})
    assert wait_for_texts(product, phone, 1) == ["in time"]
