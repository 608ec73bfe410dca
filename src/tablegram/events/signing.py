"""Signatures as Standard Webhooks defines them: HMAC-SHA256 over id, time and the exact bytes of the body."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
SECRET_BYTES = 32


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


def _digest(key: hmac.HMAC, content: bytes) -> bytes:
    signer = key.copy()
    signer.update(content)
    return signer.digest()
