"""Signatures of webhooks, as Standard Webhooks defines them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from tablegram_client.errors import WrongSignature

TOLERANCE_S = 300


def read_webhook(
    *, secret: str, headers: Mapping[str, str], body: bytes, tolerance_s: int = TOLERANCE_S, now_s: float | None = None
) -> dict[str, Any]:
    """The event in a delivery, its signature proven. `body` is the bytes as they came. Raises `WrongSignature`."""
    given = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp = given["webhook-id"], int(given["webhook-timestamp"])
        signatures = given["webhook-signature"].split()
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (KeyError, ValueError, binascii.Error):
        raise WrongSignature("The request has no signature of a webhook, or the secret is none.") from None
    if not key:
        raise WrongSignature("The secret is empty.")
    if abs((time.time() if now_s is None else now_s) - timestamp) > tolerance_s:
        raise WrongSignature("The delivery is too old, or a clock is wrong.")
    wanted = hmac.new(key, b"%s.%d.%s" % (event_id.encode(), timestamp, body), hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(wanted).decode()
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures):
        raise WrongSignature("The signature does not fit the body.")
    event: dict[str, Any] = json.loads(body)
    return event
