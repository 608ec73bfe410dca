"""A small front: it asks each server at /readyz whether to send it requests, and repeats none.

It keeps its connections to the servers, as proxies do, and leaves those on which a server says that it closes them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

Spoken = tuple[asyncio.StreamReader, asyncio.StreamWriter]

LOOK_EVERY_S = 0.2
# A look that takes longer says nothing of the server, but that the machine is busy.
LOOK_WITHIN_S = 8.0
ANSWER_WITHIN_S = 60.0


@dataclass(frozen=True, slots=True)
class Message:
    """A request or an answer as it came, without what it says of the connection."""

    head: bytes
    body: bytes
    # The connection carries no other.
    is_last: bool

    @property
    def status(self) -> int:
        return int(self.head.split(b" ", 2)[1])


async def read(reader: asyncio.StreamReader) -> Message:
    lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
    length, is_last, kept = 0, False, []
    for line in lines:
        name, _, value = line.partition(b":")
        match name.strip().lower():
            case b"connection":
                is_last = value.strip().lower() == b"close"
                continue
            case b"content-length":
                length = int(value)
            case b"transfer-encoding":
                raise ValueError("the body has no length")
        kept.append(line)
    return Message(b"\r\n".join(kept), await reader.readexactly(length), is_last)


async def exchange(spoken: Spoken, request: bytes, within_s: float) -> Message:
    async with asyncio.timeout(within_s):
        spoken[1].write(request)
        return await read(spoken[0])


@dataclass
class Front:
    ports: list[int]
    # Requests that were answered, by the number of the server; and those that were not.
    passed: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _ready: set[int] = field(default_factory=set)
    # Those that are sent nothing, whatever they say; and how many requests each has not answered yet.
    _drained: set[int] = field(default_factory=set)
    _asked: Counter[int] = field(default_factory=Counter)
    _idle: dict[int, list[Spoken]] = field(default_factory=dict)
    _turn: int = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        looking = [asyncio.create_task(self._look_forever(port)) for port in self.ports]
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            for one in looking:
                one.cancel()
            await asyncio.gather(*looking, return_exceptions=True)
            server.close()
            for spoken in [one for several in self._idle.values() for one in several]:
                spoken[1].close()

    async def knows(self, *ports: int, within_s: float) -> None:
        async with asyncio.timeout(within_s):
            while not self._ready.issuperset(ports):
                await asyncio.sleep(0.05)

    async def drain(self, port: int, within_s: float) -> None:
        """Send it nothing any more, and wait for what it was asked."""
        self._drained.add(port)
        async with asyncio.timeout(within_s):
            while self._asked[port]:
                await asyncio.sleep(0.05)
        for spoken in self._idle.pop(port, []):
            spoken[1].close()

    async def _look_forever(self, port: int) -> None:
        while True:
            # A look that took too long changes nothing.
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_WITHIN_S):
                    (self._ready.add if await self._is_ready(port) else self._ready.discard)(port)
            await asyncio.sleep(LOOK_EVERY_S)

    async def _is_ready(self, port: int) -> bool:
        try:
            spoken = await asyncio.open_connection("127.0.0.1", port)
            try:
                asked = b"GET /readyz HTTP/1.1\r\nHost: front\r\n\r\n"
                return (await exchange(spoken, asked, LOOK_WITHIN_S)).status == 200
            finally:
                spoken[1].close()
        except TimeoutError:
            raise
        except (OSError, EOFError, ValueError):
            return False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                asked = await read(reader)
                answer = await self._passed_on(asked)
                writer.write(answer.head + b"\r\n\r\n" + answer.body)
                await writer.drain()
        except (OSError, EOFError):
            # Who called has what they wanted.
            pass
        finally:
            writer.close()

    async def _passed_on(self, asked: Message) -> Message:
        able = [port for port in self.ports if port in self._ready - self._drained]
        if not able:
            return self._failed("no server is ready")
        self._turn += 1
        port = able[self._turn % len(able)]
        self._asked[port] += 1
        try:
            spoken = self._kept(port) or await asyncio.open_connection("127.0.0.1", port)
            answer = await exchange(spoken, asked.head + b"\r\n\r\n" + asked.body, ANSWER_WITHIN_S)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            return self._failed(f"server {self.ports.index(port) + 1} gave no answer: {error!r}")
        finally:
            self._asked[port] -= 1
        if answer.is_last:
            spoken[1].close()
        else:
            self._idle.setdefault(port, []).append(spoken)
        self.passed[self.ports.index(port) + 1] += 1
        return answer

    def _kept(self, port: int) -> Spoken | None:
        """A connection on which nobody waits, and which the server has not ended."""
        idle = self._idle.get(port, [])
        while idle:
            spoken = idle.pop()
            if not (spoken[0].at_eof() or spoken[1].is_closing()):
                return spoken
            spoken[1].close()
        return None

    def _failed(self, why: str) -> Message:
        self.wrong.append(f"the front failed: {why}")
        return Message(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0", b"", is_last=False)
