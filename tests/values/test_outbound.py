"""Users choose addresses; none of them leads the program anywhere but to the public internet."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from tablegram.values.http.outbound import GuardedClient, TargetForbidden, Targets, TargetUnreachable, TooLarge

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)

HOSTILE = [
    # Not https, or not a URL at all.
    "",
    "https://",
    "https:///x",
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "//example.com/",
    "example.com",
    "https:example.com",
    "https:/example.com",
    "https://example.com:99999/",
    "https://example.com:x/",
    "https://example.com:0/",
    "https://[::1/",
    "https://[]/",
    "https://exa mple.com/",
    "https://example.com/a b",
    "https://example.com/\n",
    "https://exam\tple.com/",
    " https://example.com/",
    "https://example.com/\x00",
    "https://example.com/\x7f",
    "https://example.com\\@127.0.0.1/",
    "https://example.com/\u2003",
    "https://" + "a" * 64 + ".example.com/",
    "https://example.com/" + "a" * 2_048,
    "https://-bad.example.com/",
    "https://a..example.com/",
    # Ports, credentials, fragments, dots.
    "https://example.com:22/",
    "https://example.com:80/",
    "https://example.com:6379/",
    "https://8.8.8.8:25/",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com/#f",
    "https://example.com#@127.0.0.1/",
    "https://example.com./",
    "https://127.0.0.1./",
    # Longer than a name may be, by one.
    "https://" + "a" * 60 + ("." + "b" * 60) * 3 + "." + "c" * 6 + ".com/",
    # Local names.
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://intranet/",
    "https://metadata/",
    "https://router.lan/",
    "https://x.home.arpa/",
    # Addresses that are not public.
    "https://127.0.0.1/",
    "https://127.1.2.3/",
    "https://0.0.0.0/",
    "https://0.1.2.3/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://169.254.169.254/",
    "https://100.64.0.1/",
    "https://100.100.100.200/",
    "https://192.0.0.1/",
    "https://192.0.0.192/",
    "https://192.0.2.1/",
    "https://192.88.99.1/",
    "https://198.18.0.1/",
    "https://198.51.100.1/",
    "https://203.0.113.9/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://168.63.129.16/",
    # The same in other spellings.
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://017700000001/",
    "https://0/",
    "https://1/",
    "https://8.8.8.8.8/",
    "https://256.1.1.1/",
    "https://0x/",
    "https://example.0x1/",
    "https://\uff11\uff12\uff17.0.0.1/",
    "https://127\u30020\u30020\u30021/",
    "https://\u2460\u2461\u2466.0.0.1/",
    "https://%31%32%37.0.0.1/",
    "https://127.0.0.1%00.example.com/",
    "https://loc\u00adalhost/",
    "https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/",
    # IPv6, with and without an IPv4 address inside.
    "https://[::1]/",
    "https://[::]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::10.0.0.1]/",
    "https://[64:ff9b:1::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:4136:e378::1]/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://[fe80::1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fec0::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[ff02::1]/",
    "https://[100::1]/",
    "https://[5f00::1]/",
    "https://[4000::1]/",
    "https://[2a00:1450::5efe:a00:1]/",
    "https://[2a00:1450::200:5efe:a00:1]/",
    "https://[v1.x]/",
]

# As long as a name may be.
LONGEST = "a" * 60 + ("." + "b" * 60) * 3 + "." + "c" * 5 + ".com"
FINE = [
    ("https://example.com/hook", "example.com", 443),
    ("https://EXAMPLE.com/hook?a=1", "example.com", 443),
    ("HTTPS://example.com", "example.com", 443),
    ("https://example.com:443/", "example.com", 443),
    ("https://example.com:8443/", "example.com", 8443),
    ("https://8.8.8.8/", "8.8.8.8", 443),
    ("https://[2a00:1450:4001::1]:8443/", "2a00:1450:4001::1", 8443),
    ("https://bücher.example/", "xn--bcher-kva.example", 443),
    ("https://a_b.example.com/a@b?c=@d", "a_b.example.com", 443),
    ("https://1e100.example.net/ü%20x", "1e100.example.net", 443),
    ("https://example.com/" + "a" * 2_000, "example.com", 443),
    (f"https://{LONGEST}/", LONGEST, 443),
]


@pytest.mark.parametrize("url", HOSTILE, ids=ascii)
def test_a_hostile_url_is_refused_by_its_text(url: str) -> None:
    with pytest.raises(TargetForbidden) as caught:
        Targets().check_url(url)
    assert caught.value.reason


@pytest.mark.parametrize(("url", "host", "port"), FINE)
def test_an_ordinary_url_passes(url: str, host: str, port: int) -> None:
    target = Targets().check_url(url)
    assert (target.host, target.port) == (host, port)


def test_an_answer_that_is_no_address_is_refused() -> None:
    with pytest.raises(TargetForbidden, match="not a valid address"):
        Targets().check_address("not.an.address", host="example.com", port=443)


# All of them but those that only the list itself opens, or that only the dial can judge once there is a list.
STILL_HOSTILE = [
    "https://10.0.0.1/",
    "http://8.8.8.8/",
    "https://8.8.8.8:25/",
    "https://2130706433/",
    "https://[::ffff:127.0.0.1]/",
    "http://example.com:443/",
    "https://user@127.0.0.1/",
    "https://127.0.0.1/#x",
    "ftp://127.0.0.1/",
    "https://127.1/",
    "https://[64:ff9b::7f00:1]/",
]


@pytest.mark.parametrize("url", STILL_HOSTILE)
def test_a_list_of_private_networks_opens_nothing_else(url: str) -> None:
    with pytest.raises(TargetForbidden):
        Targets(LOOPBACK).check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.8.8.8:9000/x",
        "https://127.0.0.1:22/",
        "http://[::1]:9000/",
        "http://localhost:9000/",
    ],
)
def test_listed_networks_may_be_called_in_the_plain_and_on_any_port(url: str) -> None:
    assert Targets(LOOPBACK).check_url(url).url


class Answers(AbstractResolver):
    """A name server that gives another answer at each question, and remembers how often it was asked."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        addresses = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                proto=0,
                flags=socket.AI_NUMERICHOST,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        pass


