"""The process dies anywhere between a shop's call and the work on it: what was answered is worked on, and once."""

from __future__ import annotations

import http.client
import signal
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import msgspec
import pytest

from tests.product import Product, running_product, wait_until
from tests.stores.shops import order, signed

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(300)]
WITHIN_S = 120.0
POINTS = ("inbox.before_commit", "inbox.committed", "inbox.before_apply", "inbox.applying", "inbox.applied")


def start(product: Product, crash_at: str) -> None:
    """The server once more, meant to die there."""
    server = product.server
    server.kill() if server.is_running() else server.wait_for_death()
    server.environment["TABLEGRAM_CRASH_AT"] = crash_at
    server.start()


def deliver(product: Product, source: dict[str, Any], number: int) -> int:
    """What the shop hears; 0 where nobody answers any more."""
    body = msgspec.json.encode(order(id=number, number=str(number)))
    url = product.url + urllib.parse.urlsplit(source["hook_url"]).path
    request = urllib.request.Request(url, data=body, headers=signed(body, "order.created", source["secret"]))
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except (OSError, http.client.HTTPException, urllib.error.URLError):
        return 0


def test_what_a_shop_delivered_happens_once_through_every_death(database_url: str) -> None:
    with running_product(database_url, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as product:
        wish = {"platform": "woocommerce", "name": "Shop", "country": "TR"}
        status, source = product.call("POST", "/stores/sources", wish)
        assert status == 201, source

        def deliveries() -> list[dict[str, Any]]:
            status, answer = product.call("GET", "/stores/deliveries?limit=200")
            assert status == 200, answer
            return list(answer["data"])

        for number, point in enumerate(POINTS):
            start(product, point)
            heard = deliver(product, source, number + 1)
            assert product.server.wait_for_death() == -signal.SIGKILL, point
            start(product, "")
            if not heard:
                # Who heard nothing sends it again.
                assert deliver(product, source, number + 1) == 200
            wait_until(lambda wanted=number + 1: len(deliveries()) >= wanted, f"the delivery after {point}", WITHIN_S)
        assert deliver(product, source, 1) == 200
        told = [(one["state"], one["events"][0]["reference"]) for one in deliveries()]
        assert sorted(told) == [("done", str(number + 1)) for number in range(len(POINTS))]
        outcomes = [outcome["code"] for one in deliveries() for outcome in one["events"][0]["outcomes"]]
        assert outcomes.count("recorded") == len(POINTS)
        orders = product.call("GET", "/stores/orders?limit=200")[1]["data"]
        assert len(orders) == len(POINTS)
        assert len({one["contact_id"] for one in orders}) == 1
