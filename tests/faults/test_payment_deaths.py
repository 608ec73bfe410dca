"""The process dies between any two steps of making, paying and refunding: each happens once, and the ledger agrees."""

from __future__ import annotations

import http.client
import signal
import urllib.parse
import urllib.request
from typing import Any

import pytest

from tests.product import Product, fetch, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(300)]
WITHIN_S = 120.0
DINNER = {"amount": 450, "currency": "TRY", "description": "Dinner"}


def start(product: Product, crash_at: str) -> None:
    """The server once more, meant to die there."""
    server = product.server
    server.kill() if server.is_running() else server.wait_for_death()
    server.environment["TABLEGRAM_CRASH_AT"] = crash_at
    server.start()


def until_death(product: Product, path: str, body: Any, key: str) -> None:
    """A call that nobody answers any more."""
    headers = {**product.headers(), "Idempotency-Key": key}
    try:
        status, answer = fetch(product.api + path, method="POST", body=body, headers=headers)
        raise AssertionError(f"{status} {answer}")
    except (OSError, http.client.HTTPException):
        assert product.server.wait_for_death() == -signal.SIGKILL


def again(product: Product, path: str, body: Any, key: str) -> dict[str, Any]:
    """The same call with the same key, as whoever heard nothing sends it."""
    found: list[dict[str, Any]] = []

    def answered() -> bool:
        headers = {**product.headers(), "Idempotency-Key": key}
        status, answer = fetch(product.api + path, method="POST", body=body, headers=headers)
        found[:] = [answer]
        return status == 201

    wait_until(answered, f"an answer to {path}", WITHIN_S)
    return found[0]


def test_links_are_made_paid_and_refunded_once_through_every_death(database_url: str) -> None:
    with running_product(database_url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as product:

        def link(link_id: str) -> dict[str, Any]:
            status, answer = product.call("GET", f"/payment-links/{link_id}")
            assert status == 200, answer
            return dict(answer)

        # Within the transaction: nothing was made. After the provider's answer: it is asked again for the same link.
        for number, point in enumerate(("payments.made", "payments.answered")):
            start(product, point)
            until_death(product, "/payment-links", DINNER, f"dinner-{number}")
            start(product, "")
            made = again(product, "/payment-links", DINNER, f"dinner-{number}")
            wait_until(lambda found=made: link(found["id"])["state"] == "open", f"the link after {point}", WITHIN_S)
        listed = product.call("GET", "/payment-links")[1]["data"]
        assert [one["id"] for one in listed[:1]] == [made["id"]]
        assert len(listed) == 2
        # While the signal is applied.
        start(product, "payments.changed")
        form = urllib.parse.urlencode({"play": "twice"}).encode()
        urllib.request.urlopen(urllib.request.Request(link(made["id"])["url"], data=form), timeout=30).close()
        assert product.server.wait_for_death() == -signal.SIGKILL
        start(product, "")
        wait_until(lambda: link(made["id"])["state"] == "paid", "the money", WITHIN_S)
        # Before the refund is kept, and between the provider's answer and its row.
        path = f"/payment-links/{made['id']}/refunds"
        for number, point in enumerate(("payments.refund_asked", "payments.refund_answered")):
            start(product, point)
            until_death(product, path, {"amount": 100}, f"back-{number}")
            start(product, "")
            again(product, path, {"amount": 100}, f"back-{number}")
            paid_back = 100 * (number + 1)
            wait_until(
                lambda sum_=paid_back: link(made["id"])["refunded_amount"] == sum_,
                f"the refund after {point}",
                WITHIN_S,
            )
        after = link(made["id"])
        assert [one["state"] for one in after["refunds"]] == ["succeeded", "succeeded"]
        assert (after["paid_amount"], after["refunded_amount"], after["attention"]) == (450, 200, "")
        told = [event["event"] for event in product.call("GET", "/events?limit=200")[1]["data"]]
        assert [told.count(f"payment.{kind}") for kind in ("succeeded", "refunded", "failed")] == [1, 2, 0]
