"""The process dies while guests send their carts: every cart is one order, told once to programs and once to its guest."""

from __future__ import annotations

import itertools
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.databases import Databases
from tests.faults.looking import wait_for_rest
from tests.product import Product, fetch, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.timeout(120)]

_phones = itertools.count(905_557_000_001)


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as one:
        yield one
    databases.drop(url)


def cart_text(product: Product, table: int) -> str:
    """What a guest's phone would send for a cart with one dish."""
    status, menu = fetch(f"{product.api}/menu/data?table={table}&lang=en")
    assert status == 200, menu
    items = [item for category in menu["menu"]["categories"] for item in category["items"] if not item.get("groups")]
    body = {"table": str(table), "language": "en", "lines": [{"item_id": items[table]["id"], "quantity": 2}]}
    status, cart = fetch(f"{product.api}/menu/carts", method="POST", body=body)
    assert status in (200, 201), cart
    return str(cart["text"])


def orders(product: Product, phones: list[str]) -> Counter[str]:
    """How many orders each phone has made."""
    status, page = product.call("GET", "/orders?limit=200")
    assert status == 200, page
    return Counter(phone for one in page["data"] if (phone := one["customer"]["phone"].lstrip("+")) in phones)


def told(product: Product, phones: list[str]) -> Counter[str]:
    """How many events tell of each phone's orders."""
    bodies: list[dict[str, Any]] = []
    after: str | None = ""
    while after is not None:
        status, page = product.call("GET", f"/events?limit=200{after}")
        assert status == 200, page
        bodies += [one["body"] for one in page["data"] if one["event"].startswith("restaurant.order")]
        after = f"&after={page['next_cursor']}" if page["next_cursor"] else None
    senders = [body["customer"]["phone"].lstrip("+") for body in bodies]
    return Counter(phone for phone in senders if phone in phones)


@pytest.mark.parametrize("point", ["inbox.committed", "inbox.applying", "inbox.applied"])
def test_a_death_while_orders_come_in_loses_none_and_doubles_none(product: Product, point: str) -> None:
    texts = {str(next(_phones)): cart_text(product, table) for table in range(1, 9)}
    server = product.server
    server.kill()
    server.environment["TABLEGRAM_CRASH_AT"] = f"{point}:2"
    server.launch()
    server.wait_until_ready()
    for phone, text in texts.items():
        product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": text})
    assert server.wait_for_death() == -signal.SIGKILL
    del server.environment["TABLEGRAM_CRASH_AT"]
    server.start()
    phones = list(texts)
    wait_until(lambda: len(orders(product, phones)) == len(phones), "every cart to be an order")

    def answered() -> bool:
        return all(any("ORD-" in str(message) for message in product.on_phone(phone)) for phone in phones)

    wait_until(answered, "every guest to hear of their order")
    assert set(orders(product, phones).values()) == {1}
    assert set(told(product, phones).values()) == {1}
    for phone in phones:
        heard = [message for message in product.on_phone(phone) if "ORD-" in str(message)]
        assert len(heard) == 1, heard
    # Callbacks that were still under way would be what the next test's server dies of, perhaps before it is ready.
    wait_for_rest(product, phones)
