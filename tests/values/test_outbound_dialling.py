"""What is dialled, and what happens when nobody answers: every address is looked at right before, and no failure is silent."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp.abc import ResolveResult

from tablegram.values.http.outbound import GuardedClient, TargetForbidden, Targets, TargetUnreachable, TooLarge
from tablegram.values.http.wire import MAX_INTERIM, Unsent
from tests.ports import free_port
from tests.values.outbound import LOOPBACK, WITHIN_S, Answers, client, listener

REQUEST = b"GET / HTTP/1.1\r\n\r\n"
INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@asynccontextmanager
async def saying(answer: bytes) -> AsyncIterator[int]:
    """The port of a server that gives this answer to everybody."""

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_wire_looks_at_a_literal_address_before_it_dials() -> None:
    async with listener() as counter, client() as guarded:
        # Checked by the rules of another installation, as a target that was kept while the rules changed would be.
        target = Targets(LOOPBACK).check_url(f"http://127.0.0.1:{counter.port}/")
        with pytest.raises(TargetForbidden, match="loopback"):
            await guarded.wire(target).ask(REQUEST, WITHIN_S)
        assert counter.connections == 0


async def test_a_wire_goes_on_to_the_next_address_of_a_name() -> None:
    async with saying(OK) as port, client(["127.0.0.2", "127.0.0.1"], listed=LOOPBACK) as guarded:
        target = guarded.target(f"http://hooks.example.com:{port}/")
        assert (await guarded.wire(target).ask(REQUEST, WITHIN_S)).body == b"ok"


@pytest.mark.parametrize("addresses", [["127.0.0.1", "127.0.0.2"], []])
async def test_a_wire_that_reaches_nobody_says_so(addresses: list[str]) -> None:
    async with client(addresses, listed=LOOPBACK) as guarded:
        target = guarded.target(f"http://hooks.example.com:{free_port()}/")
        with pytest.raises(Unsent, match="no connection could be made"):
            await guarded.wire(target).ask(REQUEST, WITHIN_S)


async def test_a_socket_is_opened_for_a_public_address_on_a_secure_port_alone() -> None:
    async with client() as guarded:
        made = guarded._open_socket((socket.AF_INET, socket.SOCK_STREAM, 0, "", ("8.8.8.8", 443)))
        made.close()
        for address in (("8.8.8.8", 25), ("10.0.0.1", 443)):
            with pytest.raises(OSError, match=r"it leads to|operator has listed"):
                guarded._open_socket((socket.AF_INET, socket.SOCK_STREAM, 0, "", address))


class _Stuck(Answers):
    """A name server that never answers."""

    def __init__(self) -> None:
        super().__init__()
        self.is_closed = False

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        await asyncio.Event().wait()
        return []

    async def close(self) -> None:
        self.is_closed = True


async def test_a_connection_that_does_not_come_ends_before_the_answers_time() -> None:
    names = _Stuck()
    guarded = GuardedClient(Targets(), names)
    # The limit of the test is for what never happens.
    async with asyncio.timeout(WITHIN_S):
        with pytest.raises(TargetUnreachable) as caught:
            async with guarded.request("GET", "https://hooks.example.com/", timeout_s=600, connect_s=0.05):
                pass
    assert str(caught.value) == caught.value.reason
    assert caught.value.reason
    await guarded.close()
    assert names.is_closed


async def test_a_target_is_checked_once_and_kept() -> None:
    async with client() as guarded:
        kept = guarded.target("https://hooks.example.com/a")
        assert kept.url.path == "/a"
        assert guarded.target("https://hooks.example.com/a") is kept
        with pytest.raises(TargetForbidden):
            guarded.target("https://10.0.0.1/")


@pytest.mark.parametrize("count", [MAX_INTERIM, MAX_INTERIM + 1])
async def test_so_many_interim_answers_are_taken_and_no_more(count: int) -> None:
    async with saying(INTERIM * count + OK) as port, client(listed=LOOPBACK) as guarded:
        if count <= MAX_INTERIM:
            assert (await guarded.fetch(f"http://127.0.0.1:{port}/", 100, 600)).body == b"ok"
        else:
            with pytest.raises(TargetUnreachable, match="broke off"):
                await guarded.fetch(f"http://127.0.0.1:{port}/", 100, 600)


async def test_a_refusal_tells_how_large_an_answer_may_be() -> None:
    async with saying(OK) as port, client(listed=LOOPBACK) as guarded:
        url = f"http://127.0.0.1:{port}/"
        # As large as the limit is not too large.
        assert (await guarded.fetch(url, 2, 600)).size == 2
        with pytest.raises(TooLarge, match="more than 1 bytes"):
            await guarded.fetch(url, 1, 600)
