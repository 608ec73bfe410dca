"""The process dies while couriers write: every step is made once, with its order, and is told once to everybody."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.databases import Databases
from tests.faults.looking import wait_for_rest
from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(120)]

_phones = itertools.count(905_558_000_001)


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as one:
        yield one
    databases.drop(url)


def made(product: Product, path: str, body: Any) -> Any:
    status, answer = product.call("POST", path, body)
    assert status in (200, 201), answer
    return answer


def given(product: Product) -> dict[str, tuple[str, str]]:
    """Couriers with an order each: the delivery and the guest, by the courier's number."""
    [venue] = product.call("GET", "/restaurant/venues")[1]["data"]
    place = f"/restaurant/venues/{venue['id']}"
    product.call("PATCH", place, {"order_types": ["dine_in", "delivery"]})
    group = made(product, f"{place}/menu/categories", {"name": "Paket"})["id"]
    item = made(product, f"{place}/menu/items", {"category_id": group, "name": "Dürüm", "price": 90})["id"]
    found = {}
    for _ in range(3):
        courier, guest = str(next(_phones)), str(next(_phones))
        who = made(product, "/restaurant/couriers", {"name": "Mert", "phone": courier, "language": "en"})["id"]
        person = {"address": "Moda Cad. 1", "customer_phone": guest, "customer_name": "Ayşe", "language": "en"}
        order = {"venue_id": venue["id"], "order_type": "delivery", "lines": [{"item_id": item}], **person}
        number = made(product, "/orders", order)["order_id"]
        made(product, f"/orders/{number}/finish", {})
        delivery = made(product, "/restaurant/deliveries", {"order_id": number, "courier_id": who})["delivery_id"]
        found[courier] = delivery, guest
    return found


def heard(product: Product, phone: str, words: str) -> int:
    return sum(words in str(message) for message in product.on_phone(phone))


@pytest.mark.parametrize("point", ["inbox.committed", "inbox.applying", "inbox.applied"])
def test_a_death_while_couriers_write_loses_no_step_and_doubles_none(product: Product, point: str) -> None:
    couriers = given(product)
    for phone in couriers:
        wait_until(lambda phone=phone: heard(product, phone, "is yours") == 1, "each courier to hear of the order")
    # Callbacks that were still under way would be what the next server dies of, perhaps before it is ready.
    wait_for_rest(product, [*couriers, *(guest for _, guest in couriers.values())])
    server = product.server
    server.kill()
    server.environment["TABLEGRAM_CRASH_AT"] = f"{point}:2"
    server.launch()
    server.wait_until_ready()
    for phone in couriers:
        product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": "1"})
    assert server.wait_for_death() == -signal.SIGKILL
    del server.environment["TABLEGRAM_CRASH_AT"]
    server.start()

    def look(delivery: str) -> Any:
        return product.call("GET", f"/restaurant/deliveries/{delivery}")[1]

    for phone, (delivery, guest) in couriers.items():
        wait_until(lambda which=delivery: look(which)["state"] == "picked_up", "the step to be made")
        wait_until(lambda phone=phone: heard(product, phone, "picked up. Reply 2") > 0, "the courier to be answered")
        wait_until(lambda guest=guest: heard(product, guest, "on its way") > 0, "the guest to be told")
    for phone, (delivery, guest) in couriers.items():
        shown = look(delivery)
        assert [step["action"] for step in shown["steps"]] == ["assign", "pick_up"]
        assert shown["order_status"] == "out_for_delivery"
        assert heard(product, phone, "picked up. Reply 2") == 1
        assert heard(product, guest, "on its way") == 1
    wait_for_rest(product, [*couriers, *(guest for _, guest in couriers.values())])
