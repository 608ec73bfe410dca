"""How a printer proves itself beside its key, where a name and a password are set: Basic (Star) and Digest (Epson)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import time
from urllib.parse import urlsplit

REALM = "tablegram printer"
# How long an answer to one challenge may be used; printers keep theirs for many calls.
NONCE_S = 600
_FIELD = re.compile(r'(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))', re.ASCII)


def basic_challenge() -> str:
    return f'Basic realm="{REALM}", charset="UTF-8"'


def is_basic(header: str, user: str, password: str) -> bool:
    scheme, _, given = header.partition(" ")
    if scheme.lower() != "basic" or len(given) > 1_000:
        return False
    try:
        said = base64.b64decode(given.strip(), validate=True)
    except (binascii.Error, ValueError):
        return False
    return hmac.compare_digest(said, f"{user}:{password}".encode())


class Digest:
    """RFC 7616 with MD5, which is what printers speak, and SHA-256. Nothing is kept: a nonce proves its own age."""

    def __init__(self, secret: bytes | None = None) -> None:
        self._secret = secret or secrets.token_bytes(32)

    def challenges(self, *, stale: bool = False) -> list[str]:
        """Best first; a printer takes the first that it knows."""
        nonce = self._nonce(int(time.time()))
        tail = ", stale=true" if stale else ""
        return [
            f'Digest realm="{REALM}", nonce="{nonce}", qop="auth", algorithm={name}{tail}'
            for name in ("SHA-256", "MD5")
        ]

    def check(self, header: str, method: str, path: str, user: str, password: str) -> tuple[bool, bool]:
        """Whether it is right, and whether it was right but its challenge is too old."""
        scheme, _, rest = header.partition(" ")
        if scheme.lower() != "digest" or len(rest) > 2_000:
            return False, False
        said = {found[1].lower(): found[2] if found[2] is not None else found[3] for found in _FIELD.finditer(rest)}
        algorithm = said.get("algorithm", "MD5").upper()
        if algorithm not in ("MD5", "SHA-256") or said.get("username") != user or said.get("realm") != REALM:
            return False, False
        uri, nonce = said.get("uri", ""), said.get("nonce", "")
        # A proof for one address is none for another.
        if not _path_of(uri).endswith(path) or not self._is_ours(nonce):
            return False, False

        def digest(text: str) -> str:
            return (hashlib.md5 if algorithm == "MD5" else hashlib.sha256)(text.encode()).hexdigest()

        person, call = digest(f"{user}:{REALM}:{password}"), digest(f"{method}:{uri}")
        if said.get("qop"):
            middle = f"{nonce}:{said.get('nc', '')}:{said.get('cnonce', '')}:{said['qop']}"
        else:
            middle = nonce
        expected = digest(f"{person}:{middle}:{call}")
        if not hmac.compare_digest(expected.encode(), said.get("response", "").lower().encode()):
            return False, False
        fresh = time.time() - int(nonce.partition(".")[0]) <= NONCE_S
        return fresh, not fresh

    def _nonce(self, at_s: int) -> str:
        return f"{at_s}.{hmac.new(self._secret, b'%d' % at_s, hashlib.sha256).hexdigest()[:32]}"

    def _is_ours(self, nonce: str) -> bool:
        at_s = nonce.partition(".")[0]
        return (
            at_s.isascii()
            and at_s.isdigit()
            and len(at_s) <= 12
            and hmac.compare_digest(nonce.encode(), self._nonce(int(at_s)).encode())
        )


def _path_of(uri: str) -> str:
    try:
        return urlsplit(uri).path
    except ValueError:
        return ""
