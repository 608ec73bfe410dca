"""Receivers that mean harm: whatever they send, a call ends soon, holds little, and leaves the others alone."""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
from collections.abc import Iterable

import pytest

from tablegram.values.http.outbound import GuardedClient, Targets, TargetUnreachable
from tablegram.values.http.wire import MAX_ANSWER_BYTES, MAX_HEAD_BYTES, MAX_INTERIM, Lost
from tests.values.test_wire import OK, Script, answering, ask, read_request, served

OPEN = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OPEN + b"Transfer-Encoding: chunked\r\n\r\n"
MUCH = 65_536

# What comes first, what is then said again and again, and why the call ends: where the whole answer is wanted, and where
# the status decides (nothing: it was told, so the call has its answer).
HOSTILE: dict[str, tuple[bytes, bytes, str, str]] = {
    "a header line": (OPEN + b"X-A: ", b"a" * MUCH, "head", "head"),
    "the name of a header": (OPEN, b"a" * MUCH, "head", "head"),
    "headers": (OPEN, b"X-A: b\r\n" * 1_000, "head", "head"),
    "the same header": (OPEN, b"Content-Length: 2\r\n" * 1_000, "read", "read"),
    "a status line": (b"HTTP/1.1 200 ", b"O" * MUCH, "head", "head"),
    "interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000, "interim", "interim"),
    "one interim answer at a time": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", "interim", "interim"),
    "large interim answers": (b"", b"HTTP/1.1 103 E\r\nX-A: " + b"a" * 9_000 + b"\r\n\r\n", "head", "head"),
    "empty lines": (b"", b"\r\n" * 1_000, "head", "head"),
    "a chunk's extension": (CHUNKED + b"1;a=", b"a" * MUCH, "too large|read", ""),
    "chunks of a byte": (CHUNKED, b"1\r\nx\r\n" * 1_000, "too large", ""),
    "chunks with extensions": (CHUNKED, b"1;a=bbbbbbbbbbbbbbbbbbbb\r\nx\r\n" * 500, "too large", ""),
    "a trailer": (CHUNKED + b"0\r\nX-A: ", b"a" * MUCH, "too large|read", ""),
    "trailers": (CHUNKED + b"0\r\n", b"X-A: b\r\n" * 1_000, "too large", ""),
    "a body": (OPEN + b"\r\n", b"x" * MUCH, "too large", ""),
}


def saying(first: bytes, again: Iterable[bytes], pause_s: float = 0.0) -> Script:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(first)
        for part in again:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return script


async def test_whatever_is_said_without_end_is_cut_off() -> None:
    for name, (first, again, whole, status_only) in HOSTILE.items():
        async with served(saying(first, itertools.repeat(again))) as (wire, url, _):
            # The time is far away: what ends the call is how much was said.
            with pytest.raises(Lost, match=whole):
                await ask(wire, url, timeout_s=600)
                pytest.fail(f"{name}: it was taken for an answer")
            if status_only:
                with pytest.raises(Lost, match=status_only):
                    await ask(wire, url, timeout_s=600, keep_bytes=100)
                    pytest.fail(f"{name}: it was taken for an answer")
            else:
                reply = await ask(wire, url, timeout_s=600, keep_bytes=100)
                assert reply.status == 200, name
                assert len(reply.body) <= 100, name
                assert b"x-a" not in reply.headers, name


async def test_a_byte_now_and_then_does_not_make_the_time_longer() -> None:
    drops = {"head": OPEN, "interim": b"HTTP/1.1 100 Continue\r\n\r\n", "chunk": CHUNKED + b"ff\r\n"}
    for name, first in drops.items():
        dripping = itertools.repeat(b"a")
        async with served(saying(first, dripping, pause_s=0.02)) as (wire, url, _):
            with pytest.raises(Lost, match=r"in time|read"):
                await ask(wire, url, timeout_s=0.4)
                pytest.fail(f"{name}: it was taken for an answer")


