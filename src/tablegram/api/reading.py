"""Whether a request brings what its route takes: a body of the right kind, and a query that means one thing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import parse_qsl

from tablegram.api.exchange import Exchange
from tablegram.errors import Invalid, WrongContentType
from tablegram.web.bodies import ClientGone


def check_body_is_json(exchange: Exchange) -> None:
    """A body must be there, and be JSON."""
    if not exchange.has_body:
        raise Invalid.field("body", "missing", "The request has no body. Send a JSON object.")
    value = exchange.content_type
    if value != b"application/json" and value.split(b";", 1)[0].strip().lower() != b"application/json":
        raise WrongContentType("Send the body as JSON, with the header Content-Type: application/json.")


def check_body_is_file(exchange: Exchange) -> None:
    """A body must be there, and be the file itself."""
    if not exchange.has_body:
        raise Invalid.field("body", "missing", "The request has no body. Send the file itself as the body.")
    if exchange.content_type.strip().lower().startswith(b"multipart/"):
        raise WrongContentType("Send the file itself as the body, with its own Content-Type, and not a form.")


async def whole_file(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The file as it comes. One that breaks off is refused, so that no half of it is kept."""
    try:
        async for piece in pieces:
            yield piece
    except ClientGone:
        raise Invalid("The upload broke off before its end. Nothing was kept.", code="request_malformed") from None


def check_query(query: bytes) -> None:
    """Each parameter once, and none of them null: the framework would take the last one, and null for nothing."""
    seen = set()
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name in seen:
            raise Invalid.field(name[:100], "repeated", f"{name[:100]} may be given once.")
        if value.lower() in ("null", "none"):
            raise Invalid.field(name[:100], "wrong_type", f"{name[:100]} cannot be null. Leave it out instead.")
        seen.add(name)
