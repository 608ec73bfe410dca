"""The session with which lines call a network: nobody waits for another's call, and an answer stays as it came."""

from __future__ import annotations

import asyncio
import gzip

import aiohttp
import pytest
from aiohttp import web
from aiohttp.client_reqrep import ConnectionKey

from tablegram.values.http.network import Session, explain
from tests.ports import free_port


async def test_many_calls_to_one_host_are_under_way_at_once_and_an_answer_is_not_unfolded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed = gzip.compress(b"a" * 10_000)
    together = asyncio.Barrier(3)

    async def answer(request: web.Request) -> web.Response:
        # Nobody is answered before all are here.
        await together.wait()
        return web.Response(body=packed, headers={"Content-Encoding": "gzip"})

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    # Settings of the machine that runs it lead no call elsewhere.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    try:
        async with Session() as session, asyncio.timeout(30):

            async def call() -> bytes:
                async with session.get(f"http://127.0.0.1:{port}/") as got:
                    return await got.read()

            assert await asyncio.gather(*(call() for _ in range(3))) == [packed] * 3
    finally:
        await runner.cleanup()


def test_a_call_that_failed_is_told_in_plain_words() -> None:
    key = ConnectionKey("e.example", 443, True, True, None, None, None)
    told = {
        explain(error)
        for error in (
            aiohttp.ClientConnectorDNSError(key, OSError(1, "x")),
            aiohttp.ClientConnectorCertificateError(key, ValueError("x")),
            aiohttp.ConnectionTimeoutError("x"),
            aiohttp.ClientConnectorError(key, OSError(1, "x")),
            TimeoutError("x"),
            aiohttp.ClientPayloadError("x"),
            aiohttp.ServerDisconnectedError("x"),
        )
    }
    assert len(told) == 7, "each its own"
    assert explain(aiohttp.ConnectionTimeoutError("x")) == "connecting took too long"
    assert explain(aiohttp.ClientPayloadError("x")) == "the answer broke off"
    assert not any("e.example" in words for words in told)
