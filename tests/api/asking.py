"""One request, straight into an application, without a server in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol
from urllib.parse import unquote

import msgspec


class Asked(Protocol):
    """Whatever has an application to ask."""

    @property
    def api(self) -> Callable[[Any, Any, Any], Awaitable[None]]: ...


class Reply:
    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status = status
        self.headers = {name.decode(): value.decode() for name, value in headers}
        self.body = body

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


async def ask(
    asked: Asked,
    method: str,
    path: str,
    body: Any = None,
    *,
    key: str | None,
    headers: dict[str, str] | None = None,
    content_type: str | None = "application/json",
    client: str = "192.0.2.1",
    base: str = "/api/v1",
) -> Reply:
    """`body` may be bytes, or anything that JSON can hold."""
    fields: list[tuple[bytes, bytes]] = [
        (name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()
    ]
    if key is not None:
        fields.append((b"authorization", b"Bearer " + key.encode()))
    raw = b""
    if body is not None:
        raw = body if isinstance(body, bytes) else msgspec.json.encode(body)
        fields.append((b"content-length", str(len(raw)).encode()))
        if content_type is not None:
            fields.append((b"content-type", content_type.encode()))
    sent: list[Any] = []
    asking, answered = False, asyncio.Event()

    async def receive() -> Any:
        nonlocal asking
        if asking:
            # As a server does: the caller stays on the line until it has the whole answer.
            await answered.wait()
            return {"type": "http.disconnect"}
        asking = True
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            answered.set()

    await asked.api(request(method, base + path, fields, client), receive, send)
    start = sent[0]
    return Reply(start["status"], list(start["headers"]), b"".join(message.get("body", b"") for message in sent[1:]))


def request(method: str, address: str, fields: list[tuple[bytes, bytes]], client: str = "192.0.2.1") -> dict[str, Any]:
    """The head of a request, as a server hands it on."""
    target, _, query = address.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(target),
        "raw_path": target.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": fields,
        "client": (client, 1234),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
