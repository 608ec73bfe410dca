"""A sample of each platform, about somebody with a given number, as the platform itself would send it."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.errors import Conflict
from tablegram.stores.ports import Setup
from tablegram.values import Json
from tablegram.values.clock import SECOND_MS, iso
from tablegram.values.ids import new_id


class Sample(msgspec.Struct, frozen=True):
    headers: dict[str, str]
    body: bytes
    # What the order or form is called in the log.
    number: str


_encode = msgspec.json.Encoder().encode
_JSON = {"content-type": "application/json"}


def sample(platform: str, secret: str, phone: str, setup: Setup, now: int) -> Sample:
    """Each time another one. `phone` has its country code."""
    make = _SAMPLES.get(platform)
    if make is None:
        raise Conflict("There is no sample of this platform. Make a test order in it.", code="no_sample")
    return make(secret, phone, setup, now)


def _base64_hmac(secret: str, body: bytes) -> str:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


def _first(secret: str) -> str:
    """Of several secrets, one on a line."""
    return next((line.strip() for line in secret.splitlines() if line.strip()), "")


def _reference(now: int) -> int:
    return now % 10**12


def _shopify(secret: str, phone: str, setup: Setup, now: int) -> Sample:
    reference, number = _reference(now), f"#T{now // SECOND_MS % 100_000}"
    body = _encode(
        {
            "id": reference,
            "name": number,
            "phone": f"+{phone}",
            "created_at": iso(now),
            "updated_at": iso(now),
            "total_price": "129.90",
            "currency": setup.currency or "TRY",
            "customer": {"first_name": "Test", "last_name": "Order"},
            "line_items": [{"title": "Sample", "quantity": 1, "price": "129.90"}],
            "order_status_url": "https://shop.example/orders/test",
        }
    )
    headers = {
        **_JSON,
        "x-shopify-topic": "orders/create",
        "x-shopify-webhook-id": new_id(now),
        "x-shopify-triggered-at": iso(now),
        "x-shopify-hmac-sha256": _base64_hmac(_first(secret), body),
    }
    return Sample(headers, body, number)


def _woocommerce(secret: str, phone: str, setup: Setup, now: int) -> Sample:
    # The names of all signs come with it; few servers ever need them.
    from html import unescape

    reference = _reference(now)
    number = f"T{now // SECOND_MS % 100_000}"
    document: Json = {
        "id": reference,
        "number": number,
        "status": "processing",
        "currency": setup.currency or "TRY",
        "total": "129.90",
        "date_created_gmt": iso(now)[:19],
        "date_modified_gmt": iso(now)[:19],
        "billing": {"first_name": "Test", "last_name": "Order", "phone": f"+{phone}", "email": "", "country": ""},
        "line_items": [{"name": "Sample", "quantity": 1, "total": "129.90"}],
    }
    body = _encode(document)
    headers = {
        **_JSON,
        "x-wc-webhook-topic": "order.created",
        "x-wc-webhook-resource": "order",
        "x-wc-webhook-event": "created",
        "x-wc-webhook-signature": _base64_hmac(unescape(_first(secret)), body),
        "x-wc-webhook-delivery-id": new_id(now),
    }
    return Sample(headers, body, number)


def _trendyol(secret: str, phone: str, setup: Setup, now: int) -> Sample:
    number = f"T{_reference(now)}"
    document = {
        "orderNumber": number,
        "status": "CREATED",
        "orderDate": now,
        "lastModifiedDate": now,
        "currencyCode": setup.currency or "TRY",
        "customerFirstName": "Test",
        "customerLastName": "Order",
        "shipmentAddress": {"phone": f"+{phone}"},
        "totalPrice": 129.9,
        "lines": [{"productName": "Sample", "quantity": 1, "price": 129.9}],
    }
    return Sample({**_JSON, "x-api-key": _first(secret)}, _encode(document), number)


def _generic(secret: str, phone: str, setup: Setup, now: int) -> Sample:
    """Each fact lies where the mapping says, so that the sample shows whether it is right."""
    number = f"T{now // SECOND_MS % 100_000}"
    facts = {
        "kind": "order_created",
        "reference": f"test-{_reference(now)}",
        "number": number,
        "name": "Test Order",
        "phone": f"+{phone}",
        "amount": "129.90",
        "currency": setup.currency or "TRY",
    }
    document: Json = {}
    for fact, value in facts.items():
        place = setup.mapping.get(fact, fact)
        if not place.startswith("="):
            _lay(document, place, value)
    body = _encode(document)
    return Sample({**_JSON, "x-signature": _base64_hmac(_first(secret), body)}, body, number)


def _form(secret: str, phone: str, setup: Setup, now: int) -> Sample:
    given = {setup.mapping.get("name", "name"): "Test", setup.mapping.get("phone", "phone"): f"+{phone}"}
    title = f"Test {now // SECOND_MS % 100_000}"
    body = _encode({"form_name": title, **given, "message": "Hello"})
    proof = {"x-signature": _base64_hmac(_first(secret), body)} if secret else {}
    return Sample({**_JSON, **proof}, body, title)


def _lay(document: Json, place: str, value: str) -> None:
    """Put a value where a path leads; numbers in it are places of a list, of which a sample has the first."""
    names = place.split(".")
    here: Any = document
    for name, following in zip(names, [*names[1:], ""], strict=True):
        below: Any = value if not following else [{}] if following.isdigit() else {}
        if isinstance(here, list):
            if not following:
                return
            here = here[0]
            continue
        here = here.setdefault(name, below)
        if not isinstance(here, dict | list):
            return


# None of GloriaFood: its orders go to a kitchen, and nobody is to cook a test.
_SAMPLES: dict[str, Callable[[str, str, Setup, int], Sample]] = {
    "shopify": _shopify,
    "woocommerce": _woocommerce,
    "trendyol": _trendyol,
    "generic": _generic,
    "form": _form,
}
