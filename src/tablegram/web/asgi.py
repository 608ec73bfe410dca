"""The words of ASGI that every listener uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

# Frameworks and servers each have types of their own for these; ours take what any of them gives.
Message = Any
Scope = Any
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Field = tuple[bytes, bytes]

# What these bring along is never read, and so never waited for.
BODILESS = ("GET", "HEAD", "OPTIONS")


async def answer(send: Send, status: int, fields: Iterable[Field], body: bytes = b"") -> None:
    """A whole answer at once. Its length is told here, so that no listener forgets it."""
    headers = [*fields, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def header(scope: Scope, name: bytes) -> str:
    """The first field of this name (in small letters); empty when there is none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def announced_length(scope: Scope) -> int:
    """How many bytes the body is said to have; -1 when nobody says."""
    text = header(scope, b"content-length")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else -1
