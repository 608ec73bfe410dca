"""The process dies between any two steps of an order that is paid online: nothing is cooked before the money, and all of it
once after.
"""

from __future__ import annotations

import http.client
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.databases import Databases
from tests.product import Product, fetch, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(180)]

# Where it dies: while the order and its link are written, when the provider has answered, when the link is open, when the
# money has come and nothing of it is committed, and while a link is taken back.
POINTS = ("gate.asked", "payments.answered", "payments.changed:2", "gate.paid", "gate.dropped")


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as one:
        yield one
    databases.drop(url)


class Guest:
    """Somebody who orders and pays, and starts the server again whenever it is dead."""

    def __init__(self, product: Product) -> None:
        self.product, self.deaths = product, 0

    def call(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        """Until an answer comes: every call may be repeated."""
        for _ in range(5):
            try:
                status, answer = fetch(
                    address, method=method, body=body, headers={**headers, "Accept": "application/json"}
                )
            except (OSError, http.client.HTTPException):
                self.revive()
                continue
            assert status < 300, answer
            return answer
        raise AssertionError(f"no answer from {address}")

    def revive(self) -> None:
        server = self.product.server
        server.wait_for_death()
        self.deaths += 1
        server.environment.pop("TABLEGRAM_CRASH_AT", None)
        server.start()

    def order(self, table: int) -> str:
        api = self.product.api
        menu = self.call("GET", f"{api}/menu/data?table={table}&lang=en")["menu"]
        # One that is made at every hour.
        (dish,) = [item for category in menu["categories"] for item in category["items"] if item["name"] == "Hummus"]
        body = {"table": str(table), "language": "en", "lines": [{"item_id": dish["id"], "quantity": 2}]}
        cart = self.call("POST", f"{api}/menu/carts", body | {"key": f"a-key-of-table-{table}-{'x' * 20}"})
        code = urllib.parse.quote(cart["code"])
        given = {"payment_method": "online_card", "phone": "+90 555 111 22 33", "name": "Ayşe"}
        made = self.call("POST", f"{api}/menu/carts/{code}/order", given, **{"Cart-Holder": cart["holder"]})
        return str(made["status_url"])

    def see(self, url: str) -> Any:
        return self.call("GET", url)

    def pay(self, url: str) -> None:
        wait_until(lambda: self.see(url)["paying"]["state"] == "open", "the link")
        address = self.see(url)["paying"]["url"]
        form = urllib.parse.urlencode({"play": "twice"}).encode()
        with urllib.request.urlopen(urllib.request.Request(address, data=form, method="POST"), timeout=30) as answer:
            assert answer.status == 200


@pytest.mark.parametrize("point", POINTS)
def test_a_death_at_any_step_cooks_nothing_before_the_money_and_all_of_it_once_after(
    product: Product, point: str
) -> None:
    guest = Guest(product)
    server = product.server
    server.kill()
    server.environment["TABLEGRAM_CRASH_AT"] = point
    server.start()
    status_url = guest.order(5 + POINTS.index(point))
    number = guest.see(status_url)["order_id"]

    def tickets() -> list[Any]:
        return list(
            guest.call(
                "GET", f"{product.api}/restaurant/tickets?order_id={number}", None, **product.headers(product.key)
            )["data"]
        )

    def created() -> int:
        feed = guest.call(
            "GET",
            f"{product.api}/events?limit=200&type=restaurant.order_created",
            None,
            **product.headers(product.key),
        )
        return sum(1 for one in feed["data"] if one["body"].get("order_id") == number)

    assert (tickets(), created()) == ([], 0)
    if point == "gate.dropped":
        wait_until(lambda: guest.see(status_url)["paying"]["state"] == "open", "the link")
        act = f"{product.api}/orders/{number}/pay_in_person"
        keys = {**product.headers(product.key), "Idempotency-Key": "cash"}
        guest.call("POST", act, {"payment_method": "cash"}, **keys)
    else:
        guest.pay(status_url)
    wait_until(lambda: guest.see(status_url)["status"] == "sent_to_kitchen", "the kitchen")
    assert guest.deaths == 1
    assert (len(tickets()), created()) == (1, 1)
    links = guest.call(
        "GET", f"{product.api}/payment-links?limit=200", None, **product.headers(product.key)
    )["data"]  # fmt: skip
    mine = [one["state"] for one in links if number in one["description"]]
    assert mine == ["cancelled" if point == "gate.dropped" else "paid"]


def test_a_death_while_money_is_taken_against_a_bill_takes_it_once_or_not_at_all(product: Product) -> None:
    guest, server = Guest(product), product.server
    headers = product.headers(product.key)
    venue = guest.call("GET", f"{product.api}/restaurant/venues", None, **headers)["data"][0]["id"]
    place = f"{product.api}/restaurant/venues/{venue}"
    menu = guest.call("GET", f"{place}/menu", None, **headers)
    (dish,) = [item["id"] for item in menu["items"] if item["name"] == "Humus"]
    table = guest.call("POST", f"{place}/tables", {"label": "Bill"}, **headers)["id"]
    order = {"venue_id": venue, "table_id": table, "lines": [{"item_id": dish, "quantity": 2}]}
    tab = f"{product.api}/restaurant/tabs/" + guest.call("POST", f"{product.api}/orders", order, **headers)["tab_id"]

    def bill() -> Any:
        return guest.call("GET", tab, None, **headers)

    # Cash by staff, a gift card, then the rest by a link: each dies with its rows written and nothing committed.
    half = bill()["total"] / 2
    gift = guest.call("POST", f"{product.api}/loyalty/gifts", {"amount": half, "paid_by": "card"}, **headers)
    paid = [("cash", half - 10), ("gift", 10), ("online", half)]
    for number, point in enumerate(("bills.taken", "loyalty.gift_spent", "bills.taken")):
        server.kill()
        server.environment["TABLEGRAM_CRASH_AT"] = point
        server.start()
        if number < 2:
            method, amount = paid[number]
            code = {"gift_code": gift["code"]} if method == "gift" else {}
            given = {"method": method, "amount": amount, **code}
            guest.call("POST", f"{tab}/payments", given, **headers, **{"Idempotency-Key": f"once-{number}"})
        else:
            guest.call("POST", f"{tab}/payment-links", {}, **headers, **{"Idempotency-Key": "link"})
            wait_until(lambda: bill()["payment_links"][0]["state"] == "open", "the link")
            form = urllib.parse.urlencode({"play": "twice"}).encode()
            address = bill()["payment_links"][0]["url"]
            with urllib.request.urlopen(urllib.request.Request(address, data=form, method="POST"), timeout=30) as page:
                assert page.status == 200
            wait_until(lambda: bill()["open"] == 0, "the money")
        assert guest.deaths == number + 1
        shown = bill()
        assert [(one["method"], one["amount"]) for one in shown["payments"]] == paid[: number + 1]
        assert shown["open"] == shown["total"] - sum(amount for _, amount in paid[: number + 1])
    card = guest.call("GET", f"{product.api}/loyalty/gifts/{gift['id']}", None, **headers)
    assert [(one["kind"], one["amount"]) for one in card["movements"]] == [("issue", half), ("redeem", -10)]
    feed = guest.call("GET", f"{product.api}/events?limit=200&type=restaurant.bill_paid", None, **headers)["data"]
    assert len([one for one in feed if one["body"]["tab_id"] == shown["id"]]) == 1
