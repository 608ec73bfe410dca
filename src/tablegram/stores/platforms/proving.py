"""Proof that a delivery comes from who has the secret. Nothing here looks at what a delivery says.

A source may have several secrets, one on a line: that of a shop's own webhooks and that of an app, or an old and a new one
while they are changed. Any of them proves.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Iterable

from tablegram.stores.ports import Unverified

# Nobody has more at once, and each is tried on every delivery.
MAX_SECRETS = 5


def keys_in(secret: str) -> tuple[str, ...]:
    """The secrets of a source. Nothing, where there is none but blanks: then nothing is proven."""
    return tuple(line.strip() for line in secret.splitlines() if line.strip())[:MAX_SECRETS]


def with_entities_read(keys: Iterable[str]) -> tuple[str, ...]:
    """Each secret, and what it is when `&amp;` and the like in it are read, for who copied it from a page's source."""
    # The names of all signs come with it; few servers ever need them.
    import html

    return tuple(dict.fromkeys(one for key in keys for one in (key, html.unescape(key)) if one))


def is_signed(keys: Iterable[str], given: str, body: bytes) -> bool:
    """Whether `given` is the HMAC-SHA256 of the body under one of the keys, in base64 or hexadecimal.

    Before it may stand what it was made with (`sha256=`). Every key is tried, so that the time tells nothing.
    """
    signature = _bytes_of(given.strip().removeprefix("sha256="))
    found = False
    for key in keys:
        expected = hmac.digest(key.encode("utf-8", "surrogatepass"), body, "sha256")
        found |= hmac.compare_digest(signature, expected)
    return found


def is_same(keys: Iterable[str], given: str) -> bool:
    """Whether `given` is one of the keys itself."""
    # Nothing is replaced on the way: what stands for a sign that cannot be written is not the sign itself.
    told, found = given.encode("utf-8", "surrogatepass"), False
    for key in keys:
        found |= hmac.compare_digest(told, key.encode("utf-8", "surrogatepass"))
    return found and bool(given)


def basic_credentials(authorization: str) -> str:
    """`user:password` of a header for basic authentication, else nothing."""
    scheme, _, given = authorization.partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(given.strip(), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""


def bearer_token(authorization: str) -> str:
    scheme, _, given = authorization.partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def needed(secret: str) -> tuple[str, ...]:
    """The secrets of a source that cannot do without. Raises `Unverified`."""
    keys = keys_in(secret)
    if not keys:
        raise Unverified("the source has no secret, so nobody can have signed")
    return keys


def _bytes_of(signature: str) -> bytes:
    """A digest of 32 bytes as it was written; other bytes than a digest has, where it is none."""
    try:
        if len(signature) == 64:
            return bytes.fromhex(signature)
        return base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return b""
