"""The lean client: what it promises about every way in which a call can end."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from yarl import URL

from tablegram.values.http.wire import (
    MAX_ANSWER_BYTES,
    Connection,
    Lost,
    Overtaken,
    Reply,
    Unsent,
    Wire,
    Wires,
    head,
    only_while,
)
from tests.engine.waiting import until

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


async def read_request(reader: asyncio.StreamReader) -> bytes:
    top = await reader.readuntil(b"\r\n\r\n")
    length = int(top.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return top + await reader.readexactly(length)


@asynccontextmanager
async def served(script: Script) -> AsyncIterator[tuple[Wire, URL, list[asyncio.StreamWriter]]]:
    """A server that follows a script on each connection, and a wire to it."""
    connections: list[asyncio.StreamWriter] = []

    async def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        try:
            await script(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
    url = URL(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook?a=1")
    wires = Wires()
    try:
        yield wires.to(url), url, connections
    finally:
        wires.close()
        server.close()
        for writer in connections:
            writer.close()


async def ask(
    wire: Wire, url: URL, body: bytes = b"{}", timeout_s: float = 5.0, keep_bytes: int | None = None
) -> Reply:
    top = head("POST", url, {"X-One": "1"})
    return await wire.ask(top + b"%d\r\n\r\n" % len(body) + body, timeout_s, keep_bytes=keep_bytes)


def answering(*answers: bytes) -> Script:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await read_request(reader)
            writer.write(answer)
            await writer.drain()

    return script


async def test_a_request_arrives_as_it_was_written() -> None:
    seen: list[bytes] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await read_request(reader))
        writer.write(OK)

    async with served(script) as (wire, url, _):
        reply = await ask(wire, url, b'{"a": 1}')
    assert (reply.status, reply.body) == (200, b"ok")
    top, _, body = seen[0].partition(b"\r\n\r\n")
    assert top.split(b"\r\n") == [
        b"POST /hook?a=1 HTTP/1.1",
        f"Host: 127.0.0.1:{url.port}".encode(),
        b"X-One: 1",
        b"Content-Length: 8",
    ]
    assert body == b'{"a": 1}'


async def test_a_connection_is_used_again() -> None:
    async with served(answering(OK, OK, OK)) as (wire, url, connections):
        for _ in range(3):
            assert (await ask(wire, url)).status == 200
        assert len(connections) == 1


async def test_calls_at_the_same_time_never_share_a_connection() -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            body = (await read_request(reader)).partition(b"\r\n\r\n")[2]
            await asyncio.sleep(0.01)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

    async with served(script) as (wire, url, connections):
        bodies = [b"%d" % number for number in range(20)]
        replies = await asyncio.gather(*[ask(wire, url, body) for body in bodies])
        assert [reply.body for reply in replies] == bodies
        assert len(connections) == 20


async def test_who_hung_until_there_was_a_connection_writes_nothing() -> None:
    asked: list[bytes] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            asked.append(await read_request(reader))
            writer.write(OK)

    async with served(note) as (wire, url, connections):
        is_ours = [True]
        dial = wire._dial

        async def hang(make: Callable[[], Connection]) -> Connection:
            is_ours[0] = False
            return await dial(make)

        wire._dial = hang
        with only_while(lambda: is_ours[0]), pytest.raises(Overtaken):
            await ask(wire, url, b"first")
        # Nobody asked before this one either; and the connection is as good as any.
        await ask(wire, url, b"second")
        assert [request[-6:] for request in asked] == [b"second"]
        assert len(connections) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok",
        b"HTTP/1.0 200 OK\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
    ],
    ids=["chunked", "interim first", "until the end", "old protocol", "told to close"],
)
async def test_every_form_of_an_answer_is_read(answer: bytes) -> None:
    async with served(answering(answer)) as (wire, url, _):
        reply = await ask(wire, url)
    assert (reply.status, reply.body) == (200, b"ok")


async def test_header_names_are_told_in_lower_case() -> None:
    answer = b"HTTP/1.1 429 Slow\r\nRETRY-After: 7\r\nContent-Length: 0\r\n\r\n"
    async with served(answering(answer)) as (wire, url, _):
        assert (await ask(wire, url)).headers[b"retry-after"] == b"7"


async def test_no_connection_means_surely_not_sent() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = URL(f"http://127.0.0.1:{taken.getsockname()[1]}/")
        with pytest.raises(Unsent, match="no connection"):
            await ask(Wires().to(url), url)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha",
        b"HTTP/1.1 200",
        b"this is not HTTP\r\n\r\n",
    ],
    ids=["nothing", "half a body", "half a chunk", "half a head", "nonsense"],
)
async def test_an_answer_that_is_not_whole_is_lost_and_not_unsent(answer: bytes) -> None:
    async with served(answering(answer)) as (wire, url, _):
        with pytest.raises(Lost):
            await ask(wire, url)


async def test_a_reset_does_not_count_as_the_end_of_an_answer_that_ends_with_its_connection() -> None:
    sent = asyncio.Event()

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"messages":[{"id":')
        await writer.drain()
        await sent.wait()
        # With this option a close is a reset: the rest of the answer is lost, and the other side is told so.
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async with served(script) as (wire, url, connections):
        asking = asyncio.create_task(ask(wire, url))
        await until(lambda: connections)
        # What was sent has to be read before the reset, which would throw it away unread.
        await asyncio.sleep(0.1)
        sent.set()
        with pytest.raises(Lost):
            await asking


async def test_a_silent_server_is_lost_after_the_time_and_its_connection_is_not_used_again() -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        await asyncio.sleep(30)

    async with served(script) as (wire, url, connections):
        with pytest.raises(Lost, match="in time"):
            await ask(wire, url, timeout_s=0.5)
        with pytest.raises(Lost):
            await ask(wire, url, timeout_s=0.5)
        assert len(connections) == 2


async def test_an_answer_without_end_is_cut_off() -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 65_536)
            await writer.drain()

    async with served(script) as (wire, url, _):
        with pytest.raises(Lost, match="too large"):
            await ask(wire, url)
        reply = await ask(wire, url, keep_bytes=100)
        assert (reply.status, reply.body) == (200, b"x" * 100)


async def test_an_answer_may_be_as_long_as_the_limit() -> None:
    body = b"y" * MAX_ANSWER_BYTES
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    async with served(answering(answer)) as (wire, url, _):
        assert (await ask(wire, url)).body == body


async def test_a_connection_that_the_server_closed_while_idle_is_not_used() -> None:
    async with served(answering(OK)) as (wire, url, connections):
        assert (await ask(wire, url)).status == 200
        await until(lambda: connections[0].is_closing() and wire._idle == [])
        assert (await ask(wire, url)).status == 200
        assert len(connections) == 2


async def test_a_server_that_speaks_unasked_is_not_trusted_again() -> None:
    async with served(answering(OK + OK, OK)) as (wire, url, connections):
        assert (await ask(wire, url)).status == 200
        await until(lambda: wire._idle == [])
        assert (await ask(wire, url)).status == 200
        assert len(connections) == 2


async def test_a_call_that_is_given_up_takes_its_connection_along() -> None:
    asked: list[bytes] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await read_request(reader))
        # The second call is answered at once; the first one never.
        await asyncio.sleep(0 if len(asked) > 1 else 60)
        writer.write(OK)

    async with served(script) as (wire, url, connections):
        call = asyncio.create_task(ask(wire, url))
        await until(lambda: asked)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await ask(wire, url)).status == 200
        assert len(connections) == 2


async def test_idle_connections_are_closed_by_us() -> None:
    async with served(answering(OK, OK)) as (_, url, connections):
        wires = Wires()
        wire = wires.to(url)
        wire._keep_s = 0.05
        await ask(wire, url)
        await until(lambda: wire._idle == [])
        await ask(wire, url)
        assert len(connections) == 2
        wires.close()


async def test_who_has_been_idle_for_less_long_stays_and_is_looked_at_in_its_time() -> None:
    async with served(answering(OK, OK)) as (wire, url, _):
        await asyncio.gather(ask(wire, url), ask(wire, url))
        old, fresh = wire._idle
        old.idle_since -= wire._keep_s
        wire._reap()
        assert wire._idle == [fresh]
        assert not fresh.transport.is_closing()
        assert wire._reaper is not None
        # The loop counts in milliseconds.
        assert wire._reaper.when() == pytest.approx(fresh.idle_since + wire._keep_s, abs=0.01)


async def test_a_connection_is_used_until_its_time_and_not_then(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(answering(*[OK] * 4)) as (wire, url, connections):
        await ask(wire, url)
        idle_since, loop = wire._idle[0].idle_since, asyncio.get_running_loop()
        for later_s, used in ((wire._keep_s - 0.001, 1), (wire._keep_s, 2)):
            wire._idle[0].idle_since = idle_since
            stopped = SimpleNamespace(
                time=lambda now=idle_since + later_s: now, create_future=loop.create_future, call_later=loop.call_later
            )
            monkeypatch.setattr(wire, "_loop", stopped)
            await ask(wire, url)
            assert len(connections) == used


def test_a_value_cannot_start_a_header_of_its_own() -> None:
    top = head("POST", URL("https://example.com/a"), {"Authorization": "Bearer a\r\nX-Evil: 1\0"})
    assert top == b"POST /a HTTP/1.1\r\nHost: example.com\r\nAuthorization: Bearer aX-Evil: 1\r\nContent-Length: "