async def test_others_are_answered_while_receivers_mean_harm() -> None:
    first, again, *_ = HOSTILE["a header line"]
    async with (
        served(saying(first, itertools.repeat(again))) as (hostile, where, _),
        served(answering(*[OK] * 50)) as (kind, url, _),
    ):
        harm = [asyncio.create_task(ask(hostile, where, timeout_s=600)) for _ in range(20)]
        for _ in range(50):
            assert (await ask(kind, url)).status == 200
        # Every one of them has come to its end by itself.
        ended = await asyncio.gather(*harm, return_exceptions=True)
        assert all(isinstance(one, Lost) for one in ended), ended


async def test_an_honest_answer_may_be_as_large_as_the_limits_together() -> None:
    fields = b"X-A: %b\r\n" % (b"a" * (MAX_HEAD_BYTES - 200))
    body = b"y" * MAX_ANSWER_BYTES
    answer = b"%b%bContent-Length: %d\r\n\r\n%b" % (OPEN, fields, len(body), body)
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    async with served(answering(interim + answer, OK)) as (wire, url, connections):
        assert (await ask(wire, url)).body == body
        assert (await ask(wire, url)).body == b"ok"
        # The second question begins with nothing of the first one's count.
        assert len(connections) == 1


async def test_a_head_as_large_as_may_be_leaves_its_connection_to_the_next() -> None:
    frame = OPEN + b"Content-Length: 0\r\nX-A: \r\n\r\n"
    fields = b"Content-Length: 0\r\nX-A: %b\r\n\r\n" % (b"a" * (MAX_HEAD_BYTES - len(frame)))
    async with served(answering(OPEN + fields, OK)) as (wire, url, connections):
        assert len(OPEN + fields) == MAX_HEAD_BYTES
        assert (await ask(wire, url)).status == 200
        assert (await ask(wire, url)).body == b"ok"
        assert len(connections) == 1


async def test_an_answer_follows_as_many_interim_ones_as_may_be_and_not_one_more() -> None:
    interim = b"HTTP/1.1 103 Early Hints\r\n\r\n"
    few, many = interim * MAX_INTERIM + OK, interim * (MAX_INTERIM + 1) + OK
    # Each question has its own count.
    async with served(answering(few, few, many)) as (wire, url, connections):
        assert (await ask(wire, url)).body == b"ok"
        assert (await ask(wire, url)).body == b"ok"
        assert len(connections) == 1
        with pytest.raises(Lost, match="interim"):
            await ask(wire, url)


async def test_a_body_of_one_byte_too_many_is_cut_off() -> None:
    body = b"y" * (MAX_ANSWER_BYTES + 1)
    answer = b"%bContent-Length: %d\r\n\r\n%b" % (OPEN, len(body), body)
    async with served(answering(answer)) as (wire, url, _):
        with pytest.raises(Lost, match="too large"):
            await ask(wire, url)


async def test_who_has_told_enough_of_a_body_is_hung_up_on() -> None:
    ended = asyncio.Event()

    async def pause_within_the_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(OPEN + b"Content-Length: 1000\r\n\r\n" + b"x" * 11)
        try:
            await reader.read()
        finally:
            ended.set()

    async with served(pause_within_the_body) as (wire, url, _):
        assert (await ask(wire, url, keep_bytes=10)).body == b"x" * 10
        # By us: who paused would have gone on waiting.
        await asyncio.wait_for(ended.wait(), 20)


async def test_what_follows_a_body_is_no_header() -> None:
    answer = b"HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nRetry-After: 86400\r\n\r\n"
    async with served(answering(answer)) as (wire, url, _):
        reply = await ask(wire, url)
    assert (reply.status, reply.body, b"retry-after" in reply.headers) == (503, b"ok", False)


async def test_a_file_is_fetched_past_a_few_interim_answers_and_not_past_many() -> None:
    client = GuardedClient(Targets((ipaddress.ip_network("127.0.0.0/8"),)))
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

    async def kind(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(interim + OK)

    async def hostile(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        while True:
            writer.write(interim * 1_000)
            await writer.drain()

    try:
        async with served(kind) as (_, url, _):
            assert (await client.fetch(str(url), 100, 600)).body == b"ok"
        async with served(hostile) as (_, url, _):
            # The time is far away: what ends the call is how much was said.
            with pytest.raises(TargetUnreachable, match="broke off"):
                await client.fetch(str(url), 100, 600)
    finally:
        await client.close()
