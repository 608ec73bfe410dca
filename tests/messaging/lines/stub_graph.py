"""A Graph API on loopback whose answers a test scripts one by one, including answers that never come."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
from aiohttp import web

Step = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Seen:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    raw: bytes


@dataclass
class StubGraph:
    """`script` holds the coming answers; when it is empty, messages are accepted with numbered ids."""

    url: str = ""
    script: deque[Step] = field(default_factory=deque)
    seen: list[Seen] = field(default_factory=list)
    # Chooses an answer when none is scripted; nothing chosen means that the message is accepted.
    otherwise: Callable[[web.Request, bytes], Step | None] = lambda request, raw: None

    def answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self.script.append(respond(status, body, headers))

    def error(self, status: int, code: int, **more: Any) -> None:
        self.answer(status, {"error": {"message": f"(#{code})", "type": "OAuthException", "code": code, **more}})

    def drop(self) -> None:
        """Read the request whole, then cut the connection."""
        self.script.append(_drop)

    def hang(self) -> None:
        self.script.append(_hang)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = msgspec.json.decode(raw) if request.content_type == "application/json" and raw else None
        self.seen.append(Seen(request.method, request.path, dict(request.query), dict(request.headers), body, raw))
        if self.script:
            return await self.script.popleft()(request)
        chosen = self.otherwise(request, raw) or accepted(f"wamid.{len(self.seen)}")
        return await chosen(request)


def accepted(network_id: str) -> Step:
    return respond(
        200,
        {
            "messaging_product": "whatsapp",
            "contacts": [{"input": "905551112233", "wa_id": "905551112233"}],
            "messages": [{"id": network_id, "message_status": "accepted"}],
        },
    )


def respond(status: int, body: Any, headers: dict[str, str] | None = None) -> Step:
    async def step(request: web.Request) -> web.StreamResponse:
        if isinstance(body, bytes):
            return web.Response(status=status, body=body, headers=headers)
        return web.Response(
            status=status, body=msgspec.json.encode(body), content_type="application/json", headers=headers
        )

    return step


async def _drop(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def _hang(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(30)
    return web.Response()


@asynccontextmanager
async def stub_graph() -> AsyncIterator[StubGraph]:
    stub = StubGraph()
    async with serve(stub.handle) as url:
        stub.url = url
        yield stub


@asynccontextmanager
async def serve(handler: Step) -> AsyncIterator[str]:
    """Any handler on a free port of loopback; gives its address."""
    app = web.Application(client_max_size=200 * 1_048_576)
    app.router.add_route("*", "/{tail:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
