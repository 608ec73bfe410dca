"""What is called goes only where it may, whatever a name server or a receiver does."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from io import BytesIO

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from tablegram.values.http import outbound
from tablegram.values.http.outbound import GuardedClient, TargetForbidden, Targets, TargetUnreachable, TooLarge
from tests.values.outbound import LOOPBACK, WITHIN_S, client, files, listener


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1"],
        ["10.1.2.3"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["fd00::1"],
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["2a00:1450::1", "::1"],
    ],
)
async def test_a_name_is_refused_unless_every_address_is_public(answers: list[str]) -> None:
    async with client(answers) as guarded:
        with pytest.raises(TargetForbidden):
            await guarded.fetch("https://rebind.example.com/", 100, WITHIN_S)


async def test_a_name_that_changes_its_mind_gains_nothing() -> None:
    # The first look finds a public address; the look that counts is at the address about to be dialled.
    async with client(["8.8.8.8"], ["127.0.0.1"]) as guarded:
        assert await guarded.is_public("https://rebind.example.com:8443/")
        with pytest.raises(TargetForbidden):
            await guarded.fetch("https://rebind.example.com:8443/", 100, WITHIN_S)


async def test_a_literal_address_never_gets_a_connection_even_through_the_bare_session() -> None:
    async with listener() as counter, client() as guarded:
        with pytest.raises(OSError, match="loopback"):
            await guarded.session.get(f"http://127.0.0.1:{counter.port}/")
        with pytest.raises(TargetForbidden):
            await guarded.fetch(f"https://127.0.0.1:{counter.port}/", 100, WITHIN_S)
        assert counter.connections == 0


async def test_a_public_name_on_another_port_is_refused_at_the_dial() -> None:
    async with client(["8.8.8.8"], listed=LOOPBACK) as guarded:
        for url in ("https://example.com:9000/", "http://example.com/", "https://intranet/", "https://x.local/"):
            with pytest.raises(TargetForbidden):
                await guarded.fetch(url, 100, WITHIN_S)


async def test_a_listed_network_is_reached_by_address_and_by_name() -> None:
    async def hello(request: web.Request) -> web.Response:
        assert "Cookie" not in request.headers
        response = web.Response(text="hello")
        response.set_cookie("a", "b")
        return response

    async with files(hello) as url, client(["127.0.0.1"], listed=LOOPBACK) as guarded:
        fetched = await guarded.fetch(f"{url}/x", 100, WITHIN_S)
        assert (fetched.status, fetched.content_type, fetched.body, fetched.size) == (200, "text/plain", b"hello", 5)
        named = url.replace("127.0.0.1", "receiver.example.com")
        assert (await guarded.fetch(named, 100, WITHIN_S)).body == b"hello"
        assert not await guarded.is_public(named)
        assert not await guarded.is_public(url)


async def test_redirects_are_not_followed() -> None:
    seen = []

    async def away(request: web.Request) -> web.Response:
        seen.append(request.path)
        return web.Response(status=302, headers={"Location": "/second"})

    async with files(away) as url, client(listed=LOOPBACK) as guarded:
        assert (await guarded.fetch(f"{url}/first", 100, WITHIN_S)).status == 302
        assert seen == ["/first"]


async def test_the_environments_proxy_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hello(request: web.Request) -> web.Response:
        return web.Response(text="direct")

    async with listener() as counter, files(hello) as url, client(listed=LOOPBACK) as guarded:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{counter.port}")
        assert (await guarded.fetch(url, 100, WITHIN_S)).body == b"direct"
        assert counter.connections == 0


async def test_a_compressed_answer_is_not_unfolded() -> None:
    async def bomb(request: web.Request) -> web.Response:
        assert request.headers["Accept-Encoding"] == "identity"
        response = web.Response(body=b"a" * 100_000)
        response.enable_compression(web.ContentCoding.gzip)
        response.headers["Content-Encoding"] = "gzip"
        return response

    async with files(bomb) as url, client(listed=LOOPBACK) as guarded:
        fetched = await guarded.fetch(url, 200_000, WITHIN_S)
        assert fetched.headers["Content-Encoding"] == "gzip"
        assert (fetched.body[:2], fetched.size < 1_000) == (b"\x1f\x8b", True)


@pytest.mark.parametrize("chunked", [False, True])
async def test_an_answer_over_the_cap_is_cut_off(chunked: bool) -> None:
    async def long(request: web.Request) -> web.StreamResponse:
        if not chunked:
            return web.Response(body=bytes(200_000))
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(1_000):
            await response.write(bytes(65_536))
        return response

    async with files(long) as url, client(listed=LOOPBACK) as guarded:
        sink = BytesIO()
        with pytest.raises(TooLarge):
            await guarded.fetch_into(url, sink, max_bytes=100_000, timeout_s=WITHIN_S)
        assert len(sink.getvalue()) <= 100_000


async def test_silence_refusal_and_slowness_are_unreachable() -> None:
    async def slow(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"x")
        await asyncio.sleep(10)
        return response

    async with files(slow) as url, listener() as counter, client(listed=LOOPBACK) as guarded:
        for target in (url, f"http://127.0.0.1:{counter.port}/", "http://127.0.0.1:1/"):
            with pytest.raises(TargetUnreachable) as caught:
                await guarded.fetch(target, 100, 0.5)
            assert caught.value.reason


async def test_a_name_without_an_address_is_unreachable() -> None:
    async with client([]) as guarded:
        with pytest.raises(TargetUnreachable):
            await guarded.fetch("https://nobody.example.com/", 100, WITHIN_S)
        with pytest.raises(TargetUnreachable):
            await guarded.is_public("https://nobody.example.com/")


async def test_a_caller_can_post_with_headers_of_its_own() -> None:
    async def echo(request: web.Request) -> web.Response:
        return web.Response(body=await request.read(), headers={"X-Seen": request.headers["webhook-id"]})

    async with files(echo) as url, client(listed=LOOPBACK) as guarded:
        async with guarded.request(
            "POST", url, headers={"webhook-id": "7"}, body=b"{}", timeout_s=WITHIN_S
        ) as response:
            assert (response.headers["X-Seen"], await response.read()) == ("7", b"{}")
        with pytest.raises(TargetUnreachable):
            async with guarded.request("POST", url, headers={"x": "a\r\nb"}, body=b"{}", timeout_s=WITHIN_S):
                pass


class _Fickle(AbstractResolver):
    """Answers with a public address first and with loopback ever after."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        address = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [{"hostname": host, "host": address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}]

    async def close(self) -> None:
        return None


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.8", "169.254.169.254", "100.64.0.1", "::1"])
async def test_a_wire_never_dials_an_address_that_a_name_changed_its_mind_to(address: str) -> None:
    client = GuardedClient(Targets(), _Fickle(address))
    target = client.targets.check_url("https://hooks.example.com/a")
    with pytest.raises(TargetForbidden):
        await client.wire(target).ask(b"POST / HTTP/1.1\r\n\r\n", WITHIN_S)
    await client.close()


async def test_a_wire_reaches_a_network_that_the_operator_listed() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = GuardedClient(Targets((ipaddress.ip_network("127.0.0.0/8"),)), _Fickle("127.0.0.1"))
    target = client.targets.check_url(f"http://hooks.example.com:{port}/a")
    assert (await client.wire(target).ask(b"GET / HTTP/1.1\r\n\r\n", WITHIN_S)).status == 204
    assert client.wire(target) is client.wire(target)
    await client.close()
    server.close()


async def test_of_too_many_hosts_the_one_that_was_not_called_for_longest_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outbound, "MAX_WIRES", 2)
    async with client() as guarded:
        first, second, third = (guarded.target(f"https://{name}.example.com/") for name in ("a", "b", "c"))
        kept, gone = guarded.wire(first), guarded.wire(second)
        assert guarded.wire(first) is kept
        guarded.wire(third)
        assert guarded.wire(first) is kept
        assert guarded.wire(second) is not gone
