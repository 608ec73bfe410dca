"""What all of them are made of: a server on loopback, and failures that a test orders one by one."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

from aiohttp import web

# `broken` fails before it does anything; `lost` does what it is asked and cuts the line; `silent` does it and never answers.
Failure = Literal["broken", "lost", "silent", "garbled", "busy"]


class Fake:
    """`failures` are the next requests' fate; everything that came is kept, with its exact bytes."""

    def __init__(self) -> None:
        self.url = ""
        self.failures: deque[Failure | None] = deque()
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.forever = asyncio.Event()

    async def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        raise NotImplementedError

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.seen.append((request.method, request.raw_path, headers, body))
        failure = self.failures.popleft() if self.failures else None
        if failure == "broken":
            return web.Response(status=500, text="<html>down for maintenance")
        if failure == "busy":
            return web.json_response({"error": {"type": "rate_limit_error", "message": "slow down"}}, status=429)
        status, found = await self.answer(request.method, request.raw_path, headers, body)
        if failure == "garbled":
            return web.Response(status=200, text="<html>")
        if failure == "lost" and request.transport is not None:
            request.transport.abort()
        if failure == "silent":
            await self.forever.wait()
        return web.json_response(found, status=status)


@asynccontextmanager
async def served(handle: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def running(fake: Fake) -> AsyncIterator[None]:
    async with served(fake.handle) as fake.url:
        with contextlib.ExitStack() as stack:
            stack.callback(fake.forever.set)
            yield
