"""Deliveries of every platform as files, and how each of them proves that it sends them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tablegram.stores.ports import Setup, StoreEvent
from tablegram.values.http.signing import signed_headers

PAYLOADS = Path(__file__).parents[2] / "payloads" / "stores"
# With a colon, as a user and a password are written, and with signs that pages write in another way.
SECRET = "shop:a secret & of <one> shop"
OTHER = "shop:the secret of another"


class Delivery(msgspec.Struct, kw_only=True):
    """One file: headers, the body as JSON or as it is written, and what it means."""

    headers: dict[str, str]
    body: msgspec.Raw = msgspec.Raw(b"")
    text: str = ""
    setup: Setup = Setup()
    means: tuple[StoreEvent, ...] = ()

    @property
    def raw(self) -> bytes:
        return self.text.encode() if self.text else bytes(self.body)


@cache
def deliveries(platform: str) -> dict[str, Delivery]:
    files = sorted((PAYLOADS / platform).glob("*.json"))
    return {file.stem: msgspec.json.decode(file.read_bytes(), type=Delivery) for file in files}


def base64_hmac(secret: str, body: bytes) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), body, hashlib.sha256)).decode()


Proof = Callable[[str, bytes], dict[str, str]]

# By platform, each way in which it proves; the first is its usual one.
PROOFS: dict[str, tuple[Proof, ...]] = {
    "shopify": (
        lambda secret, body: {"x-shopify-hmac-sha256": base64_hmac(secret, body)},
        lambda secret, body: {"shopify-hmac-sha256": base64_hmac(secret, body)},
    ),
    "generic": (
        lambda secret, body: {"x-signature": hmac.digest(secret.encode(), body, "sha256").hex()},
        lambda secret, body: {"x-hub-signature-256": "sha256=" + hmac.digest(secret.encode(), body, "sha256").hex()},
        # A secret that is no base64 signs with its own bytes.
        lambda secret, body: signed_headers(
            "whsec_" + base64.b64encode(secret.encode()).decode(), "evt_1", int(time.time()), body
        ),
    ),
    "form": (
        lambda secret, body: {"typeform-signature": "sha256=" + base64_hmac(secret, body)},
        lambda secret, body: {"tally-signature": base64_hmac(secret, body)},
        lambda secret, _: {"authorization": f"Bearer {secret}"},
        lambda secret, _: {"x-api-key": secret},
    ),
    "gloriafood": (
        lambda secret, _: {"authorization": secret},
        lambda secret, _: {"authorization": f"Bearer {secret}"},
    ),
    "trendyol": (
        lambda secret, _: {"x-api-key": secret},
        lambda secret, _: {"authorization": "Basic " + base64.b64encode(secret.encode()).decode()},
    ),
    "woocommerce": (lambda secret, body: {"x-wc-webhook-signature": base64_hmac(secret, body)},),
}


def signed(platform: str, one: Delivery, secret: str = SECRET) -> dict[str, Any]:
    return one.headers | PROOFS[platform][0](secret, one.raw)
