"""Signatures as Standard Webhooks defines them: HMAC-SHA256 over id, time and the exact bytes of the body."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping

PREFIX = "whsec_"
SECRET_BYTES = 32
# What was signed longer ago, or later than now, was overheard or is of a clock that nobody can rely on.
TOLERANCE_S = 300

_ID = re.compile(r"[\x21-\x7e]{1,200}")
_STAMP = re.compile(r"[0-9]{1,12}", re.ASCII)


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def key_of(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX))


def prepare(secret: str) -> hmac.HMAC:
    """A secret made ready to sign many bodies; copying it is cheaper than starting anew."""
    return hmac.new(key_of(secret), digestmod=hashlib.sha256)


def sign(keys: list[hmac.HMAC], event_id: str, timestamp_s: int, body: bytes) -> str:
    """One signature for each key, newest first; a receiver takes any that fits."""
    content = b"%s.%d.%s" % (event_id.encode(), timestamp_s, body)
    return " ".join(["v1," + base64.b64encode(_digest(key, content)).decode() for key in keys])


def signed_headers(secret: str, event_id: str, timestamp_s: int, body: bytes) -> dict[str, str]:
    """What goes along with a body, so that `verified` answers its id."""
    signature = sign([prepare(secret)], event_id, timestamp_s, body)
    return {"webhook-id": event_id, "webhook-timestamp": str(timestamp_s), "webhook-signature": signature}


def verified(secret: str, headers: Mapping[str, str], body: bytes, now_s: int) -> str | None:
    """The id of what was signed with the secret, a moment ago; nothing for everything else.

    Names of headers in lower case. Nobody has signed with a secret that is empty or cannot be read.
    """
    event_id, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if _ID.fullmatch(event_id) is None or _STAMP.fullmatch(stamp) is None or abs(now_s - int(stamp)) > TOLERANCE_S:
        return None
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return None
    if not key:
        return None
    # The stamp as it was written: another writing of the same moment was not signed.
    expected = hmac.digest(key, f"{event_id}.{stamp}.".encode() + body, "sha256")
    wanted = b"v1," + base64.b64encode(expected)
    given = headers.get("webhook-signature", "").encode("utf-8", "replace").split(b" ")[:10]
    return event_id if any(hmac.compare_digest(one, wanted) for one in given) else None


def _digest(key: hmac.HMAC, content: bytes) -> bytes:
    signer = key.copy()
    signer.update(content)
    return signer.digest()
