"""Reading a request's body: of the right kind, not too large, not too slow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tablegram.api.exchange import Exchange
from tablegram.api.problems import BodyTooLarge, BodyTooSlow, WrongContentType
from tablegram.errors import Invalid

Receive = Callable[[], Awaitable[Any]]


class ClientGone(Exception):
    """The caller hung up; nobody is left to answer."""


def check_body_is_json(exchange: Exchange) -> None:
    """A body must be there, and be JSON."""
    if not exchange.has_body:
        raise Invalid.field("body", "missing", "The request has no body. Send a JSON object.")
    value = exchange.content_type
    if value != b"application/json" and value.split(b";", 1)[0].strip().lower() != b"application/json":
        raise WrongContentType("Send the body as JSON, with the header Content-Type: application/json.")


async def read_body(exchange: Exchange, receive: Receive, max_bytes: int, idle_s: float) -> bytes:
    if exchange.content_length > max_bytes:
        raise _too_large(max_bytes)
    message = await _next(receive, idle_s)
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        if len(body) > max_bytes:
            raise _too_large(max_bytes)
        return body
    parts, size = [body], len(body)
    while True:
        if size > max_bytes:
            raise _too_large(max_bytes)
        message = await _next(receive, idle_s)
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if not message.get("more_body", False) and size <= max_bytes:
            return b"".join(parts)


async def _next(receive: Receive, idle_s: float) -> Any:
    try:
        async with asyncio.timeout(idle_s):
            message = await receive()
    except TimeoutError:
        raise BodyTooSlow(
            f"No byte of the body came for {idle_s:g} seconds. Nothing was done; send the request again.",
            headers={"Connection": "close"},
        ) from None
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message


def _too_large(max_bytes: int) -> BodyTooLarge:
    return BodyTooLarge(f"The body may have at most {max_bytes:,} bytes. Nothing was done; send less in one call.")
