"""Answers made smaller on their way out; live streams and files in pieces are left as they are.

What is compressed together can be guessed from the length, letter by letter, by who makes a browser ask again and again
with words of theirs in the page (BREACH). Two things stand against that: a secret that stands in a page is masked anew
for each answer (`mask`), and what another site made a browser ask for is not compressed at all.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import secrets

from tablegram.web.asgi import Message, Scope, Send, header

# Smaller bodies fit into the packet that answers anyway.
PACK_FROM = 800
_TEXTS = ("text/", "application/json", "application/problem+json", "image/svg+xml")


def pack(body: bytes, level: int = 5) -> bytes:
    return gzip.compress(body, level, mtime=0)


def takes_gzip(scope: Scope) -> bool:
    return "gzip" in header(scope, b"accept-encoding")


def compressing(scope: Scope, send: Send) -> Send:
    """A `send` that packs whole answers in words for who can unpack them."""
    wanted = takes_gzip(scope) and header(scope, b"sec-fetch-site") != "cross-site"
    held: Message | None = None

    async def send_packed(message: Message) -> None:
        nonlocal held
        if message["type"] == "http.response.start" and _is_text(message):
            held = message
            return
        start, held = held, None
        if start is not None:
            body = message.get("body", b"")
            # One that comes in pieces has nobody who waits for its end.
            if not message.get("more_body", False) and len(body) >= PACK_FROM:
                start, message = _packed(start, message) if wanted else (_varying(start), message)
            await send(start)
        await send(message)

    return send_packed


def _is_text(start: Message) -> bool:
    fields = dict(start["headers"])
    kind = fields.get(b"content-type", b"").decode("latin-1")
    return b"content-encoding" not in fields and kind.startswith(_TEXTS) and not kind.startswith("text/event-stream")


def _varying(start: Message) -> Message:
    return {**start, "headers": [*start["headers"], (b"vary", b"accept-encoding")]}


def _packed(start: Message, message: Message) -> tuple[Message, Message]:
    body = pack(message["body"])
    fields = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    fields += [(b"content-encoding", b"gzip"), (b"content-length", b"%d" % len(body))]
    return _varying({**start, "headers": fields}), {**message, "body": body}


def mask(secret: str) -> str:
    """The secret in another form each time, so that no length tells anything of it."""
    plain = secret.encode()
    pad = secrets.token_bytes(len(plain))
    return base64.urlsafe_b64encode(pad + _mixed(plain, pad)).decode()


def unmask(masked: str) -> str:
    """The secret behind a mask; empty for what is none."""
    try:
        both = base64.b64decode(masked.encode(), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return ""
    half = len(both) // 2
    return _mixed(both[:half], both[half:]).decode("latin-1") if len(both) == 2 * half else ""


def _mixed(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
