"""Reading a request's body: of the right kind, not too large, not too slow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

from tablegram.api.exchange import Exchange
from tablegram.api.patience import Patience, TooSlow
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


def check_body_is_file(exchange: Exchange, max_bytes: int) -> None:
    """A body must be there, and be the file itself."""
    if not exchange.has_body:
        raise Invalid.field("body", "missing", "The request has no body. Send the file itself as the body.")
    if exchange.content_type.strip().lower().startswith(b"multipart/"):
        raise WrongContentType("Send the file itself as the body, with its own Content-Type, and not a form.")
    if exchange.content_length > max_bytes:
        raise _file_too_large(max_bytes)


async def read_file(receive: Receive, max_bytes: int, patience: Patience) -> AsyncIterator[bytes]:
    """The body piece by piece, as it comes. Nothing of it is kept here."""
    size, more = 0, True
    while more:
        try:
            message = await _next(receive, patience)
        except ClientGone:
            raise Invalid("The upload broke off before its end. Nothing was kept.", code="request_malformed") from None
        more = message.get("more_body", False)
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > max_bytes:
            raise _file_too_large(max_bytes)
        if part:
            yield part


def check_query(query: bytes) -> None:
    """Each parameter once, and none of them null: the framework would take the last one, and null for nothing."""
    seen = set()
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name in seen:
            raise Invalid.field(name[:100], "repeated", f"{name[:100]} may be given once.")
        if value.lower() in ("null", "none"):
            raise Invalid.field(name[:100], "wrong_type", f"{name[:100]} cannot be null. Leave it out instead.")
        seen.add(name)


async def read_body(exchange: Exchange, receive: Receive, max_bytes: int, patience: Patience) -> bytes:
    if exchange.content_length > max_bytes:
        raise _too_large(max_bytes)
    message = await _next(receive, patience)
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        if len(body) > max_bytes:
            raise _too_large(max_bytes)
        return body
    parts, size = [body], len(body)
    while True:
        if size > max_bytes:
            raise _too_large(max_bytes)
        message = await _next(receive, patience)
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if not message.get("more_body", False) and size <= max_bytes:
            return b"".join(parts)


async def _next(receive: Receive, patience: Patience) -> Any:
    try:
        message = await patience.wait_for(receive)
    except TooSlow:
        raise BodyTooSlow(
            f"No byte of the body came for {patience.limit_s:g} seconds. Nothing was done; send the request again.",
            headers={"Connection": "close"},
        ) from None
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message


def _file_too_large(max_bytes: int) -> BodyTooLarge:
    return BodyTooLarge(f"A file may have at most {max_bytes // 1_048_576} MB. Nothing was kept; send a smaller one.")


def _too_large(max_bytes: int) -> BodyTooLarge:
    return BodyTooLarge(f"The body may have at most {max_bytes:,} bytes. Nothing was done; send less in one call.")
