"""What the listener itself refuses, over real sockets."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from tablegram.server.run import build_server
from tests.api.app import KEY, World, served

HEAD = f"POST /api/v1/messages/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\nContent-Type: application/json\r\n".encode()
BODY = b'{"phone":"905551112233","message":"hi"}'
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
LAST = HEAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


@asynccontextmanager
async def listening(world: World, head_within_s: float = 30.0) -> AsyncIterator[int]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = build_server(served(world), world.deps.settings, head_within_s=head_within_s)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task


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


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([b"GET /api/v1/me HTTP/1.1\r\nX-A: " + b"a" * 40_000 + b"\r\n\r\n"], id="one large field"),
        pytest.param([b"GET /api/v1/me HTTP/1.1\r\n", b"X-A: aaaaaaaaaa\r\n" * 3_000, b"\r\n"], id="many small ones"),
        pytest.param([b"GET /api/v1/me HTTP/1.1\r\nX-A: "] + [b"a" * 100_000] * 30, id="a head that never ends"),
        pytest.param([b"GET /api/v1/me?" + b"a" * 40_000 + b" HTTP/1.1\r\n\r\n"], id="a long address"),
    ],
)
async def test_a_head_that_is_too_large_is_431_and_the_answer_arrives(parts: list[bytes]) -> None:
    async with listening(World()) as port:
        check_refusal(await talk(port, *parts), 431, "header_too_large")


LARGE = b"GET /api/v1/me HTTP/1.1\r\nX-A: " + b"a" * 40_000 + b"\r\n\r\n"


async def test_a_head_that_is_too_large_is_431_also_after_another_request() -> None:
    async with listening(World()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(WHOLE)
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        assert head.startswith(b"HTTP/1.1 200")
        await reader.readexactly(int(re.findall(rb"content-length: (\d+)", head)[0]))
        # The first has been answered, whole.
        writer.write(LARGE)
        check_refusal(await asyncio.wait_for(reader.read(), 20), 431, "header_too_large")
        writer.close()


async def test_a_head_that_is_too_large_while_another_request_is_answered_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, asked, go_on = World(), asyncio.Event(), asyncio.Event()
    send = world.sends.send

    async def send_when_told(*arguments: Any) -> Any:
        asked.set()
        await go_on.wait()
        return await send(*arguments)

    monkeypatch.setattr(world.sends, "send", send_when_told)
    async with listening(world) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(WHOLE)
        await asked.wait()
        writer.write(LARGE)
        # Two answers must not be mixed.
        assert await asyncio.wait_for(reader.read(), 20) == b""
        writer.close()
        go_on.set()
        # It was this connection that ended, and nothing else.
        assert (await talk(port, LAST)).startswith(b"HTTP/1.1 200")


async def test_a_head_that_does_not_come_is_408() -> None:
    async with listening(World(), head_within_s=0.4) as port:
        check_refusal(await talk(port, b"GET /api/v1/me HT"), 408, "header_timeout")
        trickle = [bytes([letter]) for letter in b"GET /api/v1/me"]
        check_refusal(await talk(port, *trickle, pause_s=0.05), 408, "header_timeout")


async def test_a_connection_that_is_never_used_is_closed_without_a_word() -> None:
    async with listening(World(), head_within_s=0.4) as port:
        assert await talk(port) == b""


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /api/v1/me HTTP/1.1\r\nX-A: a\x00b\r\n\r\n",
        b"\x16\x03\x01\x02hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n\r\n",
    ],
)
async def test_what_is_no_http_is_400(request_bytes: bytes) -> None:
    async with listening(World()) as port:
        check_refusal(await talk(port, request_bytes), 400, "request_malformed")


async def test_a_body_that_does_not_come_is_408_and_nothing_is_done() -> None:
    world = World(body_idle_s=0.3)
    async with listening(world) as port:
        check_refusal(await talk(port, HEAD + b"Content-Length: 100\r\n\r\n{"), 408, "body_timeout")
    assert world.sends.drafts == []


async def test_a_slow_body_is_taken_as_long_as_it_keeps_coming() -> None:
    world = World(body_idle_s=3.0)
    async with listening(world) as port:
        # All of it takes longer than a silence may, and each silence is a small part of that.
        parts = [LAST[: -len(BODY)], *[BODY[at : at + 1] for at in range(len(BODY))]]
        assert (await talk(port, *parts, pause_s=4.0 / len(parts))).startswith(b"HTTP/1.1 200")


async def test_too_large_a_body_is_413_and_the_connection_stays_usable() -> None:
    world = World(max_body_bytes=1_000)
    async with listening(world) as port:
        large = HEAD + b"Content-Length: 50000\r\n\r\n" + b" " * 50_000
        answer = await talk(port, large, LAST)
        assert answer.startswith(b"HTTP/1.1 413")
        assert b"HTTP/1.1 200" in answer
        chunk = b"3e8\r\n" + b"a" * 1_000 + b"\r\n"
        answer = await talk(
            port, HEAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 2 + b"0\r\n\r\n"
        )
        assert answer.startswith(b"HTTP/1.1 413")


async def test_a_refused_body_that_never_comes_does_not_hold_the_connection() -> None:
    async with listening(World(max_body_bytes=1_000, body_idle_s=0.3)) as port:
        answer = await talk(port, HEAD + b"Content-Length: 50000\r\n\r\n" + b" " * 10)
    assert answer.startswith(b"HTTP/1.1 413")


async def test_requests_may_follow_each_other_on_one_connection() -> None:
    world = World()
    async with listening(world) as port:
        answer = await talk(port, WHOLE + WHOLE + LAST)
    assert answer.count(b"HTTP/1.1 200 OK") == 3
    assert len(world.sends.drafts) == 3
    assert b"\r\nserver:" not in answer.lower()


async def test_asking_for_another_protocol_is_answered_as_plain_http() -> None:
    async with listening(World()) as port:
        upgrade = f"GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n"
        assert (await talk(port, upgrade.encode())).startswith(b"HTTP/1.1 200")