class Listener:
    """Counts connections, so that a test can prove that none was even opened."""

    def __init__(self) -> None:
        self.port = 0
        self.connections = 0

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        writer.close()


@asynccontextmanager
async def listener() -> AsyncIterator[Listener]:
    counter = Listener()
    server = await asyncio.start_server(counter.meet, "127.0.0.1", 0)
    counter.port = server.sockets[0].getsockname()[1]
    async with server:
        yield counter


@asynccontextmanager
async def client(*answers: list[str], listed: tuple = ()) -> AsyncIterator[GuardedClient]:
    guarded = GuardedClient(Targets(listed), resolver=Answers(*answers) if answers else None)
    try:
        yield guarded
    finally:
        await guarded.close()


@asynccontextmanager
async def files(handler) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


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
            await guarded.fetch("https://rebind.example.com/", 100, 2)


async def test_a_name_that_changes_its_mind_gains_nothing() -> None:
    # The first look finds a public address; the look that counts is at the address about to be dialled.
    async with client(["8.8.8.8"], ["127.0.0.1"]) as guarded:
        assert await guarded.is_public("https://rebind.example.com:8443/")
        with pytest.raises(TargetForbidden):
            await guarded.fetch("https://rebind.example.com:8443/", 100, 2)


async def test_a_literal_address_never_gets_a_connection_even_through_the_bare_session() -> None:
    async with listener() as counter, client() as guarded:
        with pytest.raises(OSError, match="loopback"):
            await guarded.session.get(f"http://127.0.0.1:{counter.port}/")
        with pytest.raises(TargetForbidden):
            await guarded.fetch(f"https://127.0.0.1:{counter.port}/", 100, 2)
        assert counter.connections == 0


