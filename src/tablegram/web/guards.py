"""What browsers are told so that they are careful with our pages, and with the way to us."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from tablegram.web.asgi import Field, Message, Send

# A file of a stranger's: to look at or to keep, and able to do nothing.
FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"
# The same for who shows it in a frame of a page of their own.
FRAMED_FILE_POLICY = "sandbox; default-src 'none'"
# A picture that we draw, with its own styles inside, also when its address is opened by itself.
DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

# Nothing but our own files, and in nobody's frame.
_CLOSED = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
_GUARDS: tuple[Field, ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    # A guest may say where a delivery goes by where the phone is.
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(self)"),
)
# Of this host alone: what runs on its subdomains is not ours to decide.
_STRICT: Field = (b"strict-transport-security", b"max-age=31536000")


def policy(**sources: str) -> str:
    """The closed policy, opened for what is named: `img="'self' data:"`."""
    named = {f"{name}-src": value for name, value in sources.items()}
    return "; ".join(f"{name} {value}" for name, value in {**_CLOSED, **named}.items())


def closed_policy(**sources: str) -> str:
    """Of a page without forms: nothing at all, but what is named: `style=hash_of(css)`."""
    named = [f"{name}-src {value}" for name, value in sources.items()]
    return "; ".join(["default-src 'none'", *named, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])


def hash_of(text: str) -> str:
    """By which a policy knows the style or script that stands in the page, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def file_headers(caching: str = "private, no-cache", file_policy: str = FILE_POLICY) -> dict[str, str]:
    """The fields of a file. Unless told otherwise a browser keeps it, but asks each time: who is no longer allowed, or
    what was erased, is not shown from its own store."""
    return {
        "Cache-Control": caching,
        "Content-Security-Policy": file_policy,
        "X-Content-Type-Options": "nosniff",
    }


def strict_transport(base_url: str) -> tuple[Field, ...]:
    """The header that keeps a browser from ever asking without TLS again; none where we are reached without it."""
    return (_STRICT,) if base_url.startswith("https://") else ()


def guards(page_policy: str, base_url: str) -> tuple[Field, ...]:
    """The fields of every answer to a browser."""
    return ((b"content-security-policy", page_policy.encode()), *_GUARDS, *strict_transport(base_url))


def page_headers(page_policy: str, language: str, referrer: str = "no-referrer") -> dict[str, str]:
    """The fields of one page in a language that its reader chose, for who answers with it alone."""
    shown = {name.decode().title(): value.decode() for name, value in guards(page_policy, "")}
    chosen = {"Content-Language": language, "Vary": "Accept-Language", "Referrer-Policy": referrer}
    return {**shown, "Cache-Control": "no-store", **chosen}


def guarded(send: Send, fields: Iterable[Field]) -> Send:
    """Adds what keeps a browser safe to every answer, whoever made it; what a page says itself stands."""

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *[one for one in fields if one[0] not in present]]
            if b"cache-control" not in present:
                message["headers"].append((b"cache-control", b"no-store"))
        await send(message)

    return add
