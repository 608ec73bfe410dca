"""The process dies while a cart is kept, reminded of, or bought: one reminder, and none after the purchase."""

from __future__ import annotations

import base64
import hashlib
import hmac
import signal
import time
import urllib.request
from typing import Any

import msgspec
import pytest

from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(300)]
WITHIN_S = 120.0


def deliver(product: Product, source: dict[str, Any], topic: str, document: dict[str, Any]) -> None:
    body = msgspec.json.encode(document)
    proof = base64.b64encode(hmac.digest(source["secret"].encode(), body, hashlib.sha256)).decode()
    headers = {"Content-Type": "application/json", "X-WC-Webhook-Topic": topic, "X-WC-Webhook-Signature": proof}
    address = f"{product.url}/hooks/{source['hook_url'].partition('/hooks/')[2]}"
    urllib.request.urlopen(urllib.request.Request(address, data=body, headers=headers), timeout=30).close()


def cart(number: int) -> dict[str, Any]:
    return {
        "token": f"c{number}", "date_modified_gmt": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()), "currency": "TRY",
        "total": "389.50", "marketing_consent": True, "line_items": [{"name": "Cezve", "quantity": 1, "total": "389.50"}],
        "billing": {"first_name": "Mert", "phone": f"0533 000 00 0{number}", "country": "TR"},
    }  # fmt: skip


def test_a_cart_is_reminded_of_once_and_never_after_the_purchase_through_every_death(database_url: str) -> None:
    with running_product(database_url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as product:
        wish = {"platform": "woocommerce", "name": "Cezveci", "country": "TR", "currency": "TRY"}
        status, source = product.call("POST", "/stores/sources", wish)
        assert status == 201, source
        words = {"enabled": True, "delay_min": 0, "text": "{name}: {total}"}
        assert product.call("PATCH", "/stores/notifications/abandoned_cart-1-tr", words)[0] == 200

        phones = [f"9053300000{number:02}" for number in range(3)]

        def state_of(number: int) -> str:
            found = product.call("GET", "/stores/carts")[1]["data"]
            return next((str(one["state"]) for one in found if one["reference"] == f"c{number}"), "")

        for number, point in enumerate(("stores.cart_kept", "stores.reminded", "stores.bought")):
            server = product.server
            server.kill()
            server.environment["TABLEGRAM_CRASH_AT"] = point
            server.start()
            checkout = cart(number)
            if point == "stores.bought":
                person = {**checkout["billing"], "last_name": "Yıldız"}
                bought = {
                    **checkout, "id": 77, "number": "77", "status": "processing", "billing": person,
                    "date_created_gmt": checkout["date_modified_gmt"],
                }  # fmt: skip
                deliver(product, source, "order.created", bought)
            else:
                deliver(product, source, "checkout.updated", checkout)
            assert server.wait_for_death() == -signal.SIGKILL
            server.environment.pop("TABLEGRAM_CRASH_AT")
            server.start()
            # Told again, as shops do.
            for _ in range(2):
                deliver(product, source, "checkout.updated", checkout)
            wanted = "bought" if point == "stores.bought" else "left"
            wait_until(lambda at=number, to=wanted: state_of(at) == to, f"the cart after {point}", WITHIN_S)
            if wanted == "left":
                # A death in the middle of a send is a doubt that is settled after minutes: other tests see to that.
                wait_until(lambda at=number: product.on_phone(phones[at]), f"the reminder after {point}", WITHIN_S)
        notices = product.call("GET", "/stores/notices?kind=abandoned_cart")[1]["data"]
        assert sorted((one["reference"], one["state"]) for one in notices) == [("c0", "sent"), ("c1", "sent")]
        assert [len(product.on_phone(one)) for one in phones] == [1, 1, 0]
