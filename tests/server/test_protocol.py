"""What the listener itself refuses, over real sockets."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablegram.server.run import build_server
from tablegram.wiring.lifespan import follow_server
from tests.api.edge import Edge, edge_of, kept_open
from tests.cases import cases
from tests.databases import Databases

BODY = b'{"phone":"905551112233","message":"hi"}'


class Door:
    """A product behind a listener of its own."""

    def __init__(self, edge: Edge, port: int) -> None:
        self.edge, self.port = edge, port
        self.head = (
            "POST /api/v1/messages/send HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {edge.key}\r\nContent-Type: application/json\r\n"
        ).encode()
        self.whole = self.head + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
        self.last = self.head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


@asynccontextmanager
async def listening(edge: Edge, head_within_s: float = 30.0) -> AsyncIterator[Door]:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            # The product is there before its listener, and after it.
            await follow_server(_nothing, _nothing, receive, send)
        else:
            await edge.api(scope, receive, send)

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = build_server(app, edge.api.settings, head_within_s=head_within_s)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield Door(edge, listener.getsockname()[1])
    finally:
        server.should_exit = True
        await task


async def _nothing() -> None:
    return None


@asynccontextmanager
async def _door(url: str, folder: Path, head_within_s: float = 30.0, **settings: Any) -> AsyncIterator[Door]:
    async with edge_of(url, folder, **settings) as edge, listening(edge, head_within_s) as door:
        yield door


@pytest.fixture(scope="module")
def door(
    databases: Databases, loop_of_file: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Door]:
    """Bodies are small here, and may be silent for a while."""
    url = databases.migrated()
    made = _door(url, tmp_path_factory.mktemp("door"), max_body_bytes=1_000, body_idle_s=3.0)
    with kept_open(loop_of_file, made) as opened:
        yield opened
    databases.drop(url)


async def talk(port: int, *parts: bytes, pause_s: float = 0.0) -> bytes:
    """Send the parts and read until the server ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)
    except ConnectionError:
        pass
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return answer


def check_refusal(answer: bytes, status: int, code: str) -> None:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), answer
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head.lower()
    document = msgspec.json.decode(body)
    assert (document["status"], document["code"]) == (status, code)
    assert f"x-request-id: {document['request_id']}".encode() in head
    assert b"x-api-version: 1.4" in head


LARGE_HEADS = {
    "one large field": [b"GET /api/v1/me HTTP/1.1\r\nX-A: " + b"a" * 40_000 + b"\r\n\r\n"],
    "many small ones": [b"GET /api/v1/me HTTP/1.1\r\n", b"X-A: aaaaaaaaaa\r\n" * 3_000, b"\r\n"],
    "a head that never ends": [b"GET /api/v1/me HTTP/1.1\r\nX-A: "] + [b"a" * 100_000] * 30,
    "a long address": [b"GET /api/v1/me?" + b"a" * 40_000 + b" HTTP/1.1\r\n\r\n"],
}
LARGE = b"".join(LARGE_HEADS["one large field"])


async def test_a_head_that_is_too_large_is_431_and_the_answer_arrives(door: Door) -> None:
    with cases() as every:
        for name, parts in LARGE_HEADS.items():
            with every.case(name):
                check_refusal(await talk(door.port, *parts), 431, "header_too_large")


async def test_a_head_that_is_too_large_is_431_also_after_another_request(door: Door) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(door.whole)
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    assert head.startswith(b"HTTP/1.1 200")
    await reader.readexactly(int(re.findall(rb"content-length: (\d+)", head)[0]))
    # The first has been answered, whole.
    writer.write(LARGE)
    check_refusal(await asyncio.wait_for(reader.read(), 20), 431, "header_too_large")
    writer.close()


