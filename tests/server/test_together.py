"""An answer's head goes out with its body, and nothing that somebody waits for waits for that; over real sockets."""

from __future__ import annotations

import asyncio
import gc
import socket
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tablegram.server.protocol import LimitedProtocol
from tablegram.server.run import build_server
from tablegram.settings import Settings
from tablegram.wiring.lifespan import follow_server

WITHIN_S = 60.0


class House:
    """Answers as its address says. What is written to callers is kept, write by write."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()
        self.written: list[bytes] = []
        self.asked: list[weakref.ref[Any]] = []
        self.port = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await follow_server(_nothing, _nothing, receive, send)
            return
        await receive()
        pieces = {"/empty": [b""], "/pieces": [b"one", b"two"]}.get(scope["path"], [b"body"])
        headers = [(b"content-length", b"%d" % sum(map(len, pieces)))]
        if scope["path"] == "/stream":
            headers = []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["path"] == "/breaks":
            raise RuntimeError("the house broke down")
        if scope["path"] == "/stream":
            await self.may_go_on.wait()
        for piece in pieces[:-1]:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": pieces[-1]})

    async def answers(self, path: str, method: str = "GET") -> bytes:
        """All that is said to one request, until the connection ends."""
        self.written.clear()
        return await self.talk(f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())

    async def talk(self, words: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(words)
        said = await asyncio.wait_for(reader.read(), WITHIN_S)
        writer.close()
        return said


class _Listening(asyncio.Transport):
    """A connection, and who listens to what is written to it."""

    def __init__(self, transport: asyncio.Transport, written: list[bytes]) -> None:
        super().__init__()
        self._transport = transport
        self._written = written

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._written.append(bytes(data))
        self._transport.write(data)

    def __getattribute__(self, name: str) -> Any:
        if name in ("write", "_transport", "_written"):
            return object.__getattribute__(self, name)
        return getattr(self._transport, name)


@asynccontextmanager
async def open_house() -> AsyncIterator[House]:
    house, listener = House(), socket.socket()
    listener.bind(("127.0.0.1", 0))
    house.port = listener.getsockname()[1]
    server = build_server(house, Settings())
    kind: Any = server.config.http

    class Watched(kind):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(_Listening(transport, house.written))

        def _start_asgi_task(self, cycle: Any, app: Any) -> None:
            house.asked.append(weakref.ref(cycle))
            super()._start_asgi_task(cycle, app)

    assert issubclass(Watched, LimitedProtocol)
    server.config.http = Watched
    task = asyncio.create_task(server.serve(sockets=[listener]))
    async with asyncio.timeout(WITHIN_S):
        while not server.started:
            await asyncio.sleep(0.01)
    try:
        yield house
    finally:
        house.may_go_on.set()
        server.should_exit = True
        await task


async def _nothing() -> None:
    return None


async def test_an_answer_is_written_in_one_piece() -> None:
    async with open_house() as house:
        for path, body in (("/", b"body"), ("/empty", b"")):
            said = await house.answers(path)
            assert said.startswith(b"HTTP/1.1 200 OK\r\n")
            assert said.endswith(b"\r\n\r\n" + body)
            assert house.written == [said]


async def test_an_answer_in_pieces_has_its_head_with_the_first() -> None:
    async with open_house() as house:
        said = await house.answers("/pieces")
        assert said.endswith(b"\r\n\r\nonetwo")
        assert [one[-7:] for one in house.written] == [b"\r\n\r\none", b"two"]


async def test_the_head_of_a_stream_waits_for_nothing() -> None:
    async with open_house() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        # Nothing of the body is said before it may be.
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WITHIN_S)
        assert b"transfer-encoding: chunked" in head
        house.may_go_on.set()
        assert await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), WITHIN_S) == b"4\r\nbody\r\n0\r\n\r\n"
        writer.close()


async def test_an_answer_to_head_ends_with_its_fields_and_the_next_one_follows() -> None:
    async with open_house() as house:
        said = await house.talk(
            b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        fields, _, rest = said.partition(b"\r\n\r\n")
        assert b"content-length: 4" in fields
        assert rest.startswith(b"HTTP/1.1 200 OK\r\n")
        assert rest.endswith(b"\r\n\r\nbody")


async def test_an_answer_that_breaks_off_is_heard_as_far_as_it_went() -> None:
    async with open_house() as house:
        said = await house.answers("/breaks")
        # No second answer behind the first head, which says how much is missing.
        assert said.startswith(b"HTTP/1.1 200 OK\r\n")
        assert said.count(b"HTTP/1.1") == 1
        assert said.endswith(b"\r\n\r\n")


async def test_who_asks_whether_to_go_on_is_told_before_the_answer() -> None:
    async with open_house() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        assert await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WITHIN_S) == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"hi")
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WITHIN_S)
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert await asyncio.wait_for(reader.readexactly(4), WITHIN_S) == b"body"
        assert house.written[-1].endswith(b"\r\n\r\nbody")
        writer.close()


async def test_an_answered_request_leaves_nothing_behind_for_the_collector() -> None:
    async with open_house() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        gc.disable()
        try:
            # The connection knows the last request; the ones before it are gone by themselves.
            for path in ("/", "/pieces", "/empty", "/"):
                writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WITHIN_S)
                length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
                await asyncio.wait_for(reader.readexactly(length), WITHIN_S)
            async with asyncio.timeout(WITHIN_S):
                while any(one() for one in house.asked[:-1]):
                    await asyncio.sleep(0.01)
        finally:
            gc.enable()
        writer.close()
        assert len(house.asked) == 4
