"""A customer's server that answers by script, over real sockets: well, badly, slowly, or not at all."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tests.ports import free_port


@dataclass(frozen=True)
class Seen:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes
    status: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


def answer(status: int, body: bytes = b"", **headers: str) -> bytes:
    fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} X\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body


# What to do with a request: bytes to answer, or one of the misbehaviours by name.
OK = answer(200, b"thank you")
ERROR = answer(500, b"something broke")
REDIRECT = answer(302, Location="/elsewhere")
GONE = answer(410)
HUGE = answer(200, b"x" * 5_000_000)
BUSY = answer(429, b"slow down", Retry_After="90")
RESET, TORN, TORN_HEAD, SILENCE, GARBAGE = "reset", "torn", "torn head", "silence", "garbage"
DRIP, DRIPPING_HEAD = "drip", "dripping head"

Decide = Callable[[Seen], bytes | str]


@dataclass
class Receiver:
    port: int = 0
    seen: list[Seen] = field(default_factory=list)
    # The next answers, one a request; when they are used up, `usual`.
    script: list[bytes | str] = field(default_factory=list)
    usual: bytes | str = OK
    decide: Decide | None = None
    # While it is closed, answers are held back.
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    # Those that are held back until they are let go one by one, by the text of their event.
    held: set[str] = field(default_factory=set)
    at_once: int = 0
    most_at_once: int = 0
    connections: int = 0
    _server: asyncio.Server | None = None
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def taken(self) -> list[Seen]:
        return [one for one in self.seen if one.status == "OK"]

    def ids(self) -> list[str]:
        return [one.id for one in self.seen]

    async def listen(self) -> None:
        # Held, so that nobody is given it while this one is away.
        self.port = self.port or free_port()
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", self.port, backlog=512)

    async def refuse(self) -> None:
        """Go away: connections are refused until `listen` is called again."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            request = Seen(head[0].split(" ")[1], headers, body, "")
            act = self.script.pop(0) if self.script else self.decide(request) if self.decide else self.usual
            good = isinstance(act, bytes) and act.startswith(b"HTTP/1.1 2")
            self.seen.append(Seen(request.path, headers, body, "OK" if good else "NO"))
            await self.gate.wait()
            while self.held and request.json()["data"].get("text") in self.held:
                await asyncio.sleep(0.005)
            return await _act(act, writer)
        finally:
            self.at_once -= 1


async def _act(act: bytes | str, writer: asyncio.StreamWriter) -> bool:
    """Answer; whether the connection can be used again."""
    if isinstance(act, bytes):
        writer.write(act)
        await writer.drain()
        return True
    if act == GARBAGE:
        writer.write(b"this is not HTTP\r\n\r\n")
    elif act in (TORN, TORN_HEAD):
        whole = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf an ans"
        writer.write(whole if act == TORN else whole[:30])
        await writer.drain()
        await asyncio.sleep(0.05)
    elif act == DRIP:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
        await _drip(writer, b"." * 10_000)
    elif act == DRIPPING_HEAD:
        await _drip(writer, b"HTTP/1.1 200 OK\r\nX-Long: " + b"." * 10_000)
    elif act == SILENCE:
        await asyncio.sleep(60)
    if act in (RESET, TORN, TORN_HEAD):
        # A reset, not a polite end.
        raw: socket.socket = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False


async def _drip(writer: asyncio.StreamWriter, text: bytes) -> None:
    for start in range(len(text)):
        writer.write(text[start : start + 1])
        await writer.drain()
        await asyncio.sleep(0.02)


@asynccontextmanager
async def receiver(**options: Any) -> AsyncIterator[Receiver]:
    one = Receiver(**options)
    one.gate.set()
    await one.listen()
    try:
        yield one
    finally:
        one.gate.set()
        await one.refuse()
