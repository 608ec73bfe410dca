"""The process dies while orders are read back, changed and confirmed: each guest has one order, and hears everything once."""

from __future__ import annotations

import signal
from collections import Counter
from typing import Any

import pytest

from tests.faults.looking import texts_on
from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(200)]

# Each at a table of their own.
GUESTS = {str(905_557_400_000 + table): str(table) for table in (2, 3, 4)}
YESES = 3


def write(product: Product, text: str, times: int = 1) -> None:
    for phone, table in GUESTS.items():
        for _ in range(times):
            product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": text.format(table=table)})


def die(product: Product, then_at: str = "") -> None:
    """The server dies where it was to; the next one may be meant to die as well, of what this one left."""
    server = product.server
    assert server.wait_for_death() == -signal.SIGKILL, server.said()
    launch(product, then_at)


def launch(product: Product, crash_at: str) -> None:
    product.server.environment["TABLEGRAM_CRASH_AT"] = crash_at
    product.server.launch()


def wait_for(product: Product, *parts: str) -> None:
    def is_told(phone: str) -> bool:
        return any(all(part in text for part in parts) for text in texts_on(product, phone))

    wait_until(lambda: all(map(is_told, GUESTS)), f"every guest to hear of {parts}")


def orders(product: Product) -> list[dict[str, Any]]:
    status, page = product.call("GET", "/orders?limit=200")
    assert status == 200, page
    return [one for one in page["data"] if one["customer"]["phone"].lstrip("+") in GUESTS]


def test_a_talk_through_seven_deaths_is_one_order_for_any_number_of_yeses(database_url: str) -> None:
    with running_product(database_url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as product:
        server = product.server
        server.kill()
        # Half of what is read back is written; then all of it, and nobody sends it; then the network has it, and nobody notes it.
        launch(product, "draft.kept:2")
        server.wait_until_ready()
        write(product, "2 lahmacun masa {table}")
        for point in ("inbox.applied", "drain.answered", "draft.changed:2"):
            die(product, point)
        wait_for(product, "2 × Lahmacun")
        write(product, "bir çay daha")
        die(product, "draft.ordered:2")
        wait_for(product, "2 × Lahmacun", "1 × Çay")
        assert orders(product) == []
        write(product, "evet", times=YESES)
        die(product, "inbox.applied")
        die(product, "drain.answered")
        die(product)
        server.wait_until_ready()
        wait_for(product, "ORD-")
        wait_until(
            lambda: all(len(texts_on(product, phone)) >= 2 + YESES for phone in GUESTS), "every yes to be answered"
        )
        found = orders(product)
        assert Counter(one["customer"]["phone"].lstrip("+") for one in found) == Counter(list(GUESTS))
        for one in found:
            assert one["table_number"] == GUESTS[one["customer"]["phone"].lstrip("+")]
            assert [(line["quantity"], line["name"]) for line in one["items"]] == [(2, "Lahmacun"), (1, "Çay")]
        for phone in GUESTS:
            heard = texts_on(product, phone)
            # Two read-backs and an order; whoever says yes again hears of the same one.
            assert len(heard) == 2 + YESES, heard
            assert len({text for text in heard if "ORD-" not in text}) == 2, heard
