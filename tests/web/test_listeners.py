"""Every listener keeps the same limits: slow, endless and overlarge bodies, over real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablegram.server.run import build_server
from tests.menu_page.house import House, open_house
from tests.panel.visiting import House as Panel

pytestmark = pytest.mark.once

LIMITS = {
    "sandbox": True,
    "body_idle_s": 0.4,
    "body_within_s": 1.0,
    "anonymous_rate_limit": 1e6,
    "anonymous_rate_burst": 10_000,
}
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


@asynccontextmanager
async def listening(database_url: str, folder: Path) -> AsyncIterator[tuple[House, int]]:
    async with open_house(database_url, folder, **LIMITS) as house:
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        server = build_server(_asked(house), house.running.api.settings)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield house, listener.getsockname()[1]
        finally:
            server.should_exit = True
            await task


def _asked(house: House) -> object:
    """The product without its start and end, which the house has seen to."""

    async def app(scope: dict[str, str], receive: object, send: object) -> None:
        if scope["type"] == "lifespan":
            while True:
                step = (await receive())["type"]  # type: ignore[operator]
                await send({"type": f"{step}.complete"})  # type: ignore[operator]
                if step == "lifespan.shutdown":
                    return
        await house.running.api(scope, receive, send)  # type: ignore[arg-type]

    return app


async def talk(port: int, head: str, body: bytes = b"", *, drip_s: float = 0.0, length: int = 100) -> tuple[int, bytes]:
    """Send a head and a body, byte by byte if it should drip; the status and the rest of what comes back."""
    loop = asyncio.get_running_loop()
    with socket.socket() as caller:
        caller.setblocking(False)
        await loop.sock_connect(caller, ("127.0.0.1", port))
        whole = f"{head}Host: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n".encode()
        await loop.sock_sendall(caller, whole + (b"" if drip_s else body))

        async def drip() -> None:
            for byte in body if drip_s else b"":
                await loop.sock_sendall(caller, bytes([byte]))
                await asyncio.sleep(drip_s)

        dripping = asyncio.ensure_future(drip())
        answer = b""
        try:
            async with asyncio.timeout(30):
                while part := await loop.sock_recv(caller, 65_536):
                    answer += part
        except ConnectionResetError:
            # The last drop fell on a closed connection; what was said before it has been read.
            pass
        finally:
            dripping.cancel()
            await asyncio.gather(dripping, return_exceptions=True)
    return int(answer.split(b" ", 2)[1]), answer


async def heads(house: House) -> dict[str, str]:
    """Where each listener takes a body: its request up to the header fields that all share."""
    panel = Panel(house.running)
    owner = await panel.person()
    line = (await house.running.ask("POST", "/instances", {"kind": "sandbox", "name": "x"})).json()
    hook = f"/hooks/cloud/{(await house.running.api.instances.get(1, line['id'])).hook_key}"
    cookie = f"Cookie: tablegram_session={owner.token}\r\n"
    return {
        "api": f"POST /api/v1/messages/send HTTP/1.1\r\nAuthorization: Bearer {house.running.keys[0]}\r\nContent-Type: {JSON}\r\n",
        "upload": f"POST /api/v1/media HTTP/1.1\r\nAuthorization: Bearer {house.running.keys[0]}\r\nContent-Type: image/png\r\n",
        "panel": f"POST /panel/language HTTP/1.1\r\n{cookie}Content-Type: {FORM}\r\n",
        "panel with its proof": f"POST /panel/language HTTP/1.1\r\n{cookie}X-CSRF: {await owner.csrf()}\r\nContent-Type: {FORM}\r\n",
        "panel file": f"POST /panel/contacts/import HTTP/1.1\r\n{cookie}Content-Type: multipart/form-data; boundary=edge\r\n",
        "stranger": f"POST /panel/sign-in HTTP/1.1\r\nContent-Type: {FORM}\r\n",
        "menu": f"POST /api/v1/menu/carts HTTP/1.1\r\nContent-Type: {JSON}\r\n",
        "hook": f"POST {hook} HTTP/1.1\r\n",
        "sandbox": f"PUT /sandbox/phones/905551112233 HTTP/1.1\r\nContent-Type: {JSON}\r\n",
    }


async def test_silence_and_drops_end_with_408_at_every_listener(database_url: str, tmp_path: Path) -> None:
    async with listening(database_url, tmp_path) as (house, port):
        asked = await heads(house)
        silent = asyncio.gather(*(talk(port, head) for head in asked.values()))
        dripping = asyncio.gather(*(talk(port, head, b"a" * 90, drip_s=0.05) for head in asked.values()))
        for answers in (await silent, await dripping):
            for name, (status, answer) in zip(asked, answers, strict=True):
                assert status == 408, (name, answer)
                assert b"connection: close" in answer.lower(), name
                assert b"Nothing was done" in answer or b"nothing was changed" in answer, name
        # Whoever waited took nobody's place.
        assert (await house.running.ask("GET", "/me")).status == 200


async def test_a_body_that_is_too_large_is_413_at_every_listener_and_is_not_waited_for(
    database_url: str, tmp_path: Path
) -> None:
    async with listening(database_url, tmp_path) as (house, port):
        asked = await heads(house)
        large = asyncio.gather(*(talk(port, head, b"x", length=500_000_000) for head in asked.values()))
        for name, (status, answer) in zip(asked, await large, strict=True):
            assert status == 413, (name, answer)


async def test_a_form_of_many_fields_is_refused_in_words(database_url: str, tmp_path: Path) -> None:
    async with listening(database_url, tmp_path) as (house, port):
        asked = await heads(house)
        body = b"a=&" * 20_000
        for name in ("panel", "panel with its proof", "stranger"):
            status, answer = await talk(port, asked[name] + "Connection: close\r\n", body, length=len(body))
            assert (status, b"far more fields" in answer) == (413, True), name
