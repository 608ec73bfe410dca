"""The process dies between a courier's tap and what it tells: sent again it is one step, and the guest hears of it once."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.databases import Databases
from tests.faults.looking import wait_for_rest
from tests.product import Product, fetch, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(180)]

GUEST = "905551112233"
# While the tap is written; when it is committed and nobody has been told, and the phone has no answer; and when the line has
# taken the guest's message and nobody has written that down.
POINTS = ("courier.stepped", "courier.committed", "drain.answered")


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as one:
        yield one
    databases.drop(url)


class Phone:
    """A courier's: it sends a tap until it has an answer, and starts the server again whenever it is dead."""

    def __init__(self, product: Product, link: dict[str, str]) -> None:
        self.product, self.deaths, self.cookie = product, 0, ""
        self._path = urlsplit(link["url"]).path
        self._pin = link["pin"]

    def enter(self) -> None:
        connection = http.client.HTTPConnection(urlsplit(self.product.url).netloc, timeout=30)
        body = f'{{"pin": "{self._pin}"}}'
        connection.request("POST", f"{self._path}/enter", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200
        self.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        connection.close()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        for _ in range(5):
            try:
                headers = {"Cookie": self.cookie, "Accept": "application/json"}
                status, answer = fetch(self.product.url + self._path + path, method=method, body=body, headers=headers)
            except (OSError, http.client.HTTPException):
                self.revive()
                continue
            assert status == 200, answer
            return answer
        raise AssertionError(f"no answer for {path}")

    def revive(self) -> None:
        server = self.product.server
        server.wait_for_death()
        self.deaths += 1
        server.environment.pop("TABLEGRAM_CRASH_AT", None)
        server.start()


@pytest.mark.parametrize("point", POINTS)
def test_a_tap_that_meets_a_death_is_one_step_and_the_guest_hears_once(product: Product, point: str) -> None:
    def made(method: str, path: str, body: Any = None) -> Any:
        status, answer = product.call(method, path, body)
        assert status < 300, answer
        return answer

    def told() -> list[str]:
        found = made("GET", f"/messages?direction=out&phone={GUEST}&limit=200")["data"]
        return [one["text"] for one in found if number in one["text"] and one["status"] != "queued"]

    venue = made("GET", "/restaurant/venues")["data"][0]["id"]
    dish = next(
        one["id"]
        for one in made("GET", f"/restaurant/venues/{venue}/menu")["items"]
        if one["name"] in ("Humus", "Hummus")
    )
    order = {
        "venue_id": venue, "order_type": "delivery", "lines": [{"item_id": dish}], "customer_phone": GUEST,
        "customer_name": "Ayşe", "address": "Moda Cad. 12", "payment_method": "cash",
    }  # fmt: skip
    number = made("POST", "/orders", order)["order_id"]
    made("POST", f"/orders/{number}/finish", {})
    courier = made("POST", "/restaurant/couriers", {"name": f"Mert {point}", "venue_id": venue})["id"]
    phone = Phone(product, made("POST", f"/restaurant/couriers/{courier}/page", {}))
    phone.enter()
    phone.ask("POST", "/take", {"once": "takeonce1", "order_id": number})
    (stop,) = phone.ask("GET", "/page")["stops"]
    # What the guest hears of the order itself must not meet the death that is meant for the tap.
    wait_for_rest(product, [GUEST])
    before = len(told())
    server = product.server
    server.kill()
    server.environment["TABLEGRAM_CRASH_AT"] = point
    server.start()
    tap = {"once": "pickonce1", "delivery_id": stop["delivery_id"], "action": "pick_up"}
    first = phone.ask("POST", "/step", tap)
    if point == "drain.answered" and phone.deaths == 0:
        # Unless the guest's message was faster than the answer to the tap, which met that death itself.
        phone.revive()
    assert phone.deaths == 1
    # The phone may send it once more whenever it likes.
    assert phone.ask("POST", "/step", tap)["step_id"] == first["step_id"]
    wait_until(lambda: len(told()) == before + 1, "the guest's message")
    steps = made("GET", f"/restaurant/deliveries/{stop['delivery_id']}")["steps"]
    assert [one["action"] for one in steps] == ["assign", "pick_up"]
    assert made("GET", f"/orders/{number}")["status"] == "out_for_delivery"
    assert len(told()) == before + 1
    assert product.sandbox_call("GET", "/counters")["duplicates"] == 0
