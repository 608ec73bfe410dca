"""Answers that never come, and a network that is unwell: nothing is lost, and only what must be is sent again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.conftest import UNKNOWN_WAIT_S
from tests.faults.looking import (
    accepted_for,
    inject,
    message,
    send_queued,
    texts_on,
    wait_for_status,
    wait_for_texts,
)
from tests.product import Product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.timeout(180)]


def test_a_lost_answer_is_made_up_for_by_the_callback_and_the_message_goes_once(product: Product, phone: str) -> None:
    inject(product, "lost_answer", phone, times=1)
    (sent_id,) = send_queued(product, phone, ["lost"])
    assert sent_id.startswith("gw.")
    found = wait_for_status(product, sent_id, "sent", "delivered")
    assert found["error"] is None
    assert message(product, found["message_id"])["gateway_id"] == sent_id
    assert [one["correlation"] for one in accepted_for(product, phone)] == [sent_id]


def test_without_answer_and_callback_it_is_in_doubt_for_the_whole_wait_and_only_then_sent_again(
    product: Product, phone: str
) -> None:
    counted = product.metric("sends_unknown_total")
    inject(product, "lost_answer", phone, times=1)
    inject(product, "no_callbacks", phone, times=1)
    (sent_id,) = send_queued(product, phone, ["doubtful"])
    found = message(product, sent_id)
    assert (found["status"], found["error"]["code"]) == ("queued", "outcome_unknown")
    assert product.metric("sends_unknown_total") == counted + 1
    assert product.metric("messages_in_doubt") >= 1
    status, problem = product.call("POST", f"/messages/{sent_id}/cancel")
    assert (status, problem["code"]) == (409, "state_conflict")
    wait_for_status(product, sent_id, "sent", "delivered")
    first, second = accepted_for(product, phone)
    assert second["timestamp"] - first["timestamp"] >= UNKNOWN_WAIT_S * 1_000
    assert second["duplicate"]
    wait_until(lambda: product.metric("messages_in_doubt") == 0, "the doubt to be gone")


def test_what_the_network_never_took_is_sent_later_exactly_once(product: Product, phones: list[str]) -> None:
    faults = dict(zip(("dropped_request", "http_500", "http_502", "http_503"), phones, strict=False))
    ids = {}
    for fault, phone in faults.items():
        inject(product, fault, phone, times=1)
        (ids[fault],) = send_queued(product, phone, [fault])
    for fault, phone in faults.items():
        assert wait_for_status(product, ids[fault], "sent", "delivered")["error"] is None
        assert texts_on(product, phone) == [fault]


@pytest.mark.parametrize("fault", ["rate_limit", "pair_rate"])
def test_what_comes_too_fast_for_the_network_waits_and_keeps_its_order(
    product: Product, phone: str, fault: str
) -> None:
    inject(product, fault, phone, times=2 if fault == "rate_limit" else 1)
    texts = [f"{fault} {number}" for number in range(8)]
    ids = send_queued(product, phone, texts)
    assert wait_for_texts(product, phone, len(texts), within_s=60) == texts
    for one in ids:
        wait_for_status(product, one, "delivered")
    assert len(accepted_for(product, phone)) == len(texts)


def test_while_the_network_is_down_everything_is_queued_and_goes_out_in_order_afterwards(
    product: Product, phones: list[str]
) -> None:
    assert product.sandbox is not None
    phones = phones[:4]
    product.sandbox.stop()
    ids = []
    for number in range(6):
        for one in phones:
            ids += send_queued(product, one, [f"down {number}"])
    product.sandbox.start()
    for one in phones:
        assert wait_for_texts(product, one, 6, within_s=60) == [f"down {number}" for number in range(6)]
    for sent_id in ids:
        wait_for_status(product, sent_id, "delivered")
    assert [len(accepted_for(product, one)) for one in phones] == [6] * 4


def test_a_line_that_fails_for_many_at_once_is_not_held_longer_than_for_one(
    product: Product, phones: list[str]
) -> None:
    # Twenty requests meet the refusal before the first of them can hold the line; counted as twenty failures in a
    # row they would hold it for minutes.
    inject(product, "latency", ms=300, times=20)
    inject(product, "rate_limit", times=20)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda phone: product.send(phone, "crowd"), phones))
    assert [answer["status_code"] for _, answer in answers] == ["queued"] * 20
    product.sandbox_call("DELETE", "/faults")
    for _, answer in answers:
        wait_for_status(product, answer["message_id"], "delivered", within_s=60)