async def test_a_public_name_on_another_port_is_refused_at_the_dial() -> None:
    async with client(["8.8.8.8"], listed=LOOPBACK) as guarded:
        for url in ("https://example.com:9000/", "http://example.com/", "https://intranet/", "https://x.local/"):
            with pytest.raises(TargetForbidden):
                await guarded.fetch(url, 100, 2)


async def test_a_listed_network_is_reached_by_address_and_by_name() -> None:
    async def hello(request: web.Request) -> web.Response:
        assert "Cookie" not in request.headers
        response = web.Response(text="hello")
        response.set_cookie("a", "b")
        return response

    async with files(hello) as url, client(["127.0.0.1"], listed=LOOPBACK) as guarded:
        fetched = await guarded.fetch(f"{url}/x", 100, 2)
        assert (fetched.status, fetched.content_type, fetched.body, fetched.size) == (200, "text/plain", b"hello", 5)
        named = url.replace("127.0.0.1", "receiver.example.com")
        assert (await guarded.fetch(named, 100, 2)).body == b"hello"
        assert not await guarded.is_public(named)
        assert not await guarded.is_public(url)


async def test_redirects_are_not_followed() -> None:
    seen = []

    async def away(request: web.Request) -> web.Response:
        seen.append(request.path)
        return web.Response(status=302, headers={"Location": "/second"})

    async with files(away) as url, client(listed=LOOPBACK) as guarded:
        assert (await guarded.fetch(f"{url}/first", 100, 2)).status == 302
        assert seen == ["/first"]


async def test_the_environments_proxy_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hello(request: web.Request) -> web.Response:
        return web.Response(text="direct")

    async with listener() as counter, files(hello) as url, client(listed=LOOPBACK) as guarded:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{counter.port}")
        assert (await guarded.fetch(url, 100, 2)).body == b"direct"
        assert counter.connections == 0


async def test_a_compressed_answer_is_not_unfolded() -> None:
    async def bomb(request: web.Request) -> web.Response:
        assert request.headers["Accept-Encoding"] == "identity"
        response = web.Response(body=b"a" * 100_000)
        response.enable_compression(web.ContentCoding.gzip)
        response.headers["Content-Encoding"] = "gzip"
        return response

    async with files(bomb) as url, client(listed=LOOPBACK) as guarded:
        fetched = await guarded.fetch(url, 200_000, 2)
        assert fetched.headers["Content-Encoding"] == "gzip"


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
            await guarded.fetch_into(url, sink, max_bytes=100_000, timeout_s=5)
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
            await guarded.fetch("https://nobody.example.com/", 100, 2)
        with pytest.raises(TargetUnreachable):
            await guarded.is_public("https://nobody.example.com/")


async def test_a_caller_can_post_with_headers_of_its_own() -> None:
    async def echo(request: web.Request) -> web.Response:
        return web.Response(body=await request.read(), headers={"X-Seen": request.headers["webhook-id"]})

    async with files(echo) as url, client(listed=LOOPBACK) as guarded:
        async with guarded.request("POST", url, headers={"webhook-id": "7"}, body=b"{}", timeout_s=2) as response:
            assert (response.headers["X-Seen"], await response.read()) == ("7", b"{}")
        with pytest.raises(TargetUnreachable):
            async with guarded.request("POST", url, headers={"x": "a\r\nb"}, body=b"{}", timeout_s=2):
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
        await client.wire(target).ask(b"POST / HTTP/1.1\r\n\r\n", 2.0)
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
    assert (await client.wire(target).ask(b"GET / HTTP/1.1\r\n\r\n", 5.0)).status == 204
    assert client.wire(target) is client.wire(target)
    await client.close()
    server.close()
