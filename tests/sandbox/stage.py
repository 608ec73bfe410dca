"""A running sandbox network and a line's side of it: sends through the wire format, and keeps the callbacks it is told."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import uvicorn
from aiohttp import web

from tablegram.sandbox import app as sandbox

ANNA, TOM = "905551112233", "447700900123"
LINE, TOKEN, SECRET, VERIFY = "1065403522", "token-1", "app-secret", "verify-me"
DISPLAY = "15550783881"


class Stage:
    """`answers` are the statuses the line gives to the next callbacks (200 when empty)."""

    def __init__(self, url: str, callback_url: str, http: aiohttp.ClientSession, told: list[dict[str, Any]]) -> None:
        self.url, self.callback_url, self.http, self.told = url, callback_url, http, told
        self.answers: list[int] = []

    async def call(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, Any]:
        async with self.http.request(method, self.url + path, json=body, **options) as answer:
            raw = await answer.read()
            return answer.status, json.loads(raw) if raw.startswith((b"{", b"[")) else raw

    async def register(self, line: str = LINE, token: str = TOKEN, **more: Any) -> None:
        record = {
            "access_token": token,
            "app_secret": SECRET,
            "verify_token": VERIFY,
            "callback_url": self.callback_url,
            "display_phone_number": DISPLAY,
            "name": "Demo",
            **more,
        }
        status, _ = await self.call("PUT", f"/numbers/{line}", record)
        assert status == 200

    async def send(self, to: str = ANNA, *, line: str = LINE, token: str = TOKEN, **body: Any) -> tuple[int, Any]:
        if "type" not in body and "status" not in body:
            body |= {"type": "text", "text": {"body": "Hello"}}
        message = {"messaging_product": "whatsapp", "to": to, **body}
        return await self.call("POST", f"/graph/v25.0/{line}/messages", message, headers=bearer(token))

    async def sent(self, to: str = ANNA, **body: Any) -> str:
        status, answer = await self.send(to, **body)
        assert status == 200, answer
        return str(answer["messages"][0]["id"])

    async def write(self, phone: str = ANNA, **draft: Any) -> dict[str, Any]:
        status, answer = await self.call("POST", f"/phones/{phone}/messages", draft)
        assert status == 201, answer
        return dict(answer)

    async def on_phone(self, phone: str = ANNA) -> list[dict[str, Any]]:
        _, answer = await self.call("GET", f"/phones/{phone}/messages?after=0")
        return list(answer["data"])

    async def fault(self, kind: str, **more: Any) -> dict[str, Any]:
        status, fault = await self.call("POST", "/faults", {"kind": kind, **more})
        assert status == 201, fault
        return dict(fault)

    def values(self) -> list[dict[str, Any]]:
        return [change["value"] for body in self.told for entry in body["entry"] for change in entry["changes"]]

    def statuses(self, wamid: str | None = None) -> list[dict[str, Any]]:
        found = [status for value in self.values() for status in value.get("statuses", [])]
        return [status for status in found if wamid in (None, status["id"])]

    def messages(self) -> list[dict[str, Any]]:
        return [message for value in self.values() for message in value.get("messages", [])]

    async def until(self, met: Callable[[], Any], within_s: float = 30) -> None:
        async with asyncio.timeout(within_s):
            while not met():
                await asyncio.sleep(0.01)

    async def until_failed(self, attempts: int) -> None:
        """A line that is away was tried so many times."""
        async with asyncio.timeout(30):
            while (await self.call("GET", "/counters"))[1]["callbacks"]["failed_attempts"] < attempts:
                await asyncio.sleep(0.01)

    async def settled(self) -> None:
        """Every callback has been answered."""
        async with asyncio.timeout(30):
            while (await self.call("GET", "/counters"))[1]["callbacks"]["pending"]:
                await asyncio.sleep(0.01)


def bearer(token: str = TOKEN) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def running(
    store: Path, *, open_to_all: bool = False, app: sandbox.SandboxApp | None = None
) -> AsyncIterator[str]:
    """The network on a free port; its address, ending in /sandbox."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app = app or sandbox.create(store, open_to_all=open_to_all)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1))
        task = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            while not server.started:
                await asyncio.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/sandbox"
        finally:
            app.end_streams()
            server.should_exit = True
            await task


@asynccontextmanager
async def stage(store: Path) -> AsyncIterator[Stage]:
    """A network with one line, whose callbacks land in `told` after their signature was checked."""
    told: list[dict[str, Any]] = []

    async def callback(request: web.Request) -> web.Response:
        raw = await request.read()
        expected = "sha256=" + hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest()
        assert request.headers["X-Hub-Signature-256"] == expected
        status = made.answers.pop(0) if made.answers else 200
        if status == 200:
            told.append(json.loads(raw))
        return web.Response(status=status)

    async def handshake(request: web.Request) -> web.Response:
        good = request.query["hub.verify_token"] == VERIFY and request.query["hub.mode"] == "subscribe"
        return web.Response(text=request.query["hub.challenge"] if good else "no", status=200 if good else 403)

    receiver = web.Application()
    receiver.add_routes([web.post("/callback", callback), web.get("/callback", handshake)])
    runner = web.AppRunner(receiver, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/callback"
    try:
        async with running(store) as url, aiohttp.ClientSession() as http:
            made = Stage(url, address, http, told)
            await made.register()
            yield made
    finally:
        await runner.cleanup()
