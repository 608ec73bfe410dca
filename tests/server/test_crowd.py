"""Who gives way when there is no room, over real sockets."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablegram.server import run
from tablegram.server.run import build_server
from tablegram.settings import Settings
from tests.engine.waiting import until

ONE, OTHER = "127.0.0.2", "127.0.0.3"
ASK = b"GET /now HTTP/1.1\r\nHost: x\r\n\r\n"
LISTEN = b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"
BODY = b"POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"


class Hall:
    """An application with a page that answers at once, and one that goes on until it is told to end."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.listening = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while True:
                step = (await receive())["type"]
                await send({"type": f"{step}.complete"})
                if step == "lifespan.shutdown":
                    return
        more = scope["method"] == "POST"
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/stream":
            self.listening += 1
            await send({"type": "http.response.body", "body": b"first", "more_body": True})
            await self.ended.wait()
        await send({"type": "http.response.body", "body": b"end"})

    def end_streams(self) -> None:
        self.ended.set()


@dataclass
class Door:
    hall: Hall
    port: int
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def open(self, says: bytes = b"", address: str = ONE) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        self.writers.append(writer)
        if says:
            writer.write(says)
        return reader

    async def listen(self, times: int, address: str = ONE, says: bytes = LISTEN) -> None:
        for _ in range(times):
            reader = await self.open(says, address)
            await reader.readuntil(b"first")

    async def status(self, address: str = ONE, says: bytes = ASK) -> int:
        reader = await self.open(says, address)
        return int((await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)).split(b" ")[1])


@asynccontextmanager
async def door(**settings: Any) -> AsyncIterator[Door]:
    hall = Hall()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = build_server(hall, Settings(**settings))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    await until(lambda: server.started)
    here = Door(hall, listener.getsockname()[1])
    try:
        yield here
    finally:
        for writer in here.writers:
            writer.close()
        server.should_exit = True
        await task


async def is_closed(reader: asyncio.StreamReader) -> bool:
    """Whether it comes to its end, long before a head would be too late."""
    try:
        rest = await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return True
    return b"408" not in rest


@pytest.mark.parametrize("limit", ["connections_per_address", "max_connections"])
async def test_who_is_silent_longest_gives_way_and_nobody_is_kept_out(limit: str) -> None:
    async with door(**{limit: 10}) as here:
        silent = [await here.open() for _ in range(4)]
        started = [await here.open(b"GET /now HTT") for _ in range(3)]
        idle = [await here.open(ASK) for _ in range(3)]
        for reader in idle:
            await reader.readuntil(b"end")
        for reader in [*silent, *started, *idle]:
            assert await here.status() == 200
            assert await is_closed(reader)


async def test_a_body_that_does_not_come_gives_way_after_those_who_ask_for_nothing() -> None:
    async with door(connections_per_address=4) as here:
        slow = [await here.open(BODY + b"half") for _ in range(2)]
        await here.listen(1)
        idle = await here.open(ASK)
        await idle.readuntil(b"end")
        await here.listen(1)
        assert await is_closed(idle)
        for reader in slow:
            await here.listen(1)
            assert await is_closed(reader)
        # Now everybody is being served.
        assert await here.status() == 429


async def test_an_address_that_fills_its_place_with_streams_is_told_so_and_others_are_served() -> None:
    async with door(connections_per_address=5, max_connections=8) as here:
        await here.listen(5)
        answer = await (await here.open(ASK)).read()
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert b"retry-after: 5" in head
        assert b"connection: close" in head
        assert b'"code":"too_many_connections"' in body
        assert await here.status(OTHER) == 200
        await here.listen(3, OTHER)
        full = await (await here.open(ASK, "127.0.0.4")).read()
        assert full.startswith(b"HTTP/1.1 503 ")
        assert b'"code":"full"' in full


async def test_connections_of_a_trusted_proxy_are_everybodys_and_its_callers_are_counted_instead() -> None:
    trusted = (ipaddress.ip_network(f"{ONE}/32"),)
    async with door(connections_per_address=3, trusted_proxies=trusted) as here:

        def of(address: str, request: bytes) -> bytes:
            return request.replace(b"Host: x", b"Host: x\r\nX-Forwarded-For: " + address.encode())

        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
            await here.listen(3, says=of(address, LISTEN))
        assert await here.status(says=of("192.0.2.1", ASK)) == 429
        assert await here.status(says=of("192.0.2.9", ASK)) == 200
        # What a stranger writes of itself is not believed.
        await here.listen(3, OTHER, says=of("192.0.2.9", LISTEN))
        assert await here.status(OTHER, says=of("192.0.2.10", ASK)) == 429


async def test_no_more_than_the_system_has_files_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "open_files", lambda: 16)
    async with door(max_connections=0, connections_per_address=0) as here:
        await here.listen(10)
        assert await here.status() == 503


async def test_fields_behind_a_body_and_endless_chunks_are_cut_off() -> None:
    chunked = b"POST /now HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    endless = {
        "trailer": (b"0\r\nX-A: ", b"a" * 10_000),
        "trailers": (b"0\r\n", b"X-A: b\r\n" * 1_000),
        "extension": (b"1;a=", b"a" * 10_000),
        "extensions": (b"", b"1;a=bbbbbbbbbbbbbbbbbbbbbbbb\r\nx\r\n" * 300),
    }
    async with door() as here:
        for name, (first, again) in endless.items():
            reader = await here.open(chunked + first)
            writer = here.writers[-1]
            ended = asyncio.create_task(is_closed(reader))
            said = 0
            while not ended.done():
                writer.write(again)
                said += len(again)
                assert said < 50_000_000, name
                await asyncio.sleep(0.001)
            assert await ended, name
        fine = chunked + b"1\r\nx\r\n" * 500 + b"0\r\nX-A: b\r\n\r\n"
        assert await here.status(says=fine) == 200
