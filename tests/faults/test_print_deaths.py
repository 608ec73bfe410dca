"""The process dies while orders become tickets: every order has its tickets, and every ticket its jobs, once."""

from __future__ import annotations

import http.client
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.databases import Databases
from tests.product import Product, fetch, running_product

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as one:
        yield one
    databases.drop(url)


def stations(order: dict[str, Any]) -> set[str]:
    return {item["station"] for item in order["items"]}


def take(product: Product, key: str, body: dict[str, Any]) -> dict[str, Any] | None:
    """An order under a key; nothing where no answer came."""
    headers = {**product.headers(product.key), "Idempotency-Key": key}
    try:
        status, answer = fetch(f"{product.api}/orders", method="POST", body=body, headers=headers)
    except (OSError, http.client.HTTPException):
        return None
    assert status == 201, answer
    return dict(answer)


@pytest.mark.parametrize("point", ["printing.made", "printing.committed"])
def test_a_death_while_tickets_are_made_leaves_no_order_without_them_and_none_twice(
    product: Product, point: str
) -> None:
    printers = product.call("GET", "/restaurant/printers")[1]["data"]
    (venue,) = product.call("GET", "/restaurant/venues")[1]["data"]
    if not any(one["name"] == "Both" for one in printers):
        both = {"name": "Both", "kind": "cloudprnt", "stations": ["kitchen", "bar"]}
        printers.append(product.call("POST", "/restaurant/printers", both)[1])
    menu = product.call("GET", f"/restaurant/venues/{venue['id']}/menu")[1]
    dishes = {item["station"]: item["id"] for item in menu["items"] if not item["option_group_ids"]}
    assert {"kitchen", "bar"} <= set(dishes)
    table = product.call("GET", f"/restaurant/venues/{venue['id']}/tables")[1]["data"][0]["id"]
    bodies = {
        f"{point}-{number}": {
            "venue_id": venue["id"],
            "table_id": table,
            "lines": [{"item_id": dishes[one], "quantity": number} for one in ("kitchen", "bar")[: 1 + number % 2]],
        }
        for number in range(1, 5)
    }
    server = product.server
    server.kill()
    server.environment["TABLEGRAM_CRASH_AT"] = f"{point}:3"
    server.launch()
    server.wait_until_ready()
    answers = {key: take(product, key, body) for key, body in bodies.items()}
    assert None in answers.values()
    assert server.wait_for_death() == -signal.SIGKILL
    del server.environment["TABLEGRAM_CRASH_AT"]
    server.start()
    orders = {key: take(product, key, body) for key, body in bodies.items()}
    for order in orders.values():
        assert order is not None
        tickets = product.call("GET", f"/restaurant/tickets?order_id={order['order_id']}")[1]["data"]
        assert Counter(one["station"] for one in tickets) == Counter(stations(order))
        for ticket in tickets:
            wanted = {one["id"] for one in printers if ticket["station"] in one["stations"]}
            assert Counter(job["printer_id"] for job in ticket["jobs"]) == Counter(wanted)
