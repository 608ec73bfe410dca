"""Who may talk to the network, and how a connection is dropped without an answer.

The network has no sign-in: whoever reaches it can read every phone. So only this machine may,
unless it is opened on purpose; and a web page of someone else, open in a browser on this machine,
may not (it would come with a foreign `Host`, by DNS rebinding, or a foreign `Origin`).

Inside a gateway, who is signed in to its panel may hold the phones from elsewhere. Lines, faults and counters stay
the operators': they are everybody's, and a line's callback makes this machine call any address.

A pay page is open to whoever has its address, as pay pages are: the address cannot be guessed, and leads to one payment.
"""

from __future__ import annotations

import ipaddress
from typing import Any, cast
from urllib.parse import urlsplit

from litestar.types import Message, Receive, Scope, Send

from tablegram.web.addresses import forwarded_by

_OWN_NAMES = ("localhost", "127.0.0.1", "::1")
# What the page of the phones shows beside them, and what belongs to the phones alone.
_LOOKED_AT = ("/sandbox/numbers", "/sandbox/faults", "/sandbox/counters")
_PHONES = ("/sandbox/phones", "/sandbox/media/", "/sandbox/static/", "/sandbox/favicon.ico", "/sandbox/events")
_PAY = "/sandbox/pay/"
_DROP = "tablegram.sandbox.drop"


def refusal(scope: Scope, open_to_all: bool) -> str | None:
    """Why this request is not let in, in plain words; nothing when it is."""
    headers = _headers(scope)
    host = _host_name(headers.get(b"host", ""))
    origin = headers.get(b"origin", "")
    # "null" is what a page says that hides where it comes from.
    if not _is_own_page(headers):
        where = "a page that hides its address" if origin == "null" else f"a page of {origin}"
        return f"This request comes from {where}. The sandbox only takes requests of its own pages."
    if open_to_all:
        return None
    client = scope.get("client")
    if client is None or not _is_loopback(client[0]):
        return "The sandbox network is only open to the machine it runs on."
    forwarded = b",".join(forwarded_by(scope)).decode("latin-1")
    if any(not _is_loopback(hop.strip()) for hop in forwarded.split(",") if hop.strip()):
        return "The sandbox network is only open to the machine it runs on; this request was forwarded from another."
    if host not in _OWN_NAMES:
        return f"The sandbox answers to localhost and 127.0.0.1 only; this request asks for {host or 'no host'!r}."
    return None


def from_own_page(scope: Scope) -> bool:
    """Whether a cookie that comes along may count: a page of somebody else could have sent the request."""
    headers = _headers(scope)
    site = headers.get(b"sec-fetch-site", "same-origin")
    return _is_own_page(headers) and (scope.get("method") == "GET" or site in ("same-origin", "none"))


def is_control(scope: Scope) -> bool:
    """Whether the request turns the network itself, or shows more of it than its phones."""
    path = scope["path"]
    if path.startswith(_LOOKED_AT):
        return scope.get("method") != "GET"
    return not (path in ("/sandbox", "/sandbox/") or path.startswith(_PHONES))


def is_pay_page(scope: Scope) -> bool:
    return scope["path"].startswith(_PAY)


def _headers(scope: Scope) -> dict[bytes, str]:
    return {name: value.decode("latin-1") for name, value in scope["headers"]}


def _is_own_page(headers: dict[bytes, str]) -> bool:
    origin = headers.get(b"origin", "")
    return not origin or (urlsplit(origin).hostname or "") == _host_name(headers.get(b"host", ""))


def _host_name(header: str) -> str:
    try:
        return (urlsplit("//" + header).hostname or "").lower()
    except ValueError:
        return ""


def _is_loopback(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return parsed.is_loopback or (mapped is not None and mapped.is_loopback)


def drop_answer(scope: Scope) -> None:
    """From here on nothing of the answer leaves: the connection is closed in its place."""
    cast(dict[str, Any], scope)[_DROP] = True


def droppable(scope: Scope, receive: Receive, send: Send) -> Send:
    """A `send` that closes the connection instead when `drop_answer` was called."""

    async def send_or_drop(message: Message) -> None:
        if not cast(dict[str, Any], scope).get(_DROP):
            await send(message)
        elif message["type"] == "http.response.start":
            await _close(receive, send)

    return send_or_drop


async def _close(receive: Receive, send: Send) -> None:
    # ASGI has no word for this. uvicorn's own callables lead to the socket; where something else
    # stands around them, an answer that stops in the middle of its body is just as lost.
    owners = [getattr(function, "__self__", None) for function in (send, receive)]
    transport = next((found for owner in owners if (found := getattr(owner, "transport", None))), None)
    if transport is None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4096")]})
        await send({"type": "http.response.body", "body": b"{", "more_body": True})
        return
    transport.close()
    while (await receive())["type"] != "http.disconnect":
        pass