async def test_a_head_that_is_too_large_while_another_request_is_answered_ends_the_connection(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()
    send = door.edge.sending.send

    async def send_when_told(*arguments: Any) -> Any:
        asked.set()
        await go_on.wait()
        return await send(*arguments)

    monkeypatch.setattr(door.edge.sending, "send", send_when_told)
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(door.whole)
    await asked.wait()
    writer.write(LARGE)
    # Two answers must not be mixed.
    assert await asyncio.wait_for(reader.read(), 20) == b""
    writer.close()
    go_on.set()
    # It was this connection that ended, and nothing else.
    assert (await talk(door.port, door.last)).startswith(b"HTTP/1.1 200")


async def test_a_head_that_does_not_come_is_408(door: Door) -> None:
    async with listening(door.edge, head_within_s=0.4) as impatient:
        check_refusal(await talk(impatient.port, b"GET /api/v1/me HT"), 408, "header_timeout")
        trickle = [bytes([letter]) for letter in b"GET /api/v1/me"]
        check_refusal(await talk(impatient.port, *trickle, pause_s=0.05), 408, "header_timeout")
        # A connection that is never used is closed without a word.
        assert await talk(impatient.port) == b""


async def test_what_is_no_http_is_400(door: Door) -> None:
    with cases() as every:
        for request in (
            b"GET /api/v1/me HTTP/1.1\r\nX-A: a\x00b\r\n\r\n",
            b"\x16\x03\x01\x02hello\r\n\r\n",
            b"GET\r\n\r\n",
            b"GET /\xff HTTP/1.1\r\n\r\n",
        ):
            with every.case(repr(request)):
                check_refusal(await talk(door.port, request), 400, "request_malformed")


async def test_a_body_that_does_not_come_is_408_and_nothing_is_done(database_url: str, tmp_path: Path) -> None:
    async with _door(database_url, tmp_path, max_body_bytes=1_000, body_idle_s=0.3) as impatient:
        before, head = await impatient.edge.done(), impatient.head
        check_refusal(await talk(impatient.port, head + b"Content-Length: 100\r\n\r\n{"), 408, "body_timeout")
        # One that is refused anyhow does not hold the connection either.
        answer = await talk(impatient.port, head + b"Content-Length: 50000\r\n\r\n" + b" " * 10)
        assert answer.startswith(b"HTTP/1.1 413")
        assert await impatient.edge.done() == before


async def test_a_slow_body_is_taken_as_long_as_it_keeps_coming(door: Door) -> None:
    # All of it takes longer than a silence may, and each silence is a small part of that.
    parts = [door.last[: -len(BODY)], *[BODY[at : at + 1] for at in range(len(BODY))]]
    assert (await talk(door.port, *parts, pause_s=4.0 / len(parts))).startswith(b"HTTP/1.1 200")


async def test_too_large_a_body_is_413_and_the_connection_stays_usable(door: Door) -> None:
    large = door.head + b"Content-Length: 50000\r\n\r\n" + b" " * 50_000
    answer = await talk(door.port, large, door.last)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"HTTP/1.1 200" in answer
    chunk = b"3e8\r\n" + b"a" * 1_000 + b"\r\n"
    chunked = b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 2 + b"0\r\n\r\n"
    assert (await talk(door.port, door.head + chunked)).startswith(b"HTTP/1.1 413")


async def test_requests_may_follow_each_other_on_one_connection(door: Door) -> None:
    before, _ = await door.edge.done()
    answer = await talk(door.port, door.whole + door.whole + door.last)
    assert answer.count(b"HTTP/1.1 200 OK") == 3
    assert (await door.edge.done())[0] == before + 3
    assert b"\r\nserver:" not in answer.lower()


async def test_what_comes_behind_a_body_is_no_header_of_the_request(door: Door) -> None:
    head = door.head + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"%x\r\n%b\r\n0\r\n" % (len(BODY), BODY)
    answer = await talk(door.port, head + body + b"X-Request-Id: from-behind\r\nAuthorization: none\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"from-behind" not in answer


async def test_asking_for_another_protocol_is_answered_as_plain_http(door: Door) -> None:
    upgrade = b"Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n"
    head = door.head.replace(b"POST /api/v1/messages/send", b"GET /api/v1/me")
    assert (await talk(door.port, head + upgrade)).startswith(b"HTTP/1.1 200")
